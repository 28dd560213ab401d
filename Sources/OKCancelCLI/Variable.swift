internal import ArgumentParser
internal import Foundation
internal import OKCancel
internal import Prompts

/// The environment variable of an option, `OKCANCEL_ALLOW_ORIGIN`.
struct Variable {
  /// `allow-origin` → `OKCANCEL_ALLOW_ORIGIN`
  let name: String

  /// - Parameter option: without its dashes.
  init(_ option: String) { name = "OKCANCEL_" + option.uppercased().replacing("-", with: "_") }

  /// Its text, or `nil` if it is not set, or empty.
  var text: String? {
    // Foundation would read all variables for each.
    let value = Secrets[name] ?? getenv(name).map { String(cString: $0) }
    return value?.isEmpty == false ? value : nil
  }

  /// The parts between commas, without empty ones.
  func list() -> [String] { parts?.filter { !$0.isEmpty } ?? [] }

  /// The API token that a command sends: the first of those in the variable, without its name and scopes; or `nil` if
  /// there is none.
  ///
  /// - Throws: if a server could not use them either.
  static func apiToken() throws(Failure) -> String? {
    guard let entries = Variable("api-token").parts else { return nil }
    if let fault = APITokenEntry.fault(in: entries, shortAreTaken: true) { throw Failure("tokens", ["why": fault]) }
    return entries.first.map { APITokenEntry($0).text }
  }

  /// The parts between commas, empty ones too. White space counts as not set.
  var parts: [String]? {
    guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    // By code points: a comma and a combining accent are one character.
    let parts = text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false)
    return parts.map { String($0).trimmingCharacters(in: .whitespaces) }
  }

  /// The lines: for values that have commas of their own.
  var lines: [String] { text.map { $0.split(whereSeparator: \.isNewline).map(String.init) } ?? [] }

  /// Options that have no variable, whichever command they belong to, and arguments.
  private static let optionsWithout = [
    "command", "id", "text", "from", "to", "install", "help", "version", "optional", "file", "files", "folder", "link",
    "name", "names", "values",
  ]

  /// A sentence for each variable with our prefix that is no option's: nothing reads it.
  static var unknown: [String] {
    let given = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("OKCANCEL_") }
    let options = Set(ArgumentHelp.options).subtracting(optionsWithout)
    let known = options.map { Variable($0).name } + ChildProcess.secrets
    return given.filter { !known.contains($0) }.sorted().map { name in
      let isOption = optionsWithout.contains { Variable($0).name == name }
      let nearest = isOption ? nil : Nearest.nearest(to: name, among: known)
      return "there is no variable \(name); " + (nearest.map { "did you mean \($0)?" } ?? "nothing reads it")
    }
  }

  /// The flags of the command whose variables are `true`, and what is wrong with the variables of others.
  static func flags() -> (flags: [String], faults: [Failure]) {
    var faults: [Failure] = []
    let flags = DeclaredOptions.flags.filter { name in
      guard let text = Variable(name).text else { return false }
      let isTrue = Bool(text)
      if isTrue == nil { faults.append(PlainError(row: "flag").failure(of: Variable(name).name, text)) }
      return isTrue == true && !OptionRule.isOverruled(name)
    }
    return (flags.map { "--" + $0 }, faults)
  }
}
