/// Who is told of a question, and how: `notify` and `remindBefore` of a definition or of one ask.
package struct NoticePlan: Sendable, Equatable {
  /// Names of the server's channels, and `for` to mail everybody who may answer; empty to tell nobody.
  package var channels: [String] = []
  /// The time before the end at which they are told once more, or `nil` for never.
  package var remindBefore: Duration?

  /// Stands for the people who may answer.
  package static let answerers = "for"
  private static let limit = 10
  private static let longestReminder: Duration = .seconds(31_622_400)

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
      reading.report(NoticePlanFault.tooMany(elements.count, limit: Self.limit), at: elements[Self.limit].place)
    }
    for element in elements.prefix(Self.limit) {
      guard let name = reading.string(element, "notify") else { continue }
      if name != Self.answerers, !Self.isName(name) {
        reading.report(NoticePlanFault.noName(name), at: element.place)
      } else if channels.contains(name) {
        reading.report(NoticePlanFault.twice(name), at: element.place)
      } else {
        channels.append(name)
      }
    }
    guard let remindBefore, let text = reading.string(remindBefore, "remindBefore") else { return }
    self.remindBefore = Duration(brief: text).flatMap { $0 <= Self.longestReminder ? $0 : nil }
    if self.remindBefore == nil { reading.report(NoticePlanFault.noDuration(text), at: remindBefore.place) }
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

private enum NoticePlanFault: FaultCase {
  case tooMany(Int, limit: Int), noName(String), twice(String), noDuration(String)

  var sentence: FaultSentence {
    switch self {
    case .tooMany(let count, let limit):
      .init("too-many-channels", "`notify` has \(count) entries", "\(limit) are the most")
    case .noName(let name):
      .init(
        "no-channel-name", "“\(name)” in `notify` cannot name a channel",
        "write names that --channel has, like `notify: [ops]`, or `for`")
    case .twice(let name): .init("channel-twice", "`notify` names “\(name)” twice", "keep one")
    case .noDuration(let text):
      .init(
        "no-duration", "`remindBefore` cannot be “\(text)”",
        "write a whole number and s, m, h or d, like `remindBefore: 1h`; 366 days are the most")
    }
  }
}
