internal import StrictJSON
internal import Synchronization

/// A built-in language: what `Languages/de.json` holds.
struct LanguageFile: Sendable {
  let language: Language
  /// By their keys, with dots between those of objects inside objects: `length.atLeast.one`.
  let texts: [String: String]
  let plurals: PluralRules

  /// Reads a file. Whether all sentences are there is not checked.
  init(_ language: Language, _ bytes: [UInt8]) throws(LanguageFault) {
    let json: JSON
    do {
      json = try JSON(parsing: bytes, limits: .file)
    } catch {
      throw LanguageFault(language, nil, "is not valid JSON: \(error)")
    }
    var texts: [String: String] = [:]
    func collect(_ json: JSON, _ key: String) throws(LanguageFault) {
      switch json {
      case .string(let text): texts[key] = text
      case .object(let members):
        for member in members { try collect(member.value, key.isEmpty ? member.key : "\(key).\(member.key)") }
      default: throw LanguageFault(language, key, "must be a text, not \(json.kindInWords)")
      }
    }
    try collect(json, "")
    let rules = PluralCategory.allCases.compactMap { category in
      texts.removeValue(forKey: "plurals.\(category)").map { (category, $0) }
    }
    guard let plurals = PluralRules(Dictionary(uniqueKeysWithValues: rules)) else {
      throw LanguageFault(language, "plurals", "must hold CLDR's rules, like `\"one\": \"i = 1 and v = 0\"`")
    }
    (self.language, self.texts, self.plurals) = (language, texts, plurals)
  }

  /// The text under a key. A test holds that every file has every key.
  subscript(key: String) -> String { texts[key] ?? "" }
}

/// What is wrong with the file of a language.
struct LanguageFault: Error, CustomStringConvertible {
  let description: String

  /// - Parameter key: or `nil` for the file as a whole.
  init(_ language: Language, _ key: String?, _ problem: String) {
    description = "Languages/\(language).json: \(key.map { "`\($0)` " } ?? "")\(problem)"
  }
}

/// The built-in languages.
package enum Languages {
  /// All of them, by their tags.
  package static let offered = EmbeddedFiles.paths(in: "Languages/").compactMap { Language(String($0.dropLast(5))) }

  static let english = read(.english)

  private static let files = Mutex([Language.english: english])

  /// The file of a language, or of the one that is closest to it. Each is read when it is first asked for.
  static func closest(to language: Language) -> LanguageFile? {
    guard let found = language.lookup(in: offered) else { return nil }
    return files.withLock { files in
      let file = files[found] ?? read(found)
      files[found] = file
      return file
    }
  }

  private static func read(_ language: Language) -> LanguageFile {
    do {
      return try LanguageFile(language, EmbeddedFiles.bytes(of: "Languages/\(language).json") ?? [])
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// What a language calls itself; the tag of one that is not built in.
  package static func name(of language: Language) -> String {
    offered.contains(language) ? closest(to: language)?["name"] ?? language.tag : language.tag
  }
}
