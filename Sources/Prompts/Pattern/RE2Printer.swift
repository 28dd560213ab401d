/// Writes a pattern's tree in RE2's syntax, so that RE2 matches exactly what ECMAScript matches.
///
/// Nothing is left to RE2's own reading of dots, class escapes and letter case: every class is written as code points.
enum RE2Printer {
  static func print(_ syntax: PatternSyntax) -> String {
    var output = ""
    write(syntax, to: &output)
    return output
  }

  private static func write(_ syntax: PatternSyntax, to output: inout String) {
    switch syntax {
    case .empty:
      output += "(?:)"
    case .codePoint(let codePointClass):
      write(codePointClass, to: &output)
    case .assertion(.start):
      output += #"\A"#
    case .assertion(.end):
      output += #"\z"#
    case .assertion(let boundary):
      // RE2's word characters are ASCII, as ECMAScript's are without `ignoreCase`, with which these are refused.
      output += boundary.rawValue
    case .sequence(let parts):
      for part in parts { write(part, to: &output) }
    case .choice(let choices):
      output += "(?:"
      for (index, choice) in choices.enumerated() {
        if index > 0 { output += "|" }
        write(choice, to: &output)
      }
      output += ")"
    case .repetition(let body, let min, let max):
      output += "(?:"
      write(body, to: &output)
      output += ")"
      output += quantifier(min: min, max: max)
    }
  }

  private static func quantifier(min: Int, max: Int?) -> String {
    switch (min, max) {
    case (0, nil): "*"
    case (1, nil): "+"
    case (0, 1): "?"
    case (_, nil): "{\(min),}"
    case (_, let max?): "{\(min),\(max)}"
    }
  }

  private static func write(_ codePointClass: CodePointClass, to output: inout String) {
    guard !codePointClass.properties.isEmpty else {
      write(codePointClass.set, to: &output)
      return
    }
    output += codePointClass.isNegated ? "[^" : "["
    writeRanges(of: codePointClass.set, to: &output)
    for property in codePointClass.properties {
      output += (property.isNegated ? #"\P{"# : #"\p{"#) + property.name + "}"
    }
    output += "]"
  }

  private static func write(_ set: CodePointSet, to output: inout String) {
    if set.isEmpty {
      output += #"[^\x{0}-\x{10FFFF}]"#
    } else if set.ranges.count == 1, set.ranges[0].count == 1 {
      write(set.ranges[0].lowerBound, to: &output)
    } else {
      output += "["
      writeRanges(of: set, to: &output)
      output += "]"
    }
  }

  private static func writeRanges(of set: CodePointSet, to output: inout String) {
    for range in set.ranges {
      write(range.lowerBound, to: &output)
      if range.count > 1 {
        output += "-"
        write(range.upperBound, to: &output)
      }
    }
  }

  private static func write(_ codePoint: UInt32, to output: inout String) {
    switch codePoint {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: output.unicodeScalars.append(Unicode.Scalar(UInt8(codePoint)))
    default: output += #"\x{"# + String(codePoint, radix: 16) + "}"
    }
  }
}
