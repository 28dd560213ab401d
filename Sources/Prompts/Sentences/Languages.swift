internal import Base
internal import Synchronization

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
