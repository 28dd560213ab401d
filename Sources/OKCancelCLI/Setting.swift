internal import ArgumentParser
internal import Foundation
internal import OKCancel

/// An option with a value, said once: its variable follows from its name.
///
/// A value that cannot be read is an error that names the option or variable; no default ever takes its place.
struct Setting<Value>: Sendable, CustomStringConvertible {
  /// The option without its dashes, `allow-origin`.
  let name: String
  /// What the help calls the value.
  fileprivate let valueName: String
  /// Whether several values in its variable are separated by line breaks instead of commas, since values can contain
  /// commas.
  fileprivate var isInLines = false
  private let read: @Sendable (String) throws(Remedy) -> Value
  /// What the command line gives, or one of several values of the variable, or `nil`.
  private var given: (text: String, isFlag: Bool)?

  init(_ name: String, _ valueName: String, read: @escaping @Sendable (String) throws(Remedy) -> Value) {
    (self.name, self.valueName, self.read) = (name, valueName, read)
  }

  /// - Parameter remedy: what to give, for a value that cannot be read.
  init(_ name: String, _ valueName: String, remedy: String, read: @escaping @Sendable (String) -> Value?) {
    self.init(name, valueName) { text throws(Remedy) in
      guard let value = read(text) else { throw Remedy(text: remedy) }
      return value
    }
  }

  /// Its default stands in the help.
  var description: String { "" }

  /// How a shell completes it.
  fileprivate var completion: CompletionKind? { ["file": .file(), "dir": .directory][valueName] }

  /// What the command line gives, or `nil`.
  var flag: String? { given?.isFlag == true ? given?.text : nil }

  /// The option's text, else its variable's, or `nil` if neither is set.
  var text: String? { given?.text ?? Variable(name).text }

  /// The name of the option, or of its variable if the option is not given.
  var source: String { flag == nil ? Variable(name).name : "--" + name }

  func callAsFunction() throws(Failure) -> Value? {
    guard let text else { return nil }
    do { return try read(text) } catch { throw wrong(error.text) }
  }

  /// The error that its value cannot be used.
  func wrong(_ remedy: String) -> Failure { .value(text ?? "", of: source, remedy) }

  fileprivate func with(_ text: String, isFlag: Bool) -> Setting {
    var copy = self
    copy.given = (text, isFlag)
    return copy
  }
}

/// What to give instead of a value that cannot be read.
struct Remedy: Error { let text: String }

extension Setting<String> {
  static func text(_ name: String, _ valueName: String) -> Setting { Setting(name, valueName) { $0 } }

  /// The same, where several values of its variable stand in lines.
  static func line(_ name: String, _ valueName: String) -> Setting {
    var setting = text(name, valueName)
    setting.isInLines = true
    return setting
  }

  /// The address of a server, without a slash at its end.
  static func url(_ name: String) -> Setting {
    Setting(name, "url", remedy: "give scheme and host, like https://ask.example.com") { text in
      var url = text
      while url.hasSuffix("/") { url.removeLast() }
      return Rule.url.isValid(url) && url.cut(at: "?") == nil && url.cut(at: "#") == nil ? url : nil
    }
  }
}

extension Setting<Int> {
  /// A whole number within bounds.
  static func number(_ name: String, _ valueName: String, _ range: ClosedRange<Int>) -> Setting {
    let remedy = "give a whole number from \(range.lowerBound) to \(range.upperBound)"
    return Setting(name, valueName, remedy: remedy) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
  }
}

extension Setting where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
  /// One of some words.
  static func word(_ name: String, _ valueName: String, of _: Value.Type) -> Setting {
    let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
    return Setting(name, valueName, remedy: "give one of \(words)") { Value(rawValue: $0) }
  }
}

extension Option {
  init<Wanted>(_ help: String, _ setting: Setting<Wanted>) where Value == Setting<Wanted> {
    self.init(
      wrappedValue: setting, name: .customLong(setting.name),
      help: ArgumentHelp(help, valueName: setting.valueName), completion: setting.completion,
      transform: { setting.with($0, isFlag: true) })
  }

  init<Wanted>(_ help: String, repeating setting: Setting<Wanted>) where Value == [Setting<Wanted>] {
    self.init(
      wrappedValue: [setting], name: .customLong(setting.name),
      help: ArgumentHelp(help, valueName: setting.valueName), completion: setting.completion,
      transform: { setting.with($0, isFlag: true) })
  }
}

/// An option that can be repeated: what the command line gives, else the parts of its variable between commas.
extension Array {
  fileprivate func given<Value>() -> [Setting<Value>] where Element == Setting<Value> {
    let flags = filter { $0.flag != nil }
    let variable = Variable(self[0].name)
    let texts = { self[0].isInLines ? variable.lines : variable.list() }
    return flags.isEmpty ? texts().map { self[0].with($0, isFlag: false) } : flags
  }

  func values<Value>() throws -> [Value] where Element == Setting<Value> { try given().compactMap { try $0() } }

  /// The same for values by name, of which each is given once.
  func byName<Name: Hashable, Value>() throws -> [Name: Value] where Element == Setting<(name: Name, value: Value)> {
    var named: [Name: Value] = [:]
    for setting in given() {
      if let (name, value) = try setting(), named.updateValue(value, forKey: name) != nil {
        throw setting.wrong("“\(name)” is given twice; keep one")
      }
    }
    return named
  }
}

extension [Setting<String>] {
  var texts: [String] { given().compactMap(\.text) }
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

/// The environment variable of an option, `OKCANCEL_ALLOW_ORIGIN`.
struct Variable {
  /// `allow-origin` → `OKCANCEL_ALLOW_ORIGIN`
  let name: String

  /// - Parameter option: without its dashes.
  init(_ option: String) { name = "OKCANCEL_" + option.uppercased().replacing("-", with: "_") }

  /// Its text, or `nil` if it is not set, or empty.
  var text: String? {
    let value = Secrets[name] ?? ProcessInfo.processInfo.environment[name]
    return value?.isEmpty == false ? value : nil
  }

  /// The parts between commas, without empty ones.
  func list() -> [String] { parts?.filter { !$0.isEmpty } ?? [] }

  /// The parts between commas, empty ones too. White space counts as not set.
  var parts: [String]? {
    guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    // By code points: a comma and a combining accent are one character.
    let parts = text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false)
    return parts.map { String($0).trimmingCharacters(in: .whitespaces) }
  }

  /// The lines: for values that have commas of their own.
  var lines: [String] { text.map { $0.split(whereSeparator: \.isNewline).map(String.init) } ?? [] }

  /// Whether the flag is there, or the variable is `true`.
  func flag(_ isGiven: Bool) throws(Failure) -> Bool {
    guard !isGiven, let text else { return isGiven }
    guard let flag = Bool(text) else { throw .value(text, of: name, "give true or false") }
    return flag
  }

  /// A sentence for each variable with our prefix that is no option's: nothing reads it.
  static var unknown: [String] {
    let given = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("OKCANCEL_") }
    let help = OKCancelCommand.configuration.subcommands.map { OKCancelCommand.helpMessage(for: $0) }.joined()
    let known = help.matches(of: #/--([a-z-]+)/#).map { Variable(String($0.1)).name } + Secrets.variables
    return given.filter { !known.contains($0) }.sorted().map { name in
      let nearest = Nearest.nearest(to: name, among: known)
      return "there is no variable \(name); " + (nearest.map { "did you mean \($0)?" } ?? "nothing reads it")
    }
  }
}
