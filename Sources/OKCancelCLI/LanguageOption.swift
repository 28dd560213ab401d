internal import ArgumentParser
internal import Foundation
internal import OKCancel

/// The language in which to speak to the person on this command line.
struct LanguageOption: ParsableArguments {
  @Option(
    .language("person.language"), inWords: "\(Configuration().language); for the person LC_ALL, LC_MESSAGES or LANG")
  var language

  /// The option or its variable, else what the locale says (POSIX, section 8.2), as in `de_DE.UTF-8`; `nil` if it says
  /// none.
  func ofPerson() throws -> Language? {
    if let given = try language() { return given }
    let variables = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    let name = locale.prefix { $0 != "." && $0 != "@" }
    return name == "POSIX" ? nil : Language(String(name.replacing("_", with: "-")))
  }
}
