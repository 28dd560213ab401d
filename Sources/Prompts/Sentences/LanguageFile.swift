internal import Base
internal import StrictJSON
internal import Synchronization

/// A built-in language: what `Languages/de.json` holds.
struct LanguageFile: Sendable {
  let language: Language
  /// By their keys, with dots between those of objects inside objects: `length.atLeast.one`.
  private(set) var texts: [String: Text]
  let plurals: PluralRules
  private let isRightToLeft: Bool

  /// A text, taken apart at the places `{name}` where values go.
  struct Text {
    let whole: String
    /// Each stretch of it and the place that follows; none follows the last.
    let parts: [(text: String, place: String?)]

    init(_ text: String) {
      var (parts, rest) = ([(String, String?)](), text[...])
      while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
        let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "}"))
      {
        parts.append((String(rest[..<start]), String(rest[rest.utf8.index(after: start)..<end])))
        rest = rest[rest.utf8.index(after: end)...]
      }
      whole = text
      self.parts = parts + [(String(rest), nil)]
    }
  }

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
      default: throw LanguageFault(language, key, "must be a string, not \(json.kindInWords)")
      }
    }
    try collect(json, "")
    texts["$comment"] = nil
    let rules = PluralCategory.allCases.compactMap { category in
      texts.removeValue(forKey: "plurals.\(category)").map { (category, $0) }
    }
    guard let plurals = PluralRules(Dictionary(uniqueKeysWithValues: rules)) else {
      throw LanguageFault(language, "plurals", "must hold CLDR's rules, like `\"one\": \"i = 1 and v = 0\"`")
    }
    self.language = language
    self.texts = texts.mapValues(Text.init)
    self.plurals = plurals
    isRightToLeft = language.isRightToLeft
  }

  /// The text under a key. A test holds that every file has every key.
  subscript(key: String) -> String { text(key).whole }

  func text(_ key: String) -> Text { texts[key] ?? Text("") }

  /// A value in a sentence. From right to left it keeps its own direction: 2025-01-31 would otherwise read 31-01-2025
  /// (Unicode, UAX 9, section 2.3).
  func isolated(_ value: String) -> String { isRightToLeft ? "\u{2068}\(value)\u{2069}" : value }

  /// The same file with examples in their places. What stands in brackets is left out of the sentence for pickers.
  fileprivate var withExamples: LanguageFile {
    var file = self
    for (key, example) in Sentence.examples {
      let pieces = self[key].split(separator: /[\[\]]/)
      if pieces.count > 1 { file.texts["\(key).picked"] = Text(String(pieces[0])) }
      file.texts[key] = Text(pieces.joined().replacing("{example}", with: isolated(example)))
    }
    return file
  }
}

/// A fault in the file of a language.
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
  package static let offered = EmbeddedFiles.paths(in: folder).compactMap { Language(String($0.dropLast(5))) }

  private static let folder = "Sources/Prompts/Languages/"

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
      return try LanguageFile(language, EmbeddedFiles.bytes(of: folder + "\(language).json")).withExamples
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The name of a language in that language; the tag of one that is not built in.
  package static func name(of language: Language) -> String {
    offered.contains(language) ? closest(to: language)?["name"] ?? language.tag : language.tag
  }
}

// MARK: Plural forms

/// CLDR's names of plural categories, as `Intl.PluralRules` has them.
package enum PluralCategory: String, Sendable, CaseIterable {
  case zero, one, two, few, many, other
}

/// The rules that CLDR publishes for a language, by which a whole number chooses the form of a sentence.
///
/// Unicode TS 35, part 3, section 5.1, without samples: `i % 10 = 2..4 and i % 100 != 12..14 or …`.
struct PluralRules: Sendable {
  /// One comparison of a rule, of a remainder.
  private struct Relation: Sendable {
    let divisor: Int
    let isEqual: Bool
    let values: [ClosedRange<Int>]

    /// `nil` if the text does not have the form `i % 10 != 2..4,9`.
    init?(_ text: Substring) {
      var words = text.split(separator: " ")
      let hasDivisor = words.count == 5 && words[1] == "%", divisor = hasDivisor ? Int(words[2]) : .max
      if hasDivisor { words.removeSubrange(1...2) }
      guard let divisor, divisor > 0, words.count == 3, ["=", "!="].contains(words[1]),
        ["n", "i", "v", "w", "f", "t", "e", "c"].contains(words[0])
      else { return nil }
      // The operands for decimals and exponents are 0 here.
      self.divisor = ["n", "i"].contains(words[0]) ? divisor : 1
      isEqual = words[1] == "="
      values = words[2].split(separator: ",").compactMap { range in
        let bounds = range.split(separator: ".").compactMap { Int($0) }
        guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
        return first...last
      }
      if values.isEmpty { return nil }
    }

    func holds(for number: Int) -> Bool { values.contains { $0.contains(number % divisor) } == isEqual }
  }

  /// Each category's rule: of these lists, one must hold as a whole.
  private let rules: [(category: PluralCategory, alternatives: [[Relation]])]

  /// - Parameter rules: those of every category but `other`.
  /// - Returns: `nil` if one of them cannot be read.
  init?(_ rules: [PluralCategory: String]) {
    var read: [(PluralCategory, [[Relation]])] = []
    for (category, rule) in rules {
      let texts = rule.split(separator: " or ").map { $0.split(separator: " and ") }
      let alternatives = texts.map { $0.compactMap { Relation($0) } }
      guard !texts.isEmpty, alternatives.map(\.count) == texts.map(\.count) else { return nil }
      read.append((category, alternatives))
    }
    self.rules = read
  }

  /// The category of a number that is not negative.
  func category(of number: Int) -> PluralCategory {
    rules.first { rule in
      rule.alternatives.contains { $0.allSatisfy { $0.holds(for: number) } }
    }?.category ?? .other
  }
}
