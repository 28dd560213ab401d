internal import Prompts

extension Problem {
  /// All of it as one text, for a reader who has no use for JSON. Places are those of a tool's arguments.
  var inWords: String { Self.inWords(heading ?? detail, errors.map { ($0.pointer, $0.message) }) }

  /// The same of a problem that another server sent, or `nil` if that says nothing.
  static func inWords(_ json: JSON) -> String? {
    var errors: [(pointer: String, message: String)] = []
    if case .array(let elements)? = json["errors"] {
      errors = elements.map { ($0.text("pointer") ?? "", $0.text("message") ?? "") }
    }
    guard let detail = json.text("detail") else { return nil }
    return inWords(json.text("code").flatMap { heading(of: detail, code: $0) } ?? detail, errors)
  }

  private static func inWords(_ detail: String, _ errors: [(pointer: String, message: String)]) -> String {
    func place(_ pointer: String) -> String {
      let place = pointer.replacing("#/", with: "")
      return place.hasPrefix("definition/") ? String(place.dropFirst("definition/".count)) : place == "#" ? "" : place
    }
    // The only error is the detail, but for its place.
    if errors.count == 1, detail.dropFirst() == errors[0].message.dropFirst() {
      let place = place(errors[0].pointer)
      return place.isEmpty ? detail : "At \(place): \(errors[0].message)"
    }
    let lines = errors.map { "\n- \(place($0.pointer).isEmpty ? "" : "at \(place($0.pointer)): ")\($0.message)" }
    return detail + lines.joined()
  }
}
