/// Who is told of a question, and how: `notify` and `remindBefore` of a definition or of one ask.
package struct NoticePlan: Sendable, Equatable {
  /// Names of the server's channels, and `for` to mail everybody who may answer; empty to tell nobody.
  package var channels: [String] = []
  /// The time before the end at which they are told once more, or `nil` for never.
  package var remindBefore: Duration?

  /// Stands for the people who may answer.
  package static let answerers = "for"
  private static let limit = 10

  package init() {}

  /// True if a text can name a channel: `[a-z][a-z0-9-]*`, at most 64 characters, not `for`.
  package static func isName(_ text: String) -> Bool {
    text.utf8.count <= 64 && text != answerers
      && text.consists(of: "a-z0-9-") && ASCII.isLower(text.utf8[text.startIndex])
  }

  /// Reads `notify` and `remindBefore`, and reports every fault.
  package init(notify: Node?, remindBefore: Node?, _ reading: inout Reading) {
    let elements = notify.flatMap { reading.list($0, "notify") } ?? []
    if elements.count > Self.limit {
      reading.report(
        "too-many-channels", ["count": elements.count, "limit": Self.limit], at: elements[Self.limit].place)
    }
    for element in elements.prefix(Self.limit) {
      guard let name = reading.string(element, "notify", remedy: FaultRow("no-channel-name", ["name": ""]))
      else { continue }
      if name != Self.answerers, !Self.isName(name) {
        reading.report("no-channel-name", ["name": name], at: element.place)
      } else if channels.contains(name) {
        reading.report("channel-twice", ["name": name], at: element.place)
      } else {
        channels.append(name)
      }
    }
    self.remindBefore = reading.duration(remindBefore, "remindBefore")
  }

  /// Reads what `writeMembers` wrote.
  package init(kept json: JSON) {
    channels = json.texts("notify")
    remindBefore = json.text("remindBefore").flatMap { Duration(brief: $0) }
  }

  /// Writes `notify` and `remindBefore`, each only if it says something.
  package func writeMembers(to json: inout JSONWriter) {
    if !channels.isEmpty { json.member("notify", .strings(channels)) }
    json.member("remindBefore", ifPresent: remindBefore?.brief)
  }
}

extension Reading {
  /// A time of at most 366 days, like `90s`, `5m`, `1h` or `2d`.
  package mutating func duration(_ node: Node?, _ key: String) -> Duration? {
    func read(_ text: String) -> Duration? { Duration(brief: text).flatMap { $0 <= .seconds(31_622_400) ? $0 : nil } }
    guard let node else { return nil }
    let text = node.scalarText ?? "", inSeconds = text + "s"
    let fault = FaultRow(
      "no-duration", ["key": key, "text": text, "example": read(inSeconds) == nil ? "1h" : inSeconds])
    guard let text = string(node, key, remedy: fault) else { return nil }
    return read(text) ?? refuse(fault, at: node.place)
  }
}

package extension Duration {
  private static let units: [(name: Character, seconds: Int)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]

  /// A whole number of seconds, minutes, hours or days, like `90s`, `5m`, `1h` or `2d`; `nil` for any other text.
  init?(brief text: String) {
    var reader = TextReader(text)
    guard let digits = reader.take(some: "0-9", 1...9), digits.first != "0", let count = Int(digits),
      let found = Self.units.first(where: { reader.rest == String($0.name) })
    else { return nil }
    self = .seconds(count * found.seconds)
  }

  /// The same text, in the largest unit that fits.
  var brief: String {
    let seconds = Int(components.seconds)
    let unit = Self.units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
    return "\(seconds / unit.seconds)\(unit.name)"
  }
}
