internal import Synchronization

/// A human language, by its tag (BCP 47).
package struct Language: Sendable, Hashable, CustomStringConvertible {
  /// The tag as it is usually written: `de`, `pt-BR`, `zh-Hans`.
  package let tag: String

  package static let english = Language(canonical: "en")

  private init(canonical tag: String) { self.tag = tag }

  /// As it was written in a program: the server checks it when the prompt is served.
  init(unchecked text: String) { self = Language(text) ?? Language(canonical: text) }

  /// Reads a language and, if they follow, its script, its region and its variants, in any case (RFC 5646, section
  /// 2.1, without extensions: the form that browsers take everywhere). `nil` for anything else.
  package init?(_ text: String) {
    guard text.utf8.count <= 35, Self.form.matches(text) else { return nil }
    let parts = text.lowercased().split(separator: "-").enumerated().map { index, part in
      switch part.utf8.count {
      case 2 where index > 0: part.uppercased()
      case 4 where index > 0: part.prefix(1).uppercased() + part.dropFirst()
      default: String(part)
      }
    }
    tag = parts.joined(separator: "-")
  }

  private static let form = try! Pattern(
    "(?:[A-Za-z]{2,3}|[A-Za-z]{5,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?"
      + "(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*")

  package var description: String { tag }

  /// The tag's first part: `pt` of `pt-BR`.
  var primary: Substring { tag.prefix { $0 != "-" } }

  /// True if it is written from right to left: by its script, or by the one that the language usually has.
  package var isRightToLeft: Bool {
    if let script = tag.split(separator: "-").dropFirst().first(where: { $0.utf8.count == 4 }) {
      return ["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Syrc", "Thaa"].contains(script)
    }
    return ["ar", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi"].contains(primary)
  }

  /// Finds the one of these languages that suits a person who wants this one (RFC 4647, section 3.4): the same tag, or
  /// the one that is left when this tag loses its subtags one by one from its end.
  ///
  /// Browsers name Chinese by region, and what is offered may have a region that what is wanted lacks: both are
  /// found too. Either kind of Norwegian stands for the other.
  package func lookup(in offered: [Language]) -> Language? {
    var range = Substring(tag)
    while true {
      // All of them are written in the usual case.
      if let found = offered.first(where: { $0.tag == range }) { return found }
      guard let end = range.lastIndex(of: "-") else { break }
      range = range[..<end]
    }
    return offered.first { $0.family == family && $0.script == script }
  }

  /// `nb` for Norwegian of any kind, or else `primary`.
  private var family: Substring { ["no", "nn"].contains(primary) ? "nb" : primary }

  /// The script of a Chinese tag, else that of its region; `nil` for any other language.
  private var script: String? {
    let parts = tag.split(separator: "-").map(String.init)
    guard primary == "zh" else { return nil }
    return parts.first { ["Hans", "Hant"].contains($0) }
      ?? (parts.contains { ["TW", "HK", "MO"].contains($0) } ? "Hant" : "Hans")
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
