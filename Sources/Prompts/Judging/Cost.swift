/// The size of an input, on which the work depends.
struct InputSize {
  /// 1, or how many options were chosen.
  var texts: Int
  /// Bytes of UTF-8, all texts together.
  var bytes: Int

  /// The costliest input of so many bytes: one text or, in a field of choices, as many as there are options, and in a
  /// list as many as it can have.
  init(bytes: Int, in field: Field) {
    texts = field.kind.isList ? min(bytes, field.kind == .list ? Field.itemLimit : field.options.count) : 1
    self.bytes = bytes
  }

  init(texts: Int, bytes: Int) { (self.texts, self.bytes) = (texts, bytes) }

  init(of input: Input) { (texts, bytes) = (input.texts.count, input.byteCount) }
}

/// The most that it costs to judge something, and the rule that costs the most of it.
package struct Cost: Sendable {
  package private(set) var work = 0
  /// The costliest rule; `nil` if there are no rules.
  package private(set) var mostExpensive: RuleCost?

  /// The cost of one rule.
  package struct RuleCost: Sendable {
    /// The name of its field; `nil` for rules that belong to no prompt.
    package let field: String?
    package let rule: Rule
    /// Its place among the rules of its list.
    package let index: Int
    package let work: Int
  }

  fileprivate init() {}

  /// The cost of judging an input of this size by these rules, up to the first rule that such an input cannot meet.
  fileprivate init(_ rules: [Rule], on size: InputSize, of field: String? = nil) {
    for (index, rule) in rules.enumerated() {
      let work = rule.condition.work(on: size)
      self.work += work
      if work > mostExpensive?.work ?? 0 {
        mostExpensive = RuleCost(field: field, rule: rule, index: index, work: work)
      }
      if rule.refuses(size) { return }
    }
  }

  /// The cost of a field that holds an input of this size.
  fileprivate init(_ field: Field, _ size: InputSize) {
    // Texts over the limit meet no rule at all.
    if field.kind.isList || size.bytes <= TextRule.limit {
      self = Cost(field.rules, on: size, of: field.name) + Cost(field.allow, on: size, of: field.name)
    }
    // What is read and normalised of each byte, whatever the rules.
    work += (field.kind == .list ? 250 : field.readsNumbers ? 60 : 10) * size.bytes + 1_000
    if field.kind == .choices { work += 100 * size.texts }
  }

  /// The cost of checking a condition whose field holds an input of this size.
  fileprivate init(_ when: When, on size: InputSize) {
    self = Cost(when.rules, on: size, of: when.field)
    work += 10 * size.bytes + 3_000
  }

  static func + (one: Cost, other: Cost) -> Cost {
    var sum = (one.mostExpensive?.work ?? 0) < (other.mostExpensive?.work ?? 0) ? other : one
    sum.work = one.work + other.work
    return sum
  }
}

extension Rule {
  /// True if no input of this size meets it, as `length` and `count` tell; a code point has at most four bytes.
  fileprivate func refuses(_ size: InputSize) -> Bool {
    switch name {
    case Length.name: size.bytes / 4 > condition.limits.lengths.max
    case Count.name: size.texts > condition.limits.counts.max
    default: false
    }
  }

  /// The rule in a sentence about its cost: its name, and a pattern as it is written.
  package var inWords: String {
    guard let pattern = condition.limits.pattern?.source else { return "the rule `\(name)`" }
    return "the pattern `\(pattern.unicodeScalars.count <= 80 ? pattern : String(pattern.prefix(80)) + "…")`"
  }
}

package extension Judge {
  /// The most that it costs to judge these inputs.
  ///
  /// - Parameter only: names of the fields to judge, or `nil` for all.
  func cost(of inputs: Inputs, for prompt: Prompt, only: [String]? = nil) -> Cost {
    // Sizes after trimming, as rules see them: a text that was too long when sent may no longer be.
    let fields = prompt.fields
    var judged = fields.indices.filter { only?.contains(fields[$0].name) ?? true }
    let sizes = fields.map { InputSize(of: inputs.normalized(for: $0)) }
    var cost = Cost()
    if prompt.hasConditions {
      cost = zip(fields, sizes).reduce(cost) { $0 + prompt.conditionCost(of: $1.0, $1.1) }
      // A field that does not apply costs nothing, however long its text, but finding that out must not block an event
      // loop.
      if cost.work <= WorkBudget.eventLoop.left {
        var applying = Applying(fields, inputs)
        judged = judged.filter { applying.applies($0) }
      }
    }
    return judged.reduce(cost) { $0 + Cost(fields[$1], sizes[$1]) }
  }

  /// The most that it costs to judge an input by rules that belong to no prompt.
  static func cost(of input: Input, by rules: [Rule]) -> Cost { Cost(rules, on: InputSize(of: input)) }
}

extension Prompt {
  /// The cost of the worst form: the longest texts in those fields that cost the most.
  package var worstCost: Cost {
    fields.map { worstCost(of: $0, $0.kind == .list ? TextRule.limitTogether : TextRule.limit) }
      .sorted { $0.work > $1.work }
      .prefix(TextRule.limitTogether / TextRule.limit).reduce(Cost(), +)
  }

  private var conditions: [When] { fields.flatMap(\.when) + buttons.flatMap(\.when) }

  /// The cost, for an input of this size, of the conditions that look at a field.
  fileprivate func conditionCost(of field: Field, _ size: InputSize) -> Cost {
    conditions.filter { isSame($0.field, field.name) }.reduce(Cost()) { $0 + Cost($1, on: size) }
  }

  /// The most that an input of this many bytes can cost in a field, with the conditions that look at the field.
  private func worstCost(of field: Field, _ bytes: Int) -> Cost {
    let size = InputSize(bytes: bytes, in: field)
    return Cost(field, size) + conditionCost(of: field, size)
  }

  /// Memory that its compiled patterns hold, with what RE2 remembers of the texts that they met.
  package var patternBytes: Int {
    (fields.flatMap(\.allRules) + conditions.flatMap(\.allRules))
      .reduce(0) { sum, rule in rule.name == PatternRule.name ? sum + 256 * 1024 : sum }
  }

  /// The number of bytes of texts that an event loop can judge at once, however they are spread over the fields.
  var bytesForEventLoop: Int {
    [16, 64, 256, 1024, 4096].last { bytes in
      fields.reduce(0) { $0 + worstCost(of: $1, bytes).work } <= WorkBudget.eventLoop.left
    } ?? 0
  }
}
