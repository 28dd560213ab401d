internal import Pattern
internal import StrictJSON

/// A kind of rule: declares its arguments, judges an input and has a message.
///
/// Each kind is a type in this folder, and is listed once in `Rule.catalogue`.
protocol Condition: Sendable {
  /// The rule's name in definitions, JSON and verdicts.
  static var name: String { get }
  /// Its arguments, in the order in which they are written.
  static var arguments: [Argument<Self>] { get }
  /// True if it makes no sense without arguments. If not, the rule may be a bare word, or have `true` as its value.
  static var needsArguments: Bool { get }
  /// True if it can judge the list of a `choices` or `list` field.
  static var judgesChoices: Bool { get }

  /// Before its arguments are set.
  init()
  /// The fault of its arguments together, or `nil`.
  var faultOfArguments: FaultReason? { get }

  /// - Parameter rule: the rule that has this condition, and that fails if it is not met.
  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding

  /// At most what `judge` costs; see `WorkBudget`.
  func work(on size: InputSize) -> Int

  /// Writes the arguments as members of the rule's object.
  func write(to json: inout JSONWriter, for reader: Audience)

  /// The message for a failure if the definition has none of its own: the sentence with the name of the rule, unless it
  /// depends on more.
  func sentence(for reader: Audience) -> Sentence

  /// The judge that decides it; `.server` if a browser could not, or not in bounded time.
  func decidedBy(on premise: Premise) -> DecidedBy

  /// Adds what is known of a text that meets it.
  func narrow(_ premise: inout Premise)

  /// The least and the most code points of a text that meets it.
  var lengths: (min: Int, max: Int) { get }

  /// A pattern that matches all texts that meet it, and maybe more; `nil` if none is known.
  var shape: PatternSyntax? { get }

  /// A pattern without assertions that only matches texts that meet it, and maybe not all of them; `nil` if none is known.
  var core: PatternSyntax? { get }

  /// This condition as JSON Schema, or `nil` if no schema gives the same verdict on every text.
  func schema(of texts: RawTextContext) -> JSON?

  /// The fault of this condition in this field, or `nil`. If it looks at another field, that field exists.
  func fault(in field: Field, of fields: [Field]) -> FaultReason?
}

extension Condition {
  static var arguments: [Argument<Self>] { [] }
  static var keys: [String] { arguments.map(\.name) }
  /// The argument that may be given without its key, or `nil` if the arguments are always a map.
  static var shorthand: String? { arguments.first(where: \.isShorthand)?.name }
  static var needsArguments: Bool { arguments.contains { $0.needs != nil } }
  static var judgesChoices: Bool { false }
  var faultOfArguments: FaultReason? { nil }
  /// Most rules look at each byte once or twice; the rest is the message of one that fails.
  func work(on size: InputSize) -> Int { 2_000 + 5 * size.bytes }
  func sentence(for reader: Audience) -> Sentence { Sentence(stringLiteral: Self.name) }
  func decidedBy(on premise: Premise) -> DecidedBy { .everywhere }
  func narrow(_ premise: inout Premise) {}
  var lengths: (min: Int, max: Int) { (0, .max) }
  var shape: PatternSyntax? { nil }
  var core: PatternSyntax? { nil }
  func schema(of texts: RawTextContext) -> JSON? { nil }
  func fault(in field: Field, of fields: [Field]) -> FaultReason? { nil }

  func write(to json: inout JSONWriter, for reader: Audience) {
    for argument in Self.arguments { argument.write(self, &json, reader) }
  }
}

// MARK: Reading

extension Condition {
  /// Reads the arguments; `nil` if a fault was reported.
  init?(_ arguments: Mapping, _ reading: inout Reading) {
    self.init()
    var isRead = true
    for argument in Self.arguments {
      if arguments[argument.name] != nil {
        isRead = argument.read(&self, arguments, &reading) && isRead
      } else if let fault = argument.faultIfMissing {
        reading.report(fault, at: arguments.place)
        isRead = false
      }
    }
    guard isRead else { return nil }
    guard let fault = faultOfArguments else { return }
    reading.report(fault, at: arguments.place)
    return nil
  }
}

/// A condition with a minimum, a maximum or both.
protocol BoundedCondition: Condition {
  associatedtype Bound
  var min: Bound? { get set }
  var max: Bound? { get set }
  static var example: String { get }
  /// The fault of this minimum and maximum together, or `nil`.
  static func fault(_ min: Bound, _ max: Bound) -> FaultReason?
}

extension BoundedCondition {
  static var needsArguments: Bool { true }
  static var example: String { "{min: 1, max: 20}" }

  init(min: Bound?, max: Bound?) {
    self.init()
    self.min = min
    self.max = max
  }

  var faultOfArguments: FaultReason? { faultOfBounds }

  var faultOfBounds: FaultReason? {
    if min == nil, max == nil {
      return .ruleNeeds(Self.name, "`min`, `max` or both", remedy: "write it like `\(Self.name): \(Self.example)`")
    }
    guard let min, let max else { return nil }
    return Self.fault(min, max)
  }
}

