internal import ArgumentParser
internal import Foundation
internal import OKCancel
internal import StrictJSON

/// An option's value from the command line, else from the environment, else a default.
///
/// A value that cannot be read is an error that names the option or variable; the default never takes its place.
struct Setting {
  /// The option without its dashes, `allow-origin`.
  let name: String

  init(_ name: String) { self.name = name }

  /// `allow-origin` → `OKCANCEL_ALLOW_ORIGIN`
  var variable: String { "OKCANCEL_" + name.uppercased().map { $0 == "-" ? "_" : $0 } }

  /// The text, or `nil` if it is not set. An empty variable counts as not set.
  func text(_ flag: String?) -> String? {
    if let flag { return flag }
    let value = Secrets[variable] ?? ProcessInfo.processInfo.environment[variable]
    return value?.isEmpty == false ? value : nil
  }

  /// The flags, or the variable's parts between commas.
  func list(_ flags: [String]) -> [String] {
    flags.isEmpty ? parts?.filter { !$0.isEmpty } ?? [] : flags
  }

  /// The variable's parts between commas, empty ones too. White space counts as not set.
  var parts: [String]? {
    guard let text = text(nil)?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    // By code points: a comma and a combining accent are one character.
    let parts = text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false)
    return parts.map { String($0).trimmingCharacters(in: .whitespaces) }
  }

  /// What `list` gives, read as values.
  func values<Value>(_ flags: [String], _ read: (String) -> Value?, _ remedy: String) throws -> [Value] {
    try list(flags).map { text in
      guard let value = read(text) else { throw wrong(text, flag: flags.first, remedy) }
      return value
    }
  }

  /// The flags, or the variable's lines: for values that have commas of their own.
  func lines(_ flags: [String]) -> [String] {
    flags.isEmpty ? text(nil).map { $0.split(whereSeparator: \.isNewline).map(String.init) } ?? [] : flags
  }

  /// Whether the flag is there, or the variable is `true`.
  func flag(_ isGiven: Bool) throws -> Bool {
    guard !isGiven, let text = text(nil) else { return isGiven }
    guard let flag = Bool(text) else { throw wrong(text, flag: nil, "give true or false") }
    return flag
  }

  /// A whole number within bounds.
  func number(_ flag: String?, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = text(flag) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw wrong(text, flag: flag, "give a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The address of a server, without a slash at its end.
  func url(_ flag: String?) throws -> String? {
    guard let text = text(flag) else { return nil }
    var url = text
    while url.hasSuffix("/") { url.removeLast() }
    guard Rule.url.isValid(url), url.cut(at: "?") == nil, url.cut(at: "#") == nil else {
      throw wrong(text, flag: flag, "give scheme and host, like https://ask.example.com")
    }
    return url
  }

  /// One of some words.
  func word<Word: RawRepresentable<String> & CaseIterable>(_ flag: String?, of: Word.Type = Word.self) throws -> Word? {
    guard let text = text(flag) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw wrong(text, flag: flag, "give one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  /// The error for a value that cannot be read.
  func wrong(_ value: String, flag: String?, _ remedy: String) -> ExitCode {
    fail(.usage, "\(flag == nil ? variable : "--" + name) cannot be “\(value)”; \(remedy)")
  }
}

extension Setting {
  /// A sentence for each variable with our prefix that is no option's: nothing reads it.
  static var unknownVariables: [String] {
    let given = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("OKCANCEL_") }
    guard let help = try? JSON(parsing: Array(OKCancelCommand._dumpHelp().utf8), limits: .file) else { return [] }
    let known = longNames(in: help).map { Setting($0).variable } + Secrets.variables
    return given.filter { !known.contains($0) }.sorted().map { name in
      let nearest = Nearest.nearest(to: name, among: known)
      return "there is no variable \(name); " + (nearest.map { "did you mean \($0)?" } ?? "nothing reads it")
    }
  }

  /// The long names of all options of all commands.
  private static func longNames(in help: JSON) -> [String] {
    switch help {
    case .array(let elements): return elements.flatMap(longNames)
    case .object(let members):
      if case .string("long")? = help["kind"], case .string(let name)? = help["name"] { return [name] }
      return members.flatMap { longNames(in: $0.value) }
    default: return []
    }
  }
}

/// Whose certificates a client of a server trusts.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "PEM file of the authorities whose certificates are trusted. (default: SSL_CERT_FILE, else the system's)",
      valueName: "file"))
  var cacert: String?

  func authorities() throws -> String? {
    let setting = Setting("cacert")
    guard let file = setting.text(cacert) else { return nil }
    guard FileManager.default.isReadableFile(atPath: file) else {
      throw setting.wrong(file, flag: cacert, "there is no such file, or this user may not read it")
    }
    return file
  }
}

extension String {
  /// What is before the first such code point and what is after it, or `nil` if there is none.
  ///
  /// By code points: a combining accent after it would hide it as a `Character`.
  func cut(at separator: Unicode.Scalar) -> (head: String, tail: String)? {
    guard let place = unicodeScalars.firstIndex(of: separator) else { return nil }
    return (String(unicodeScalars[..<place]), String(unicodeScalars[unicodeScalars.index(after: place)...]))
  }
}
