/// A kind of rule: declares its arguments, judges an input and has a message.
///
/// Each kind is a type in this folder, and is listed once in `Rule.catalogue`.
protocol Condition: Sendable {
  /// The rule's name in definitions, JSON and verdicts.
  static var name: String { get }
  /// Its arguments, in the order in which they are written.
  static var arguments: [Argument<Self>] { get }

  /// Before its arguments are set.
  init()
  /// The fault of its arguments together, or `nil`.
  var faultOfArguments: FaultRow? { get }

  /// - Parameter rule: the rule that has this condition, and that fails if it is not met.
  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding

  /// At most what `judge` costs; see `WorkBudget`.
  func work(on size: InputSize) -> Int

  /// The message for a failure if the definition has none of its own: the sentence with the name of the rule, unless it
  /// depends on more.
  func sentence(for reader: Audience) -> Sentence

  /// The judge that decides it; `.server` if a browser could not, or not in bounded time.
  func decidedBy(on premise: Premise) -> DecidedBy

  /// The field, the time or the predicate that it depends on besides the text, or `nil`.
  var dependency: Dependency? { get }

  /// What is known of every input that meets it.
  var limits: Limits { get }

  /// This condition as JSON Schema, or `nil` if no schema gives the same verdict on every text.
  func schema(of texts: RawTextContext) -> JSON?

  /// The fault of this condition in this field, or `nil`. If it looks at another field, that field exists.
  func fault(in field: Field, of fields: [Field]) -> FaultRow?
}

extension Condition {
  static var arguments: [Argument<Self>] { [] }
  static var keys: [String] { arguments.map(\.name) }
  /// The argument that may be given without its key, or `nil` if the arguments are always a map.
  static var shorthand: String? { arguments.first(where: \.isShorthand)?.name }
  /// True if it makes no sense without arguments. If not, the rule may be a bare word, or have `true` as its value.
  static var needsArguments: Bool { arguments.contains { $0.needs != nil } || Self().faultOfArguments != nil }
  var faultOfArguments: FaultRow? { nil }
  /// Most rules look at each byte once or twice; the rest is the message of one that fails.
  func work(on size: InputSize) -> Int { 2_000 + 5 * size.bytes }
  func sentence(for reader: Audience) -> Sentence { Sentence(stringLiteral: Self.name) }
  func decidedBy(on premise: Premise) -> DecidedBy { .everywhere }
  var dependency: Dependency? { nil }
  var limits: Limits { Limits() }
  func schema(of texts: RawTextContext) -> JSON? { nil }
  func fault(in field: Field, of fields: [Field]) -> FaultRow? { nil }

  /// Writes the arguments as members of the rule's object.
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
  static var example: FaultRow { get }
  /// The fault of this minimum and maximum together, or `nil`.
  static func fault(_ min: Bound, _ max: Bound) -> FaultRow?
}

extension BoundedCondition {
  static var example: FaultRow { FaultRow("write-bounds", ["name": name]) }

  var faultOfArguments: FaultRow? { faultOfBounds }

  var faultOfBounds: FaultRow? {
    if min == nil, max == nil {
      return FaultRow("rule-needs", ["rule": Self.name, "what": "`min`, `max` or both", "remedy": Self.example])
    }
    guard let min, let max else { return nil }
    return Self.fault(min, max)
  }
}

extension BoundedCondition where Bound == Int {
  static func fault(_ min: Int, _ max: Int) -> FaultRow? {
    min > max ? FaultRow("swapped-bounds", ["min": String(min), "max": String(max)]) : nil
  }

  func contains(_ count: Int) -> Bool { count >= min ?? 0 && count <= max ?? .max }
}

/// A condition that only looks at the text.
protocol TextCondition: Condition {
  func isMet(by text: String) -> Bool
}

extension TextCondition {
  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    if case .text(let text) = input, isMet(by: text) { .met } else { .unmet(rule) }
  }
}
