/// Writes out the invisible characters of a text where people read it, so that nothing hides in a text from outside or
/// changes how it reads. `Unicode/hidden.txt` lists them; `Public/hidden.js` does the same.
enum Hidden {
  /// The most white space characters, and line feeds among them, that may stand in a row: more push what follows out of
  /// sight.
  private static let mostSpace = 100, mostLines = 10
  /// The most characters of a text that are written out one by one. What is invisible after them is only counted: a text
  /// must not become many times as long as it is.
  private static let mostMarks = 100

  /// The text as people may read it, and what was written out, first to last.
  static func reveal(_ text: String) -> (text: String, marks: [String]) {
    let scalars = Array(text.unicodeScalars)
    var (revealed, marks, index, unnamed) = ("", [String](), 0, 0)
    func keep(_ run: some Sequence<Unicode.Scalar>) { revealed.unicodeScalars.append(contentsOf: run) }
    func mark(_ what: String) {
      let mark = "⟨\(what)⟩"
      marks.append(mark)
      revealed += mark
    }
    func mark(_ run: ArraySlice<Unicode.Scalar>) {
      guard let first = run.first, let last = run.last else { return }
      mark("\(name(first))\(first == last ? "" : "…\(name(last))") ×\(run.count)")
    }
    while index < scalars.count {
      let scalar = scalars[index]
      // Most of a text is none of what follows.
      if (0x21..<0x7F).contains(scalar.value) {
        revealed.unicodeScalars.append(scalar)
        index += 1
      } else if space.contains(scalar.value) {
        let run = scalars[index...].prefix { space.contains($0.value) }
        let lines = run[..<(run.lastIndex(of: "\n").map { $0 + 1 } ?? run.startIndex)], rest = run[lines.endIndex...]
        if lines.count > mostSpace || lines.count(where: { $0 == "\n" }) > mostLines {
          mark(lines.dropLast())
          keep("\n".unicodeScalars)
        } else {
          keep(lines)
        }
        if rest.count > mostSpace { mark(rest) } else { keep(rest) }
        index = run.endIndex
      } else if let flag = flag(in: scalars[index...]) {
        keep(flag)
        index = flag.endIndex
      } else {
        if !scalar.isHidden || isNeeded(index, in: scalars) {
          revealed.unicodeScalars.append(scalar)
        } else if marks.count < mostMarks {
          mark(name(scalar))
        } else {
          unnamed += 1
        }
        index += 1
      }
    }
    if unnamed > 0 { mark("… ×\(unnamed)") }
    return (revealed, marks)
  }

  /// True if an invisible character is needed at its place, by writing (RFC 5892, A.1 and A.2) or by emoji.
  private static func isNeeded(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    func point(_ place: Int) -> UInt32 { scalars.indices.contains(place) ? scalars[place].value : 0 }
    let (before, after) = (point(index - 1), point(index + 1))
    /// The next one in a direction that is not transparent.
    func beyond(_ step: Int) -> UInt32 {
      var place = index + step
      while transparent.contains(point(place)) { place += step }
      return point(place)
    }
    switch point(index) {
    case 0x200C:
      if virama.contains(before) { return true }
      let (left, right) = (beyond(-1), beyond(1))
      return joinsNext.contains(left) && joinsPrevious.contains(right)
        || arabic.contains(left) && arabic.contains(right)
    case 0x200D:
      if virama.contains(before) || arabic.contains(beyond(-1)) { return true }
      var place = index - 1
      if point(place) == 0xFE0F { place -= 1 }
      if modifiers.contains(point(place)) { place -= 1 }
      return pictograph.contains(point(place)) && pictograph.contains(after)
    case 0xFE0E, 0xFE0F:
      // A digit is one in a key cap only.
      return pictograph.contains(before) || modifiers.contains(before)
        || after == 0x20E3 && "0123456789#*".unicodeScalars.contains { $0.value == before }
    case 0x180B...0x180D, 0x180F: return mongolian.contains(before)
    case 0xE0100...0xE01EF: return ideograph.contains(before)
    default: return false
    }
  }

  /// The flag of a region at the beginning of a text: a black flag, the region's code in tags, and the last tag.
  private static func flag(in text: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar>? {
    guard text.first == "\u{1F3F4}" else { return nil }
    let code = text.dropFirst().prefix {
      (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
    }
    guard (3...6).contains(code.count), text[code.endIndex...].first == "\u{E007F}" else { return nil }
    return text[...code.endIndex]
  }

  private static func name(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// True if anything may have to be written out. Most texts are only looked at.
  fileprivate static func isPossible(in text: String) -> Bool {
    var spaces = 0
    for scalar in text.unicodeScalars {
      if (0x21..<0x7F).contains(scalar.value) {
        spaces = 0
      } else if scalar == " " || space.contains(scalar.value) {
        spaces += 1
        if spaces > mostLines { return true }
      } else if scalar.isHidden {
        return true
      } else {
        spaces = 0
      }
    }
    return false
  }

  private static let modifiers: ClosedRange<UInt32> = 0x1F3FB...0x1F3FF
  static let hidden = set("hidden")
  private static let space = set("space"), virama = set("virama"), transparent = set("transparent")
  private static let joinsNext = set("joinsNext"), joinsPrevious = set("joinsPrevious"), arabic = set("arabic")
  private static let pictograph = set("pictograph"), ideograph = set("ideograph"), mongolian = set("mongolian")

  private static func set(_ name: String) -> CodePointSet { UnicodeData.set(name, in: "hidden.txt") }
}

package extension Unicode.Scalar {
  /// True if it is invisible, wherever it stands.
  var isHidden: Bool { Hidden.hidden.contains(value) }
}

package extension String {
  /// True if something may have to be written out, which takes longer than to look for it.
  var mayHide: Bool { Hidden.isPossible(in: self) }

  /// The text as people may read it: what cannot be seen stands as `⟨U+200B⟩`, and a long gap as `⟨U+0020 ×16000⟩`.
  var revealed: String { mayHide ? Hidden.reveal(self).text : self }

  /// The invisible characters of the text in a control, where every line break is one, each once, and no more than fit in
  /// a line; empty for most texts.
  var hiddenSummary: String {
    let text = Input.lineFeeds(self)
    guard text.mayHide else { return "" }
    var marks: [String] = []
    for mark in Hidden.reveal(text).marks where !marks.contains(mark) {
      guard marks.count < 8 else { return marks.joined(separator: " ") + " …" }
      marks.append(mark)
    }
    return marks.joined(separator: " ")
  }
}

extension Unicode.Scalar {
  /// White space as ECMA-262 counts it: what `\s` matches.
  var isWhiteSpace: Bool { CodePointSet.whiteSpace.contains(value) }

  /// White space, and what cannot be seen but the controls that the rule `text` refuses.
  var isBlank: Bool { isWhiteSpace || value >= 0x7F && isHidden }
}
