internal import Mustache
internal import Prompts

extension Prompt.Context {
  /// The values that `context.mustache` draws.
  ///
  /// - Parameter index: the block's own number, which its elements' ids have.
  func values(at index: Int) -> TemplateValues {
    switch self {
    case .text(let text): return ["isText": true, "content": text]
    case .markdown(let text):
      guard let markdown = Markdown(text) else { return ["isText": true, "content": text] }
      return ["isMarkdown": true, "content": Raw(markdown.html(at: index))]
    case .code(let code, let language):
      return ["isCode": true, "content": code, "hasLanguage": language != nil, "language": language]
    case .diff(let diff):
      // Written out before it is cut into lines, so that a gap of many lines is one.
      let text = (diff.hasSuffix("\n") ? String(diff.dropLast()) : diff).revealed
      let lines = diff.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
      var hunk = Hunk()
      return ["isDiff": true, "lines": lines.map { hunk.values(of: $0) }]
    case .table(let columns, let rows):
      let areNumbers = columns.indices.map { column in
        !rows.isEmpty && rows.allSatisfy { $0.indices.contains(column) && Self.isNumber($0[column]) }
      }
      let cells = { (texts: [String]) in zip(texts, areNumbers).map { TableCell($0, isNumber: $1) } }
      return ["isTable": true, "columns": cells(columns), "rows": rows.map { ["cells": cells($0)] as TemplateValues }]
    case .image(let url, let alt):
      return ["isImage": true, "url": url, "alt": alt]
    case .link(let url, let title):
      let url = Self.encoded(url)
      return ["isLink": true, "url": url, "content": title ?? url, "host": Self.host(of: url)]
    }
  }

  /// True for a number as tables have them, with a sign, a unit or a currency of up to three characters on each side.
  private static func isNumber(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    let isDigit = { (scalar: Unicode.Scalar) in ("0"..."9").contains(scalar) }
    guard let first = scalars.firstIndex(where: isDigit), let last = scalars.lastIndex(where: isDigit) else {
      return false
    }
    let sides = scalars[..<first] + scalars[(last + 1)...], marks = ".,'’_".unicodeScalars
    return first <= 3 && scalars.count - last <= 4 && !sides.contains { $0.properties.isAlphabetic }
      && scalars[first...last].allSatisfy { isDigit($0) || marks.contains($0) || $0.properties.isWhitespace }
  }

  /// The same URL without what cannot be seen, which means the same percent-encoded.
  private static func encoded(_ url: String) -> String {
    guard url.unicodeScalars.contains(where: \.isHidden) else { return url }
    return url.unicodeScalars.map { $0.isHidden ? String($0).percentEncoded(except: "") : String($0) }.joined()
  }

  /// The target of a link, whatever its title says. It has no user's name: `Rule.url` accepts none.
  ///
  /// A Cyrillic `а` looks like a Latin one. So a label is shown in Unicode only if all its letters are those of Western
  /// European languages, and as DNS has it otherwise, which looks strange and cannot deceive.
  private static func host(of url: String) -> String {
    let rest = url.unicodeScalars.drop { $0 != "/" }.drop { $0 == "/" }
    let authority = rest.prefix { !"/?#".unicodeScalars.contains($0) }
    guard authority.first != "[" else { return String(authority) }
    let host = authority.prefix { $0 != ":" }
    let labels = host.split(omittingEmptySubsequences: false) {
      ".\u{3002}\u{FF0E}\u{FF61}".unicodeScalars.contains($0)
    }
    let shown = labels.map { label in
      label.mayDeceive ? Punycode.encoded(String(label)) : String(label)
    }
    return shown.joined(separator: ".") + String(authority[host.endIndex...])
  }
}

/// A cell of a table: to `{{.}}` its text, and `number` if its column has nothing but numbers.
private struct TableCell: TemplateValue, MustacheParent, CustomStringConvertible {
  let description: String
  let isNumber: Bool

  init(_ text: String, isNumber: Bool) { (description, self.isNumber) = (text.revealed, isNumber) }

  func child(named name: String) -> Any? { name == "number" ? isNumber : nil }
}

/// The part of a diff that a line like `@@ -4,5 +4,6 @@` begins, as far as it is still to come: numbers of lines in the
/// old file and in the new one.
private struct Hunk {
  private var old = 0..<0, new = 0..<0

  /// The values of the next line of the diff; its number is that in the new file, unless it was removed.
  mutating func values(of line: Substring) -> TemplateValues {
    let isWithin = !old.isEmpty || !new.isEmpty
    // Headers of files begin with three.
    let mark = !isWithin && (line.hasPrefix("+++") || line.hasPrefix("---")) ? nil : line.first
    var number: Int?
    switch mark {
    case "+": number = new.popFirst()
    case "-": number = old.popFirst()
    case " ", nil: (_, number) = (old.popFirst(), new.popFirst())
    default: if !isWithin { begin(line) }
    }
    return [
      "line": line + "\n", "number": number.map(String.init), "isAdded": mark == "+", "isRemoved": mark == "-",
      "isSame": mark != "+" && mark != "-",
    ]
  }

  private mutating func begin(_ line: Substring) {
    let parts = line.split(separator: " ")
    guard parts.count > 3, parts[0] == "@@", let old = Self.lines(parts[1]), let new = Self.lines(parts[2]) else {
      return
    }
    (self.old, self.new) = (old, new)
  }

  /// The lines that `-4,5` means, or `+4` for one line.
  private static func lines(_ text: Substring) -> Range<Int>? {
    let numbers = text.dropFirst().split(separator: ",").map { UInt16($0).map(Int.init) }
    guard let first = numbers.first ?? nil, let count = numbers.count > 1 ? numbers[1] : 1 else { return nil }
    return first..<first + count
  }
}

extension Sequence<Unicode.Scalar> {
  /// True if a character in it may look like another one: it is neither ASCII nor of a Western European language.
  var mayDeceive: Bool { contains { !$0.isASCII && !$0.isWesternEuropean } }
}

extension Unicode.Scalar {
  /// An accented letter of Latin-1 or Latin Extended-A, except those that look like ASCII.
  fileprivate var isWesternEuropean: Bool {
    (0xC0...0x17E).contains(value) && ![0xD7, 0xF7, 0x131, 0x138].contains(value)
  }
}

/// Labels of host names as DNS has them (RFC 3492).
extension Punycode {
  fileprivate static func encoded(_ label: String) -> String {
    let points = label.lowercased().unicodeScalars.map(\.value)
    var output = points.filter { $0 < 0x80 }
    let plainCount = output.count
    if plainCount > 0 { output.append(0x2D) }
    var (point, delta, bias, handled) = (UInt32(0x80), 0, 72, plainCount)
    while handled < points.count, let next = points.filter({ $0 >= point }).min() {
      delta += Int(next - point) * (handled + 1)
      point = next
      for each in points {
        if each < point { delta += 1 }
        guard each == point else { continue }
        var (rest, step) = (delta, 36)
        while true {
          let threshold = min(max(step - bias, 1), 26)
          guard rest >= threshold else { break }
          output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
          rest = (rest - threshold) / (36 - threshold)
          step += 36
        }
        output.append(digit(rest))
        bias = Self.bias(after: delta, handled + 1, isFirst: handled == plainCount)
        (delta, handled) = (0, handled + 1)
      }
      (delta, point) = (delta + 1, point + 1)
    }
    return "xn--" + String(String.UnicodeScalarView(output.compactMap(Unicode.Scalar.init)))
  }

  private static func digit(_ value: Int) -> UInt32 { UInt32(value < 26 ? 0x61 + value : 0x30 + value - 26) }
}
