/// What a program did after the answer.
///
/// ```swift
/// try await server.finish(ask.id, .failed("Cluster unreachable"))
/// ```
public struct AskResult: Sendable, Equatable {
  /// What became of what was approved.
  public enum Status: String, Sendable, CaseIterable {
    /// It was done, or it was tried and failed.
    case done, failed
    /// The program has not said in time: `resultWithin`.
    case unknown
  }

  /// Whether what was approved was done.
  public let status: Status
  /// What the program says of it, in plain text of at most 2,000 code points; or `nil` for nothing.
  public let text: String?
  /// When the program said so; `nil` if it is unknown, or not said yet.
  var at: Timestamp?

  package init(_ status: Status, _ text: String? = nil, at moment: Timestamp? = nil) {
    (self.status, self.text, at) = (status, text?.isEmpty == true ? nil : text, moment)
  }

  /// What was approved is done.
  public static let done = AskResult(.done)
  /// The same, and what the program says of it.
  public static func done(_ text: String) -> AskResult { AskResult(.done, text) }
  /// What was approved was tried and failed; and what the program says of it.
  public static func failed(_ text: String? = nil) -> AskResult { AskResult(.failed, text) }

  /// Code points of a text at most.
  package static let limit = 2000

  /// Reads what `json` is.
  package init?(_ json: JSON) {
    guard let status = json.text("status").flatMap(Status.init) else { return nil }
    self.init(status, json.text("text"), at: json.text("at").flatMap { Timestamp(rfc3339: $0) })
  }

  /// Reads `status`, `done` or `failed`, and `text` as a program sends them; reports every fault.
  package init?(_ map: Mapping, _ reading: inout Reading) {
    reading.require("status", in: map, of: "a result", remedy: FaultRow("write-status"))
    let given: Given? = reading.word(map["status"], "status"), text = reading.string(map["text"], "text")
    guard let status = given.flatMap({ Status(rawValue: $0.rawValue) }) else { return nil }
    self.init(status, text)
  }

  /// What a program can say.
  private enum Given: String, CaseIterable { case done, failed }

  /// `{"status","text","at"}`
  package var json: JSON {
    [
      "status": .string(status.rawValue), "text": text.map(JSON.string), "at": (at?.description).map(JSON.string),
    ]
  }

  /// True if it is the same, whenever it was said.
  package func saysTheSame(as other: AskResult) -> Bool {
    status == other.status && Array((text ?? "").utf8) == Array((other.text ?? "").utf8)
  }
}
