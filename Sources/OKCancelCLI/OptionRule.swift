internal import Synchronization

/// The options that the running command declares, by their names without dashes.
///
/// ArgumentParser makes the declarations of no other command, unless it prints help.
enum DeclaredOptions {
  private static let declared = Mutex<(all: Set<String>, flags: [String])>(([], []))

  /// Options without a value, each once.
  static var flags: [String] { declared.withLock(\.flags) }

  static func contains(_ option: String) -> Bool { declared.withLock { $0.all.contains(option) } }
  static func add(_ option: String) { declared.withLock { _ = $0.all.insert(option) } }
  static func add(flag: String) { declared.withLock { if !$0.flags.contains(flag) { $0.flags.append(flag) } } }
}

/// Options of a command of which each needs another option, or excludes it.
struct OptionRule {
  enum Relation { case need, exclude }

  /// Without dashes.
  let options: [String]
  let relation: Relation
  let others: [String]
  /// True if variables do not count, which other commands have too.
  var isTyped = false
  /// The row of `failures.txt` about it, whose only fact is the option with its dashes, or its variable. Empty if what
  /// is wrong depends on more.
  var failure = ""

  static let ask = [
    OptionRule(["key"], .need, ["server"], isTyped: true, "key-alone"),
    OptionRule(["no-wait"], .need, ["server"], "no-wait-alone"),
    OptionRule(["open"], .exclude, ["no-wait"], "open-and-left"),
    OptionRule(["metadata"], .need, ["server"], "metadata-alone"),
    OptionRule(["for", "not-by", "requested-by"], .need, ["server"], "people-alone"),
    OptionRule(["notify"], .need, ["server"], "channels-alone"),
    OptionRule(["predicate", "templates", "public"], .exclude, ["server"], isTyped: true, "for-serve"),
    OptionRule(["cacert"], .need, ["server"], isTyped: true, "needs-server"),
    OptionRule(["terminal"], .exclude, ["open", "qr", "no-wait", "notify-command"], "terminal-and-link"),
  ]
  static let mcp = [
    OptionRule(["templates", "public"], .exclude, ["server"], isTyped: true, "for-serve"),
    OptionRule(["for"], .need, ["server"], isTyped: true, "people-alone"),
    OptionRule(["notify"], .need, ["server"], "channels-alone"),
    OptionRule(["cacert"], .need, ["server"], isTyped: true, "needs-server"),
  ]
  static let hook = [
    OptionRule(["notify", "for"], .need, ["server"], "needs-server"),
    OptionRule(["host"], .exclude, ["install"], isTyped: true, "host-twice"),
  ]
  static let serve = [OptionRule(["answers-from-anywhere"], .need, ["answers"], "anywhere-alone")]
  /// `FieldOutput` says what is wrong.
  static let output = [OptionRule(["json"], .exclude, ["format"])]

  private init(
    _ options: [String], _ relation: Relation, _ others: [String], isTyped: Bool = false, _ failure: String = ""
  ) {
    (self.options, self.relation, self.others) = (options, relation, others)
    (self.isTyped, self.failure) = (isTyped, failure)
  }

  /// Checks the options that are given against a command's rules.
  ///
  /// - Throws: the first that is broken.
  static func check(_ rules: [OptionRule]) throws(Failure) {
    for rule in rules {
      guard let option = rule.options.first(where: { isGiven($0, isTyped: rule.isTyped) }),
        rule.others.contains(where: { isGiven($0) }) == (rule.relation == .exclude)
      else { continue }
      let source = isTyped(option) ? "--" + option : Variable(option).name
      throw Failure(rule.failure, ["option": source])
    }
  }

  private static func isGiven(_ option: String, isTyped isOnlyTyped: Bool = false) -> Bool {
    if isTyped(option) { return true }
    let texts = Variable(option).list()
    guard !isOnlyTyped, !texts.isEmpty, !isOverruled(option) else { return false }
    return !DeclaredOptions.flags.contains(option) || texts == ["true"]
  }

  /// True if the option stands on the command line.
  private static func isTyped(_ option: String) -> Bool {
    CommandLine.arguments.prefix { $0 != "--" }.contains { $0 == "--\(option)" || $0.hasPrefix("--\(option)=") }
  }

  /// True if the option's variable does not count, because an option that contradicts it is typed. One of the two is a
  /// flag.
  static func isOverruled(_ option: String) -> Bool {
    if isTyped(option) { return false }
    return (ask + output).filter { $0.relation == .exclude }.contains { rule in
      let contradicting =
        rule.options.contains(option) ? rule.others : rule.others.contains(option) ? rule.options : []
      let flags = DeclaredOptions.flags
      return contradicting.contains { isTyped($0) && (flags.contains(option) || flags.contains($0)) }
    }
  }
}
