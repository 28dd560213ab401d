internal import ArgumentParser
internal import Prompts

/// The options by which `ask` and `validate` print the results of several fields, so that nothing in a text can pass
/// for a name or for another field's text.
struct FieldOutput: ParsableArguments {
  enum Format: String, CaseIterable {
    case json
    /// Assignments for `eval` in any POSIX shell.
    case shell
    /// The same, with choices as arrays, for bash and zsh.
    case bash
    /// `name=text` and a NUL.
    case null
  }

  @Option(.word("format", of: Format.self)) var format
  @Option(.text("prefix")) var prefix
  @Flag("json") var json

  /// The format, or `nil` if none is asked for.
  ///
  /// - Throws: if the options contradict each other.
  func chosen() throws -> Format? {
    // What is typed wins over a variable.
    let given = try format()
    if json, let given, given != .json, !OptionRule.isOverruled("format") {
      throw Failure("two-formats", ["option": format.source, "format": given.rawValue])
    }
    let chosen = json ? .json : given
    if let prefix = prefix.text {
      let isUsed = chosen != nil && chosen != .json
      guard isUsed || self.prefix.flag == nil else { throw Failure("prefix-without-format") }
      guard ShellName.isOne(prefix) else { throw self.prefix.wrong(PlainError(row: "shell-name")) }
    }
    return chosen
  }

  /// Finds fields that cannot be variables of these names, before anybody is asked.
  ///
  /// - Throws: if there is one.
  func check(_ names: [String], for format: Format?) throws {
    guard let format, format != .json else { return }
    for name in names {
      guard ShellName.isOne(name) else { throw Failure("field-name", ["name": name]) }
      let variable = (prefix.text ?? "") + name
      if format != .null, ShellName.isShells(variable, isPrefixed: prefix.text != nil) {
        throw Failure("reserved", ["field": name, "variable": variable])
      }
    }
  }

  /// Prints each field's value.
  ///
  /// - Parameter format: not JSON.
  func print(_ fields: [(name: String, value: Value)], as format: Format) throws {
    var text = ""
    for (name, value) in fields {
      let name = (prefix.text ?? "") + name
      switch (format, value) {
      case (.null, .null): break
      case (.null, _): text += "\(name)=\(try Self.whole(value.scriptText))\0"
      // An earlier value of the same name must not pass for the answer.
      case (_, .null): text += "unset \(name)\n"
      default:
        if format == .bash, let choices = value.list {
          text += "\(name)=(\(try choices.map(Self.quoted).joined(separator: " ")))\n"
        } else {
          text += "\(name)=\(try Self.quoted(value.scriptText))\n"
        }
      }
    }
    try standardOutput(text, end: "")
  }

  /// The text, if it has no NUL: shells cannot keep one, and it would end a value in the format `null`. Only a server
  /// that is not OKCancel sends one.
  static func whole(_ text: String) throws -> String {
    guard !text.utf8.contains(0) else { throw Failure("nul") }
    return text
  }

  /// The text as one word of any POSIX shell. A single quote stands outside of quotes: between them, two in a row would
  /// be one to zsh with RC_QUOTES.
  static func quoted(_ text: String) throws -> String {
    let text = try whole(text)
    if text.isEmpty { return "''" }
    let runs = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return runs.map { $0.isEmpty ? "" : "'\(String($0))'" }.joined(separator: "\\'")
  }
}

extension Value {
  /// The value as a script reads it: choices as a JSON array, nothing for null.
  var scriptText: String {
    guard list != nil else { return description }
    var json = JSONWriter()
    json.value(self)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// Names of shell variables.
enum ShellName {
  /// True if a shell accepts it as a name (POSIX, Base Definitions 3.231).
  static func isOne(_ name: String) -> Bool {
    name.consists(of: "0-9A-Za-z_") && !ASCII.isDigit(name.utf8[name.startIndex])
  }

  /// True if a shell, or a program that it runs, gives the variable a meaning. POSIX leaves only names with a small
  /// letter to everybody (Base Definitions 8.1); with a prefix a script has chosen its own.
  static func isShells(_ name: String, isPrefixed: Bool) -> Bool {
    guard isOne(name) else { return true }
    if !isPrefixed, !name.utf8.contains(where: ASCII.isLower) { return true }
    return reserved.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  private static let file = "Sources/OKCancelCLI/shell-variables.txt"
  private static let reserved = Set(EmbeddedFiles.list("name", in: file))
  private static let prefixes = EmbeddedFiles.list("prefix", in: file)
}
