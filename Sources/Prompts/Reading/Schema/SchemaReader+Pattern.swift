internal import StrictJSON

/// Patterns of JSON Schema, which may match anywhere in the text, as rules, which match all of it.
extension SchemaReader {
  mutating func sayPattern(_ statement: Statement, _ property: inout Property) {
    guard let source = reading.string(statement.value, "pattern") else { return }
    let (rest, conditions) = SearchPattern.split(source)
    let place = statement.value.place
    let removed = source.unicodeScalars.count - rest.unicodeScalars.count
    guard conditions.allSatisfy({ reading.isReadable(searching: $0.body, after: $0.start, at: place) }),
      reading.isReadable(searching: rest, after: conditions.isEmpty ? nil : removed, at: place)
    else { return }
    for condition in conditions {
      let rule = JSON.keyword("pattern", .string("(?:\(condition.body))[\\s\\S]*"))
      property.addRule(condition.isNegated ? .keyword("not", rule) : rule, for: statement)
    }
    property.addRule(.keyword("pattern", .string(SearchPattern.matchingAll(rest))), for: statement)
  }
}

/// A pattern that matches anywhere in a text.
private enum SearchPattern {
  /// As every engine writes it.
  private static let anything = #"[\s\S]*"#

  /// The same for the whole text.
  static func matchingAll(_ source: String) -> String {
    let alternatives = alternatives(of: Array(source.unicodeScalars))
    let (isStart, isEnd) = (alternatives.allSatisfy(\.beginsWithStart), alternatives.allSatisfy(\.endsWithEnd))
    if isStart, isEnd { return source }
    return "\(isStart ? "" : "[\\s\\S]*")(?:\(source))\(isEnd ? "" : "[\\s\\S]*")"
  }

  /// Takes the look-aheads after a leading `^` out of a pattern: each is a pattern of its own, from the text's start.
  static func split(_ source: String) -> (rest: String, conditions: [Condition]) {
    let scalars = Array(source.unicodeScalars)
    guard scalars.first == "^", alternatives(of: scalars).count == 1 else { return (source, []) }
    var (position, conditions) = (1, [Condition]())
    while position + 2 < scalars.count, scalars[position] == "(", scalars[position + 1] == "?",
      scalars[position + 2] == "=" || scalars[position + 2] == "!", let end = groupEnd(scalars, from: position)
    {
      // A quantifier of a look-ahead is a fault, and stays for its report.
      if end + 1 < scalars.count, "*+?{".unicodeScalars.contains(scalars[end + 1]) { return (source, []) }
      let body = string(scalars[(position + 3)..<end])
      conditions.append(Condition(body: body, start: position + 3, isNegated: scalars[position + 2] == "!"))
      position = end + 1
    }
    return ("^" + string(scalars[position...]), conditions)
  }

  /// What a look-ahead asks of the text.
  struct Condition {
    let body: String
    /// The index of its first code point.
    let start: Int
    let isNegated: Bool
  }

  private struct Alternative {
    var beginsWithStart = false
    var endsWithEnd = false
  }

  /// What stands between the `|` that are in no group.
  private static func alternatives(of scalars: [Unicode.Scalar]) -> [Alternative] {
    var (found, depth) = ([Alternative()], 0)
    var isFirst = true
    walk(scalars) { _, scalar, isSyntax in
      if isSyntax, scalar == ")" { depth -= 1 }
      if isSyntax, scalar == "|", depth == 0 {
        found.append(Alternative())
        isFirst = true
      } else {
        if isFirst { found[found.count - 1].beginsWithStart = isSyntax && scalar == "^" }
        found[found.count - 1].endsWithEnd = isSyntax && scalar == "$" && depth == 0
        isFirst = false
      }
      if isSyntax, scalar == "(" { depth += 1 }
      return true
    }
    return found
  }

  /// Where the group that begins here is closed, or `nil` if it is not.
  private static func groupEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
    var (depth, end) = (0, Int?.none)
    walk(Array(scalars[start...])) { index, scalar, isSyntax in
      if isSyntax, scalar == "(" { depth += 1 }
      if isSyntax, scalar == ")" { depth -= 1 }
      if depth == 0 { end = start + index }
      return depth > 0
    }
    return end
  }

  /// Visits each code point until `body` returns false. In a class and after a backslash it is not syntax.
  private static func walk(_ scalars: [Unicode.Scalar], _ body: (Int, Unicode.Scalar, Bool) -> Bool) {
    var (isEscaped, inClass) = (false, false)
    for (index, scalar) in scalars.enumerated() {
      if !body(index, scalar, !isEscaped && !inClass) { return }
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if inClass {
        inClass = scalar != "]"
      } else {
        inClass = scalar == "["
      }
    }
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}
