internal import ArgumentParser
internal import Foundation
internal import OKCancel

/// Files that replace the built-in ones.
struct FileOptions: ParsableArguments {
  @Option(.folder("templates")) var templates
  @Option(.folder("public")) var `public`

  func apply(to configuration: inout Configuration) throws {
    configuration.templates = try templates()
    configuration.public = try `public`()
  }
}

extension Setting<String?> {
  fileprivate static func folder(_ key: String) -> Setting {
    Setting(key, remedy: PlainError(row: "folder")) { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue ? path : nil
    }
  }
}

extension Setting<Language?> {
  static func language(_ key: String) -> Setting {
    Setting(key, remedy: PlainError(row: "language"), read: Language.init)
  }
}

extension Setting<Field.TimeZone?> {
  static var timeZone: Setting {
    Setting("time-zone", remedy: PlainError(row: "time-zone"), read: Field.TimeZone.init(known:))
  }
}

/// Whose certificates a client of a server trusts.
struct TrustOptions: ParsableArguments {
  @Option(
    Setting("cacert") { path throws(PlainError) in
      if FileManager.default.isReadableFile(atPath: path) { return path }
      throw FileManager.default.fileExists(atPath: path)
        ? PlainError(row: "readable-file") : PlainError(row: "missing-file")
    })
  var cacert
}

/// The language in which to speak to the person on this command line.
struct LanguageOption: ParsableArguments {
  @Option(
    .language("person.language"), inWords: "\(Configuration().language); for the person LC_ALL, LC_MESSAGES or LANG")
  var language

  /// The option or its variable, else that of the locale; `nil` if it says none.
  func ofPerson() throws -> Language? { try language() ?? Self.ofLocale() }

  /// The language that the locale says (POSIX, section 8.2), as in `de_DE.UTF-8`; `nil` if it says none.
  fileprivate static func ofLocale() -> Language? {
    let variables = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    let name = locale.prefix { $0 != "." && $0 != "@" }
    return name == "POSIX" ? nil : Language(String(name.replacing("_", with: "-")))
  }
}

/// The language of the person on this command line, who answers what others ask.
struct PersonLanguageOption: ParsableArguments {
  @Option(.language("answer.language"), inWords: "LC_ALL, LC_MESSAGES or LANG") var language

  /// As `LanguageOption.ofPerson`.
  func ofPerson() throws -> Language? { try language() ?? LanguageOption.ofLocale() }
}

/// Programs that decide `predicate` rules.
struct PredicateOptions: ParsableArguments {
  @Option(repeating: Setting("predicate", read: Self.command)) var predicate

  func commands() throws -> [String: CommandPredicate] { try predicate.byName() }

  private static func command(_ text: String) throws(PlainError) -> (name: String, value: CommandPredicate) {
    guard let (name, program) = text.cut(at: "="), !name.isEmpty, !program.isEmpty else {
      throw PlainError(row: "named-program")
    }
    let command = CommandPredicate(program: program)
    guard command.isRunnable else { throw PlainError(row: "not-runnable", ["program": program]) }
    return (name, command)
  }
}
