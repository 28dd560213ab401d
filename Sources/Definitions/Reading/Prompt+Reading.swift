internal import Prompts

extension Prompt {
  /// The keys of a definition.
  static let keys = ["title", "message", "fields", "ok", "cancel", "buttons", "okWhenInvalid"]

  /// Fields in a prompt.
  static let fieldLimit = 50

  /// Reads a definition and reports every fault; what is returned is of use only if there was none.
  init?(_ node: Node, _ reading: inout Reading) {
    guard let map = reading.mapping(node, as: "a prompt", keys: Self.keys) else { return nil }
    if map["title"] == nil {
      reading.reportMissing("title", of: "a prompt", "write what the dialog asks: `title: ...`", at: map.place)
    }
    let title = reading.text(map["title"], "title", as: .title, limit: 200)
    let message = reading.text(map["message"], "message", as: .lines, limit: 10_000)
    let fields = Self.fields(map["fields"], &reading)
    let buttons = Self.buttons(map, hasFields: !fields.isEmpty, &reading)
    let okWhenInvalid: OKWhenInvalid? = reading.word(map["okWhenInvalid"], "okWhenInvalid")
    self.init(
      title: title ?? "", message: message, buttons: buttons, okWhenInvalid: okWhenInvalid ?? .explains,
      fields: fields)
  }

  private static func fields(_ node: Node?, _ reading: inout Reading) -> [Field] {
    guard let node, let elements = reading.list(node, "fields") else { return [] }
    if elements.count > fieldLimit {
      reading.report(
        "a prompt with \(elements.count) fields is no dialog", "keep to \(fieldLimit), or ask twice",
        at: elements[fieldLimit].place)
    }
    let drafts = elements.compactMap { FieldDraft($0, &reading) }
    // Each is compared with all others: those that have to go are not.
    for (index, draft) in drafts.prefix(fieldLimit).enumerated() {
      if drafts[..<index].contains(where: { $0.field.name == draft.field.name }) {
        reading.report(
          "two fields are named `\(draft.field.name)`", "give each a name of its own", at: draft.namePlace)
      }
      if !reading.isKept { draft.reportRules(among: drafts, &reading) }
    }
    return drafts.map(\.field)
  }
}
