extension String {
  /// The text on one line, in which nothing is a mention, a link or markup to the programs that pass it on.
  ///
  /// They go by the shape of a word, so this does too: what others would act on is taken apart so that people can still
  /// read it.
  var plain: String { PlainText(onOneLine).text }
}

/// Takes a line apart: see `String.plain`.
private struct PlainText {
  private let line: [Unicode.Scalar]
  private(set) var text = ""

  init(_ line: String) {
    self.line = Array(line.unicodeScalars)
    var index = 0
    while index < self.line.count {
      let end = markup(at: index)
      let marks = self.line[index..<(end ?? index)].map { String($0) }
      if !marks.isEmpty {
        // A pair needs its marks at the word, and in one; a heading and a quote need theirs at the start.
        let isPair = "*_~".contains(marks[0])
        text += isPair ? marks.map { $0 + " " }.joined() : "[" + marks.joined() + "]"
      } else {
        text += shown(at: index)
      }
      index = end ?? index + 1
    }
  }

  private subscript(index: Int) -> Unicode.Scalar { line.indices.contains(index) ? line[index] : " " }

  private func shown(at index: Int) -> String {
    let scalar = self[index], before = self[index - 1], after = self[index + 1]
    switch scalar {
    // `https://…`, `mailto:…`
    case ":" where after == "/" || isPart(before) && isPart(after) && !(isDigit(before) && isDigit(after)): return "[:]"
    // A name of a machine, or an address of four numbers.
    case "." where isApart(at: index): return "[.]"
    case "@" where after != " ": return "@ "
    // `<!channel>`, `<#C1>`
    case "!" where before == "<", "#" where before == "<": return "\(scalar) "
    // `[text](…)`
    case "(" where before == "]": return " ("
    // `//localhost`, `//1.example`
    case "/" where before == "/" && isHost(at: index + 1): return " /"
    // `||spoiler||`, `~~struck~~`
    case "|" where after == "|", "~" where after == "~": return "\(scalar) "
    default: return String(scalar)
    }
  }

  /// True for a dot that joins what can be the name or the address of a machine.
  private func isApart(at index: Int) -> Bool {
    isPart(self[index - 1]) && isPart(self[index + 1]) && (isLabel(at: index + 1) || isAddress(at: index))
  }

  /// True if the name of a machine begins here that is not taken apart at all of its dots.
  private func isHost(at index: Int) -> Bool {
    let end = line[index...].firstIndex { !isPart($0) && $0 != "." } ?? line.count
    let isLocal = String(String.UnicodeScalarView(line[index..<end])).lowercased().hasPrefix("localhost")
    return isLocal || (index..<end).contains { self[$0] == "." && !isApart(at: $0) }
  }

  /// True for what can be a part of a name or an address, in any script, an emoji included.
  private func isPart(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || isWord(scalar) || scalar == "-" || scalar == "_"
  }

  /// True if what begins here can end the name of a machine: not a number, and not a single letter, as in `e.g.`
  private func isLabel(at index: Int) -> Bool {
    !isDigit(self[index]) && (!self[index].isASCII || isPart(self[index + 1]))
  }

  /// True if this dot stands in four numbers, or in some of which more follows, as a path or a port.
  private func isAddress(at index: Int) -> Bool {
    func isNumber(_ scalar: Unicode.Scalar) -> Bool { isDigit(scalar) || scalar == "." }
    var (start, end) = (index, index + 1)
    while isNumber(self[start - 1]) { start -= 1 }
    while isNumber(self[end]) { end += 1 }
    let isFollowed = (self[end] == "/" || self[end] == ":") && self[end + 1] != " "
    return isFollowed || line[start..<end].split(separator: ".").count > 3
  }

  /// The end of a mark that begins markup here, or `nil`: a heading, a quote, a pair around a word.
  private func markup(at index: Int) -> Int? {
    let mark = self[index], before = self[index - 1]
    guard ["*", "_", "~", "#", ">", "-"].contains(mark) else { return nil }
    var end = index + 1
    while self[end] == mark { end += 1 }
    if index == 0, mark == ">" || mark == "#" && self[end] == " " || mark == "-" && self[end] == "#" { return end }
    guard ["*", "_", "~"].contains(mark), before != mark, !isWord(before), self[end] != " " else { return nil }
    return line[end...].contains(mark) ? end : nil
  }

  private func isWord(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || isDigit(scalar) }
  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
