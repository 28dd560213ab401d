/// Writes a pattern's tree in RE2's syntax and the pattern's alphabet, so that RE2 matches exactly what ECMAScript matches.
///
/// Nothing is left to RE2's own reading of dots, class escapes and letter case: every class is written as letters.
struct RE2Printer {
  private let alphabet: PatternAlphabet
  private var output = ""

  static func print(_ syntax: PatternSyntax, in alphabet: PatternAlphabet) -> String {
    var printer = RE2Printer(alphabet: alphabet)
    printer.write(syntax)
    return printer.output
  }

  private init(alphabet: PatternAlphabet) { self.alphabet = alphabet }

  private mutating func write(_ syntax: PatternSyntax) {
    switch syntax {
    case .empty:
      output += "(?:)"
    case .codePoint(let set):
      write(alphabet.spelling(of: set).ranges)
    case .assertion(.start):
      output += #"\A"#
    case .assertion(.end):
      output += #"\z"#
    case .assertion(let boundary):
      // The letters of word characters are what RE2 takes for word characters.
      output += boundary.rawValue
    case .sequence(let parts):
      for part in parts { write(part) }
    case .choice(let choices):
      output += "(?:"
      for (index, choice) in choices.enumerated() {
        if index > 0 { output += "|" }
        write(choice)
      }
      output += ")"
    case .repetition(let body, let min, let max):
      output += "(?:"
      write(body)
      output += ")"
      output += Self.quantifier(min: min, max: max)
    }
  }

  static func quantifier(min: Int, max: Int?) -> String {
    switch (min, max) {
    case (0, nil): "*"
    case (1, nil): "+"
    case (0, 1): "?"
    case (_, nil): "{\(min),}"
    case (_, let max?): "{\(min),\(max)}"
    }
  }

  private mutating func write(_ letters: [CodePointSet.Range]) {
    if letters.isEmpty {
      output += #"[^\x{0}-\x{10FFFF}]"#
    } else if letters.count == 1, letters[0].count == 1 {
      write(letters[0].lowerBound)
    } else {
      output += "["
      for range in letters {
        write(range.lowerBound)
        if range.count > 1 {
          output += "-"
          write(range.upperBound)
        }
      }
      output += "]"
    }
  }

  private mutating func write(_ codePoint: UInt32) {
    switch codePoint {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: output.unicodeScalars.append(Unicode.Scalar(UInt8(codePoint)))
    default: output += #"\x{"# + String(codePoint, radix: 16) + "}"
    }
  }
}
