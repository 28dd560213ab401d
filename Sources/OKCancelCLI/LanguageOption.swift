internal import ArgumentParser
internal import Foundation
internal import OKCancel
internal import Prompts

/// In which language to speak to people.
struct LanguageOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The language of prompts that name none and, on this command line, of the person: a tag like de or pt-BR. (default: en; for the person LC_ALL, LC_MESSAGES or LANG)",
      valueName: "tag"))
  var language: String?

  /// The option or its variable, or `nil` if there is neither.
  func given() throws -> Language? {
    let setting = Setting("language")
    guard let text = setting.text(language) else { return nil }
    guard let language = Language(text) else {
      throw setting.wrong(text, flag: language, "give a language tag, like de or pt-BR")
    }
    return language
  }

  /// The same, or what the locale says (POSIX, section 8.2), as in `de_DE.UTF-8`; `nil` if it says none.
  func ofPerson() throws -> Language? {
    if let given = try given() { return given }
    let variables = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    let name = locale.prefix { $0 != "." && $0 != "@" }
    return name == "POSIX" ? nil : Language(String(name.replacing("_", with: "-")))
  }
}
