internal import Base
internal import Prompts

extension Prompt.Context {
  /// The values that `context.mustache` draws.
  var values: TemplateValues {
    switch self {
    case .text(let text): return ["isText": true, "content": text]
    case .code(let code, let language):
      return ["isCode": true, "content": code, "hasLanguage": language != nil, "language": language]
    case .diff(let diff):
      // Written out before it is cut into lines, so that a gap of many lines is one.
      let text = (diff.hasSuffix("\n") ? String(diff.dropLast()) : diff).revealed
      let lines = diff.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
      return ["isDiff": true, "lines": lines.map(Self.line)]
    case .table(let columns, let rows):
      return ["isTable": true, "columns": columns, "rows": rows.map { ["cells": $0] as TemplateValues }]
    case .image(let url, let alt):
      return ["isImage": true, "url": url, "alt": alt]
    case .link(let url, let title):
      let url = Self.encoded(url)
      return ["isLink": true, "url": url, "content": title ?? url, "host": Self.host(of: url)]
    }
  }

  private static func line(_ text: Substring) -> TemplateValues {
    // Headers of files begin with three.
    let mark = text.hasPrefix("+++") || text.hasPrefix("---") ? nil : text.first
    return [
      "line": text + "\n", "isAdded": mark == "+", "isRemoved": mark == "-", "isSame": mark != "+" && mark != "-",
    ]
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
      label.allSatisfy { $0.isASCII || $0.isWesternEuropean } ? String(label) : Punycode.encoded(String(label))
    }
    return shown.joined(separator: ".") + String(authority[host.endIndex...])
  }
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
