internal import Prompts

extension Reading {
  /// What a text of a definition may hold.
  enum TextForm {
    /// One line with something to read in it.
    case title
    /// One line, or nothing.
    case line
    /// Any number of lines, or nothing.
    case lines
  }

  /// A text that people read; nil where there is none or a fault was reported.
  ///
  /// - Parameter limit: code points.
  mutating func text(_ node: Node?, _ key: String, as form: TextForm, limit: Int) -> String? {
    guard let node, let text = string(node, key), isUsable(text, key, as: form, limit: limit, at: node.place) else {
      return nil
    }
    return text.isEmpty ? nil : text
  }

  /// Whether a text has the form and length; reports what is wrong.
  mutating func isUsable(
    _ text: String, _ key: String, as form: TextForm, limit: Int, at place: Node.Place
  ) -> Bool {
    let scalars = text.unicodeScalars
    if form == .title, scalars.allSatisfy({ $0.properties.isWhitespace }) {
      report("`\(key)` is blank", "write what a person should read there", at: place)
    } else if let control = scalars.first(where: { $0.value < 0x20 && $0 != "\t" && $0 != "\n" }) {
      let code = String(control.value, radix: 16, uppercase: true)
      report("`\(key)` holds the control character U+00\(control.value < 16 ? "0" : "")\(code)", "remove it", at: place)
    } else if form != .lines, scalars.contains("\n") {
      report("`\(key)` has more than one line", "write it on one line", at: place)
    } else if scalars.count > limit {
      report("`\(key)` has \(scalars.count) characters", "keep to \(limit)", at: place)
    } else {
      return true
    }
    return false
  }

  /// Reports that a key which must be there is not.
  mutating func reportMissing(_ key: String, of what: String, _ remedy: String, at place: Node.Place) {
    report("\(what) needs `\(key)`", remedy, at: place)
  }
}
