internal import Platform

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
  init(_ language: Language, _ bytes: [UInt8]) throws(PlainError) {
    let json: JSON
    do {
      json = try JSON(parsing: bytes, limits: .file)
    } catch {
      throw Self.fault(language, nil, "is not valid JSON: \(error)")
    }
    var texts: [String: String] = [:]
    func collect(_ json: JSON, _ key: String) throws(PlainError) {
      switch json {
      case .string(let text): texts[key] = text
      case .object(let members):
        for member in members { try collect(member.value, key.isEmpty ? member.key : "\(key).\(member.key)") }
      default: throw Self.fault(language, key, "must be a string, not \(json.kindInWords)")
      }
    }
    try collect(json, "")
    texts["$comment"] = nil
    let rules = PluralCategory.allCases.compactMap { category in
      texts.removeValue(forKey: "plurals.\(category.rawValue)").map { (category, $0) }
    }
    guard let plurals = PluralRules(Dictionary(uniqueKeysWithValues: rules)) else {
      throw Self.fault(language, "plurals", "must hold CLDR's rules, like `\"one\": \"i = 1 and v = 0\"`")
    }
    self.language = language
    self.texts = texts.mapValues(Text.init)
    self.plurals = plurals
    isRightToLeft = language.isRightToLeft
  }

  /// - Parameter key: or `nil` for the file as a whole.
  private static func fault(_ language: Language, _ key: String?, _ problem: String) -> PlainError {
    PlainError("Languages/\(language).json: \(key.map { "`\($0)` " } ?? "")\(problem)")
  }

  /// The text under a key. A test holds that every file has every key.
  subscript(key: String) -> String { text(key).whole }

  func text(_ key: String) -> Text { texts[key] ?? Text("") }

  /// A value in a sentence. From right to left it keeps its own direction: 2025-01-31 would otherwise read 31-01-2025
  /// (Unicode, UAX 9, section 2.3).
  func isolated(_ value: String) -> String { isRightToLeft ? "\u{2068}\(value)\u{2069}" : value }

  /// The same file with examples in their places. What stands in brackets is left out of the sentence for pickers.
  var withExamples: LanguageFile {
    var file = self
    for (key, example) in Sentence.examples {
      let pieces = self[key].split { $0 == "[" || $0 == "]" }
      if pieces.count > 1 { file.texts["\(key).picked"] = Text(String(pieces[0])) }
      file.texts[key] = Text(pieces.joined().replacing("{example}", with: isolated(example)))
    }
    return file
  }
}