extension BoundedCondition where Bound == Int {
  static func fault(_ min: Int, _ max: Int) -> FaultReason? {
    min > max ? .swappedBounds(min: String(min), max: String(max)) : nil
  }

  func contains(_ count: Int) -> Bool { count >= min ?? 0 && count <= max ?? .max }
}

/// A condition that only looks at the text.
protocol TextCondition: Condition {
  func isMet(by text: String) -> Bool
}

extension TextCondition {
  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    if case .text(let text) = input, isMet(by: text) { .met } else { .unmet(rule) }
  }
}

/// A condition that depends on more than the text.
protocol DependentCondition: Condition {
  /// On what, or `nil` if its arguments ask for nothing more.
  var dependency: Dependency? { get }
}

/// The field, the time or the predicate that a condition depends on besides the text.
enum Dependency {
  /// Another field, of this name.
  case field(String)
  /// The time of the verdict, or a time zone.
  case time(isRelative: Bool, lacksZone: Bool)
  case predicate(String, reading: [String])

  /// The names of the fields that it looks at.
  var fields: [String] {
    switch self {
    case .field(let name): [name]
    case .predicate(_, let names): names
    case .time: []
    }
  }
}

extension Condition {
  var dependency: Dependency? { (self as? any DependentCondition)?.dependency }
}

/// Whom a rule is written for: in which language, for which field, after which other rules.
struct Audience: Sendable {
  let sentences: Sentences
  /// The field's kind, or `nil` if the rule is written for no field.
  var kind: Field.Kind?
  var fields: [Field] = []
  var premise = Premise()
  /// True if rules are written with their messages.
  var includesMessages = true
  /// True if it is written for its author, who only gets the author's own messages back.
  var isAuthor = false

  /// The same for a field.
  func about(_ field: Field) -> Audience {
    var reader = self
    reader.kind = field.kind
    return reader
  }

  /// The label of the field of that name.
  func label(of name: String) -> String { fields.named(name)?.label ?? name }
}

// MARK: Arguments

/// An argument of a rule: its name, how it is read into the rule's condition and how it is written.
///
/// The code that reads and writes rules goes through `Condition.arguments`, a condition's table of its arguments.
struct Argument<Rule: Condition>: Sendable {
  let name: String
  /// The fault if it is missing, such as `needs a list`; or `nil` if it is optional.
  var needs: (what: String, remedy: String)?
  /// True if it may be given without its key, as in `pattern: '…'`.
  var isShorthand = false
  /// Reads it from the arguments, if it is given, into the condition; or reports a fault and returns false.
  let read: @Sendable (inout Rule, Mapping, inout Reading) -> Bool
  let write: @Sendable (Rule, inout JSONWriter, Audience) -> Void

  var faultIfMissing: FaultReason? { needs.map { .ruleNeeds(Rule.name, $0.what, remedy: $0.remedy) } }
}

extension Argument {
  /// An argument that a property holds.
  ///
  /// - Parameter check: what is wrong with a value that could be read, or `nil`.
  init<Value: ArgumentValue>(
    _ name: String, _ path: any WritableKeyPath<Rule, Value> & Sendable, isShorthand: Bool = false,
    needs: (what: String, remedy: String)? = nil, check: @escaping @Sendable (Value) -> FaultReason? = { _ in nil }
  ) {
    self.init(
      name: name, needs: needs, isShorthand: isShorthand,
      read: { rule, arguments, reading in
        guard let node = arguments[name], let value = Value.read(node, name, &reading) else { return false }
        rule[keyPath: path] = value
        guard let fault = check(value) else { return true }
        reading.report(fault, at: node.place)
        return false
      }, write: { $0[keyPath: path].write(as: name, to: &$1, for: $2) })
  }
}

/// A value of an argument.
protocol ArgumentValue: SendableMetatype {
  /// Reads it; `nil` if a fault was reported.
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self?
  /// Writes it as a member, unless it is the default.
  func write(as key: String, to json: inout JSONWriter, for reader: Audience)
}

extension Optional: ArgumentValue where Wrapped: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? {
    Wrapped.read(node, key, &reading).map(Optional.some)
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) {
    self?.write(as: key, to: &json, for: reader)
  }
}

extension Bool: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Bool? { reading.bool(node, key) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { if self { json.member(key, true) } }
}

extension Int: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Int? { reading.count(node, key) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, self) }
}

extension String: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> String? { reading.string(node, key) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, self) }
}

extension Rule.Order: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? { reading.word(node, key) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, rawValue) }
}

extension Field.TimeZone: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? { reading.timeZone(node) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, word) }
}

extension ExactNumber: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? {
    guard let text = reading.string(node, key, orLiteral: true) else { return nil }
    return ExactNumber(text) ?? reading.refuse(.notANumber(text, key: key), at: node.place)
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, text) }
}

extension Quantity: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? {
    guard let text = reading.string(node, key, orLiteral: true) else { return nil }
    if let quantity = try? Quantity(text) { return quantity }
    return reading.refuse(
      RelativeBound.isMeant(by: text) ? .noMoment(text, key: key) : .noQuantity(text, key: key), at: node.place)
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, text) }
}
