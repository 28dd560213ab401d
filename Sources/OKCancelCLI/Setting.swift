internal import Platform
internal import ArgumentParser
internal import OKCancel
internal import Prompts

/// An option with a value, said once: its variable, and its help with the default, follow from it.
///
/// A value that cannot be read is an error that names the option or variable; no default ever takes its place.
struct Setting<Value>: Sendable, CustomStringConvertible {
  /// Its name in `options.txt`, `mcp.port`.
  fileprivate let key: String
  fileprivate var isInLines = false
  /// The only texts that it can be, for completion; `nil` if there are others.
  private(set) var words: [String]?
  private var hasVariable = true
  /// The part of its text that an error may quote.
  private var quoted: @Sendable (String) -> String = { $0 }
  /// Reads what is given, or makes the default of `nil`.
  private let read: @Sendable (String?) throws(PlainError) -> Value
  /// The value on the command line, or one of several values of the variable, or `nil`.
  private var given: (text: String, isFlag: Bool)?

  /// An option without a default.
  init<Given>(_ key: String, read: @escaping @Sendable (String) throws(PlainError) -> Given) where Value == Given? {
    self.key = key
    self.read = { text throws(PlainError) in if let text { try read(text) } else { nil } }
  }

  /// - Parameter remedy: what to give, for a value that cannot be read.
  init<Given>(
    _ key: String, remedy: @autoclosure @escaping @Sendable () -> PlainError,
    read: @escaping @Sendable (String) -> Given?
  ) where Value == Given? {
    self.init(key) { text throws(PlainError) in
      guard let value = read(text) else { throw remedy() }
      return value
    }
  }

  /// The same option with a default.
  fileprivate init(_ setting: Setting<Value?>, default standard: Value) where Value: Sendable {
    (key, words) = (setting.key, setting.words)
    read = { text throws(PlainError) in try setting.read(text) ?? standard }
  }

  /// Its default stands in the help.
  var description: String { "" }

  /// The option without its dashes, `allow-origin`.
  var name: String { ArgumentHelp.name(of: key) }

  /// The value on the command line, or `nil`.
  var flag: String? { given?.isFlag == true ? given?.text : nil }

  /// The option's text, else its variable's, or `nil` if neither is set.
  var text: String? { given?.text ?? (hasVariable ? Variable(name).text : nil) }

  /// The name of the option, or of its variable if the option is not given.
  var source: String { flag == nil ? Variable(name).name : "--" + name }

  /// The same option for a command that is not meant by the variable, which others have for something else.
  var withoutVariable: Setting {
    var copy = self
    copy.hasVariable = false
    return copy
  }

  /// The same option whose errors quote only a part of its text, since the rest can be a secret.
  func quoting(_ quoted: @escaping @Sendable (String) -> String) -> Setting {
    var copy = self
    copy.quoted = quoted
    return copy
  }

  /// Its value. While faults are collected, the default stands in for a wrong one.
  func callAsFunction() throws(Failure) -> Value {
    do { return try read(text) } catch {
      guard let faults = Failure.Collected.current, let standard = try? read(nil) else { throw wrong(error) }
      faults.add(wrong(error))
      return standard
    }
  }

  /// The error that its value cannot be used.
  func wrong(_ remedy: PlainError) -> Failure { remedy.failure(of: source, quoted(text ?? "")) }

  fileprivate func with(_ text: String, isFlag: Bool) -> Setting {
    var copy = self
    copy.given = (text, isFlag)
    return copy
  }
}

extension Setting<String?> {
  static func text(_ key: String) -> Setting { Setting(key) { $0 } }

  /// The id of a person, or an entry of `for` and `notBy`.
  ///
  /// - Parameter read: what it is read as.
  static func id<Read>(_ key: String, read: @escaping @Sendable (String) throws(IDFault) -> Read) -> Setting {
    Setting(key) { text throws(PlainError) in
      do throws(IDFault) { _ = try read(text) } catch {
        throw PlainError("it \(error.what); \(error.remedy(in: key))")
      }
      return text
    }
  }

  /// The address of a server, without a slash at its end.
  static func url(_ key: String) -> Setting { Setting(key, remedy: PlainError(row: "url"), read: url(in:)) }

  /// The same, by a name as browsers send it.
  static func urlForBrowsers(_ key: String) -> Setting {
    Setting(key, remedy: PlainError(row: "url-for-browsers")) { text in
      url(in: text).flatMap { HostNames.canBeSent(HostNames.authority(of: $0)) ? $0 : nil }
    }
  }

