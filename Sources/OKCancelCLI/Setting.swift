internal import ArgumentParser
internal import Foundation
internal import OKCancel
internal import Prompts
internal import StrictJSON

/// An option with a value, said once: its variable follows from its name, and `Given` reads what it is given.
struct Setting<Value>: Sendable {
  /// The option without its dashes, `allow-origin`.
  let name: String
  fileprivate let help: String
  fileprivate let valueName: String
  fileprivate let read: @Sendable (String) throws(Remedy) -> Value

  init(
    _ name: String, _ help: String, _ valueName: String,
    read: @escaping @Sendable (String) throws(Remedy) -> Value
  ) {
    (self.name, self.help, self.valueName, self.read) = (name, help, valueName, read)
  }

  /// - Parameter remedy: what to give, for a value that cannot be read.
  init(
    _ name: String, _ help: String, _ valueName: String, remedy: String, read: @escaping @Sendable (String) -> Value?
  ) {
    self.init(name, help, valueName) { text throws(Remedy) in
      guard let value = read(text) else { throw Remedy(remedy) }
      return value
    }
  }
}

/// What to give instead of a value that cannot be read.
struct Remedy: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

extension Setting<String> {
  static func text(_ name: String, _ help: String, _ valueName: String) -> Setting {
    Setting(name, help, valueName) { $0 }
  }

  /// The address of a server, without a slash at its end.
  static func url(_ name: String, _ help: String) -> Setting {
    Setting(name, help, "url", remedy: "give scheme and host, like https://ask.example.com") { text in
      var url = text
      while url.hasSuffix("/") { url.removeLast() }
      return Rule.url.isValid(url) && url.cut(at: "?") == nil && url.cut(at: "#") == nil ? url : nil
    }
  }
}

extension Setting<Int> {
  /// A whole number within bounds.
  static func number(_ name: String, _ help: String, _ valueName: String, _ range: ClosedRange<Int>) -> Setting {
    let remedy = "give a whole number from \(range.lowerBound) to \(range.upperBound)"
    return Setting(name, help, valueName, remedy: remedy) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
  }
}

extension Setting where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
  /// One of some words.
  static func word(_ name: String, _ help: String, _ valueName: String) -> Setting {
    let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
    return Setting(name, help, valueName, remedy: "give one of \(words)") { Value(rawValue: $0) }
  }
}

/// A setting's value from the command line, else from its variable, else none.
///
/// A value that cannot be read is an error that names the option or variable; no default ever takes its place.
struct Given<Value>: Sendable, CustomStringConvertible {
  let setting: Setting<Value>
  /// What the command line says.
  let flag: String?

  /// Its default stands in the help.
  var description: String { "" }

  /// The text, or `nil` if it is not set.
  var text: String? { flag ?? Variable(setting.name).text }

  func callAsFunction() throws -> Value? {
    guard let text else { return nil }
    do throws(Remedy) { return try setting.read(text) } catch { throw wrong(error.text) }
  }

  /// The error for a value that cannot be used.
  func wrong(_ remedy: String) -> ExitCode { Variable(setting.name).wrong(text ?? "", flag: flag, remedy) }
}

extension Given<String> {
  /// A text is always read.
  var value: String? { text }
}

extension Option {
  init<Wanted>(_ setting: Setting<Wanted>, completion: CompletionKind? = nil) where Value == Given<Wanted> {
    self.init(
      wrappedValue: Given(setting: setting, flag: nil), name: .customLong(setting.name),
      help: ArgumentHelp("\(setting.help)", valueName: setting.valueName), completion: completion,
      transform: { Given(setting: setting, flag: $0) })
  }
}

/// An option that can be repeated: what the command line gives, else the parts of its variable between commas.
extension Array {
  func values<Value>() throws -> [Value] where Element == Given<Value> {
    var values: [Value] = []
    try each { values.append($0) }
    return values
  }

  /// The same for values by name, of which each is given once.
  func byName<Name: Hashable, Value>() throws -> [Name: Value] where Element == Given<(name: Name, value: Value)> {
    var named: [Name: Value] = [:]
    try each { pair throws(Remedy) in
      guard named.updateValue(pair.value, forKey: pair.name) == nil else {
        throw Remedy("“\(pair.name)” is given twice; keep one")
      }
    }
    return named
  }

  private func each<Value>(_ take: (Value) throws(Remedy) -> Void) throws where Element == Given<Value> {
    let (setting, flags) = (self[0].setting, compactMap(\.flag))
    for text in Variable(setting.name).list(flags) {
      do throws(Remedy) { try take(try setting.read(text)) } catch {
        throw Variable(setting.name).wrong(text, flag: flags.first, error.text)
      }
    }
  }
}

extension Option {
  init<Wanted>(repeating setting: Setting<Wanted>) where Value == [Given<Wanted>] {
    self.init(
      wrappedValue: [Given(setting: setting, flag: nil)], name: .customLong(setting.name),
      help: ArgumentHelp("\(setting.help)", valueName: setting.valueName),
      transform: { Given(setting: setting, flag: $0) })
  }
}

/// The environment variable of an option, `OKCANCEL_ALLOW_ORIGIN`.
struct Variable {
  /// The option without its dashes.
  private let option: String

  init(_ option: String) { self.option = option }

  /// `allow-origin` → `OKCANCEL_ALLOW_ORIGIN`
  var name: String { "OKCANCEL_" + option.uppercased().map { $0 == "-" ? "_" : $0 } }

  /// Its text, or `nil` if it is not set, or empty.
  var text: String? {
    let value = Secrets[name] ?? ProcessInfo.processInfo.environment[name]
    return value?.isEmpty == false ? value : nil
  }

  /// The flags, or the variable's parts between commas.
  func list(_ flags: [String] = []) -> [String] {
    flags.isEmpty ? parts?.filter { !$0.isEmpty } ?? [] : flags
  }

  /// The variable's parts between commas, empty ones too. White space counts as not set.
  var parts: [String]? {
    guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    // By code points: a comma and a combining accent are one character.
    let parts = text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false)
    return parts.map { String($0).trimmingCharacters(in: .whitespaces) }
  }

  /// The variable's lines: for values that have commas of their own.
  var lines: [String] { text.map { $0.split(whereSeparator: \.isNewline).map(String.init) } ?? [] }

  /// Whether the flag is there, or the variable is `true`.
  func flag(_ isGiven: Bool) throws -> Bool {
    guard !isGiven, let text else { return isGiven }
    guard let flag = Bool(text) else { throw wrong(text, flag: nil, "give true or false") }
    return flag
  }

  /// The error for a value that cannot be read.
  func wrong(_ value: String, flag: String?, _ remedy: String) -> ExitCode {
    fail(.usage, "\(flag == nil ? name : "--" + option) cannot be “\(value)”; \(remedy)")
  }
}

extension Variable {
  /// A sentence for each variable with our prefix that is no option's: nothing reads it.
  static var unknown: [String] {
    let given = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("OKCANCEL_") }
    guard let help = try? JSON(parsing: Array(OKCancelCommand._dumpHelp().utf8), limits: .file) else { return [] }
    let known = longNames(in: help).map { Variable($0).name } + Secrets.variables
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
    .text(
      "cacert",
      "PEM file of the authorities whose certificates are trusted. (default: SSL_CERT_FILE, else the system's)",
      "file"))
  var cacert

  func authorities() throws -> String? {
    guard let file = cacert.value else { return nil }
    guard FileManager.default.isReadableFile(atPath: file) else {
      throw cacert.wrong("there is no such file, or this user may not read it")
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
