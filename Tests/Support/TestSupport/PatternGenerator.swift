/// A pattern with texts to judge by it.
package struct PatternSample: Codable, Hashable, Sendable {
  package var pattern: String
  package var ignoreCase: Bool
  package var texts: [String]

  package init(pattern: String, ignoreCase: Bool, texts: [String]) {
    self.pattern = pattern
    self.ignoreCase = ignoreCase
    self.texts = texts
  }
}

/// Makes random patterns, and for each of them texts that match it or nearly do.
///
/// It writes patterns from trees of its own and knows nothing of the parser that it tests.
package struct PatternGenerator {
  private var random: SeededGenerator

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A sample with up to `textCount` different texts, short enough for a backtracking engine: of at most 20 code points,
  /// and 8 where repetitions are nested.
  package mutating func sample(textCount: Int = 8) -> PatternSample {
    let ignoreCase = chance(0.5)
    var shape = shape(depth: Int.random(in: 0...3, using: &random))
    if chance(0.1) { shape = .sequence([.raw("^"), shape]) }
    if chance(0.1) { shape = .sequence([shape, .raw("$")]) }
    let length = shape.nesting > 1 ? 8 : 20
    var texts: Set<String> = [""]
    for _ in 0..<(textCount * 2) where texts.count < textCount {
      var text = Array(self.text(of: shape, ignoreCase: ignoreCase).prefix(length))
      if chance(0.5) { mutate(&text) }
      texts.insert(string(text))
    }
    return PatternSample(pattern: shape.source, ignoreCase: ignoreCase, texts: texts.sorted())
  }

  /// A pattern with a few of its characters replaced, dropped or put in: often no pattern at all. It comes without texts.
  package mutating func damagedPattern() -> PatternSample {
    var sample = sample(textCount: 1)
    sample.texts = []
    var source = Array(sample.pattern.unicodeScalars)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let position = Int.random(in: 0...source.count, using: &random)
      let piece = Array(pick(Self.pieces).unicodeScalars)
      switch Int.random(in: 0...2, using: &random) {
      case 0: source.insert(contentsOf: piece, at: position)
      case 1 where position < source.count: source.remove(at: position)
      default: source.replaceSubrange(position..<min(position + 1, source.count), with: piece)
      }
    }
    sample.pattern = string(source)
    return sample
  }

  private static let pieces = [
    "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", "-", "\\", ".", "(?", "(?<", "(?:", "(?<a>", "(?<=",
    "(?!",
    "(?i:", "{2}", "{2,1}", "{,2}", "{1001}", "\\b", "\\B", "\\d", "\\1", "\\k", "\\u", "\\u{", "\\ud83d", "\\ude00",
    "\\x4",
    "\\c", "\\cA", "\\0", "\\-", "\\/", "\\_", "\\p{L}", "\\p", "\\P{Lu", "0", "9", "a", "z", "é", "😀", ",", "<", ">",
    "=",
    "!", ":",
  ]

  // MARK: Shapes

  private indirect enum Shape {
    /// Written as it is; matches the empty text.
    case raw(String)
    case member(source: String, members: [UInt32], isNegated: Bool)
    case sequence([Shape])
    case choice([Shape])
    case group(String, Shape)
    case repetition(Shape, quantifier: String, counts: ClosedRange<Int>)

    var source: String {
      switch self {
      case .raw(let source): source
      case .member(let source, _, _): source
      case .sequence(let parts): parts.map(\.source).joined()
      case .choice(let choices): choices.map(\.source).joined(separator: "|")
      case .group(let opening, let body): opening + body.source + ")"
      case .repetition(let body, let quantifier, _): body.source + quantifier
      }
    }

    /// How many repetitions stand within each other.
    var nesting: Int {
      switch self {
      case .raw, .member: 0
      case .sequence(let parts), .choice(let parts): parts.map(\.nesting).max() ?? 0
      case .group(_, let body): body.nesting
      case .repetition(let body, _, _): body.nesting + 1
      }
    }
  }

  private mutating func shape(depth: Int) -> Shape {
    guard depth > 0 else { return atom() }
    switch Int.random(in: 0...9, using: &random) {
    case 0...3:
      return .sequence((0..<Int.random(in: 1...4, using: &random)).map { _ in part(depth: depth - 1) })
    case 4, 5:
      return group(.choice((0..<Int.random(in: 1...3, using: &random)).map { _ in shape(depth: depth - 1) }))
    case 6: return group(chance(0.2) ? .raw("") : shape(depth: depth - 1))
    case 7 where chance(0.3): return .raw(pick(["^", "$", "\\b", "\\B"]))
    default: return repetition(depth: depth)
    }
  }

  /// A shape that may stand beside others.
  private mutating func part(depth: Int) -> Shape {
    let shape = shape(depth: depth)
    if case .choice = shape { return group(shape) }
    return shape
  }

  private mutating func group(_ body: Shape) -> Shape {
    if chance(0.1) { return .group("(?<n\(Int.random(in: 0...1_000_000, using: &random))>", body) }
    return .group(chance(0.5) ? "(" : "(?:", body)
  }

  private mutating func repetition(depth: Int) -> Shape {
    let body = chance(0.5) ? atom() : group(shape(depth: depth - 1))
    let low = Int.random(in: 0...3, using: &random)
    let high = low + Int.random(in: 0...2, using: &random)
    let (quantifier, counts): (String, ClosedRange<Int>) =
      switch Int.random(in: 0...5, using: &random) {
      case 0: ("*", 0...4)
      case 1: ("+", 1...4)
      case 2: ("?", 0...1)
      case 3: ("{\(low)}", low...low)
      case 4: ("{\(low),}", low...(low + 2))
      default: ("{\(low),\(high)}", low...high)
      }
    return .repetition(body, quantifier: quantifier + (chance(0.2) ? "?" : ""), counts: counts)
  }

  private mutating func atom() -> Shape {
    switch Int.random(in: 0...6, using: &random) {
    case 0...2:
      let codePoint = pick(Self.codePoints)
      return .member(source: literal(codePoint, inClass: false), members: [codePoint], isNegated: false)
    case 3:
      return chance(0.3)
        ? .member(source: pick([".", "[^]"]), members: Self.codePoints, isNegated: false) : escapedClass()
    default:
      return bracketedClass()
    }
  }

  private mutating func escapedClass() -> Shape {
    let escape = pick(Self.escapes)
    return .member(source: escape.source, members: escape.members, isNegated: escape.isNegated)
  }

  private static let escapes: [(source: String, members: [UInt32], isNegated: Bool)] = [
    (#"\d"#, [0x30, 0x39], false), (#"\D"#, [0x30, 0x39], true),
    (#"\w"#, [0x61, 0x5A, 0x5F, 0x30, 0x17F, 0x212A], false), (#"\W"#, [0x61, 0x5A, 0x5F, 0x30], true),
    (#"\s"#, [0x20, 0x0A, 0xA0, 0xFEFF, 0x180E, 0x2028], false), (#"\S"#, [0x20, 0x0A, 0xA0, 0xFEFF], true),
  ]

  private mutating func bracketedClass() -> Shape {
    var source = chance(0.35) ? "[^" : "["
    let isNegated = source == "[^"
    var members: [UInt32] = []
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      switch Int.random(in: 0...4, using: &random) {
      case 0:
        let escape = pick(Self.escapes)
        source += escape.source
        members += escape.members
      case 1, 2:
        let (first, second) = (pick(Self.codePoints), pick(Self.codePoints))
        source += literal(min(first, second), inClass: true) + "-" + literal(max(first, second), inClass: true)
        members += [first, second, (first + second) / 2].filter { Unicode.Scalar($0) != nil }
      default:
        let codePoint = pick(Self.codePoints)
        source += literal(codePoint, inClass: true)
        members.append(codePoint)
      }
    }
    return .member(source: source + "]", members: members, isNegated: isNegated)
  }

  /// A code point, written in one of the ways that mean it.
  private mutating func literal(_ codePoint: UInt32, inClass: Bool) -> String {
    let hexadecimal = String(codePoint, radix: 16)
    func padded(_ width: Int) -> String { String(repeating: "0", count: width - hexadecimal.count) + hexadecimal }
    switch Int.random(in: 0...9, using: &random) {
    case 0: return "\\u{\(hexadecimal)}"
    case 1 where codePoint < 0x100: return "\\x" + padded(2)
    case 2 where codePoint < 0x10000: return "\\u" + padded(4)
    case 3 where codePoint >= 0x10000:
      let offset = codePoint - 0x10000
      return "\\u" + String(0xD800 + offset >> 10, radix: 16) + "\\u" + String(0xDC00 + offset & 0x3FF, radix: 16)
    default: break
    }
    let scalar = Unicode.Scalar(codePoint)!
    let needsEscape = inClass ? #"\]^-["# : #"^$\.*+?()[]{}|/"#
    return (needsEscape.unicodeScalars.contains(scalar) ? "\\" : "") + String(scalar)
  }

  /// Where foldings, boundaries and the dot are easy to get wrong.
  private static let codePoints: [UInt32] = [
    0x61, 0x62, 0x41, 0x7A, 0x5A, 0x6B, 0x4B, 0x212A, 0x73, 0x53, 0x17F, 0x30, 0x39, 0x5F, 0x2D, 0x2E, 0x40, 0x5B, 0x5D,
    0x5E,
    0x7B, 0x7C, 0x2F, 0x20, 0x09, 0x0A, 0x0D, 0x85, 0xA0, 0x2028, 0x2029, 0xFEFF, 0x180E, 0xDF, 0x1E9E, 0xE9, 0xC9,
    0xE5,
    0x212B, 0xB5, 0x3BC, 0x3C3, 0x3C2, 0x3A3, 0x69, 0x49, 0x130, 0x131, 0x1C4, 0x1C5, 0x1C6, 0x345, 0x3B9, 0x1FBE,
    0x390,
    0x1FD3, 0xFB05, 0xFB06, 0x13A0, 0xAB70, 0x13F8, 0x13F0, 0x10400, 0x10428, 0x1F600, 0x1E900, 0x1E922, 0xD7FF, 0xE000,
    0xFFFF, 0x10FFFF, 0x264, 0xA7CB, 0x1C80, 0x432, 0x10D50, 0x10D70, 0x300, 0x7F, 0x80,
  ]

  // MARK: Texts

  private mutating func text(of shape: Shape, ignoreCase: Bool) -> [Unicode.Scalar] {
    switch shape {
    case .raw:
      return []
    case .member(_, let members, let isNegated):
      let codePoint = isNegated || members.isEmpty ? pick(Self.codePoints) : pick(members)
      guard let scalar = Unicode.Scalar(codePoint) else { return [] }
      return ignoreCase && chance(0.4) ? inOtherCase(scalar) : [scalar]
    case .sequence(let parts):
      return parts.flatMap { text(of: $0, ignoreCase: ignoreCase) }
    case .choice(let choices):
      return text(of: pick(choices), ignoreCase: ignoreCase)
    case .group(_, let body):
      return text(of: body, ignoreCase: ignoreCase)
    case .repetition(let body, _, let counts):
      return (0..<Int.random(in: counts, using: &random)).flatMap { _ in text(of: body, ignoreCase: ignoreCase) }
    }
  }

  private mutating func inOtherCase(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let properties = scalar.properties
    let mapping = pick([properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping])
    return mapping.unicodeScalars.count == 1 ? Array(mapping.unicodeScalars) : [scalar]
  }

  private mutating func mutate(_ text: inout [Unicode.Scalar]) {
    let position = Int.random(in: 0...text.count, using: &random)
    let scalar = Unicode.Scalar(pick(Self.codePoints))!
    switch Int.random(in: 0...2, using: &random) {
    case 0: text.insert(scalar, at: position)
    case 1 where position < text.count: text.remove(at: position)
    default: if position < text.count { text[position] = scalar } else { text.append(scalar) }
    }
  }

  // MARK: Chances

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }

  package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private func string(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