  private static func url(in text: String) -> String? {
    var url = text
    while url.hasSuffix("/") { url.removeLast() }
    return Rule.url.isValid(url) && url.cut(at: "?") == nil && url.cut(at: "#") == nil ? url : nil
  }
}

extension Setting<Int?> {
  /// A whole number within bounds.
  static func number(_ key: String, _ range: ClosedRange<Int>, of unit: String? = nil) -> Setting {
    Setting(
      key,
      remedy: unit.map { PlainError(row: "number-of", ["unit": $0, "min": range.lowerBound, "max": range.upperBound]) }
        ?? PlainError(row: "number", ["min": range.lowerBound, "max": range.upperBound])
    ) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
  }
}

extension Setting {
  /// One of some words.
  static func word<Word>(_ key: String, of _: Word.Type) -> Setting
  where Value == Word?, Word: RawRepresentable<String> & CaseIterable & SendableMetatype {
    let words = Word.allCases.map(\.rawValue)
    var setting = Setting(key, remedy: .oneOf(words)) { Word(rawValue: $0) }
    setting.words = words
    return setting
  }
}

extension Option {
  /// - Parameter standard: what it is if it is not given, in words.
  init<Given>(_ setting: Setting<Given>, inWords standard: String? = nil) where Value == Setting<Given> {
    let help = ArgumentHelp.of(setting.key, default: standard)
    self.init(
      wrappedValue: setting, name: .customLong(setting.name), help: help,
      completion: setting.words.map { .list($0) } ?? help.completion,
      transform: { setting.with($0, isFlag: true) })
  }

  /// - Parameter standard: what it is if it is not given; the help says so.
  init<Given: Sendable>(_ setting: Setting<Given?>, default standard: Given) where Value == Setting<Given> {
    self.init(Setting(setting, default: standard), inWords: "\(standard)")
  }

  /// - Parameter isInLines: whether its variable separates values by line breaks, as they can contain commas.
  init<Given>(repeating setting: Setting<Given?>, isInLines: Bool = false, inWords standard: String? = nil)
  where Value == [Setting<Given?>] {
    var setting = setting
    setting.isInLines = isInLines
    let help = ArgumentHelp.of(setting.key, default: standard)
    self.init(
      wrappedValue: [setting], name: .customLong(setting.name), help: help, completion: help.completion,
      transform: { [setting] in setting.with($0, isFlag: true) })
  }
}

extension Flag<Bool> {
  /// A flag; if it is not given, its variable counts (`Variable.flags`).
  init(_ key: String) {
    DeclaredOptions.add(flag: ArgumentHelp.name(of: key))
    self.init(wrappedValue: false, help: .of(key))
  }
}

/// An option that can be repeated: what the command line gives, else the parts of its variable between commas.
extension Array {
  func given<Value>() -> [Setting<Value>] where Element == Setting<Value> {
    let flags = filter { $0.flag != nil }
    let variable = Variable(self[0].name)
    let texts = { self[0].isInLines ? variable.lines : variable.list() }
    return flags.isEmpty ? texts().map { self[0].with($0, isFlag: false) } : flags
  }

  /// True if there is a value, even one that cannot be read.
  func areGiven<Value>() -> Bool where Element == Setting<Value> { !given().isEmpty }

  func values<Value>() throws -> [Value] where Element == Setting<Value?> { try given().compactMap { try $0() } }

  /// The same for values by name, of which each is given once.
  func byName<Name: Hashable, Value>() throws -> [Name: Value] where Element == Setting<(name: Name, value: Value)?> {
    var named: [Name: Value] = [:]
    for setting in given() {
      if let (name, value) = try setting(), named.updateValue(value, forKey: name) != nil {
        try setting.wrong(PlainError(row: "given-twice", ["name": "\(name)"])).collect()
      }
    }
    return named
  }
}

extension [Setting<String?>] {
  var texts: [String] { given().compactMap(\.text) }
}

extension String {
  /// The parts before and after the first such code point, or `nil` if there is none.
  ///
  /// By code points: a combining accent after it would hide it as a `Character`.
  func cut(at separator: Unicode.Scalar) -> (head: String, tail: String)? {
    guard let place = unicodeScalars.firstIndex(of: separator) else { return nil }
    return (String(unicodeScalars[..<place]), String(unicodeScalars[unicodeScalars.index(after: place)...]))
  }
}
