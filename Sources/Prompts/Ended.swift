/// The end of a question, with all that is told about it.
///
/// Every door takes its members from here: HTTP, callbacks, event streams, lists, the command, agents and Swift. What is
/// to be known of an ending everywhere goes here.
public struct Ended: Sendable, Equatable {
  /// The outcome.
  public let outcome: Outcome
  /// The person or program that ended it, or `nil` if that is not known.
  package var by: By?
  /// The subject of the answer, given by the page that embeds the dialog, or `nil`.
  public package(set) var subject: String?
  /// Where values are, as JSON Pointers (RFC 6901), that differ from those that were proposed; `nil` unless it is OK, and
  /// some were.
  public package(set) var changed: [String]?
  /// What the program did after it; `nil` if it has not said, and has no time in which to say.
  public package(set) var result: AskResult?
  /// The ask’s id, or `nil` for an answer to a standing prompt.
  public package(set) var id: String?
  /// The receipt by which a program looks up such an answer, or `nil` if the page asked for none.
  package var receipt: String?

  /// Its columns in a table, beside those of the values; `by.id` is the member `id` of `by`.
  package static let columns = ["outcome", "action", "reason", "by.id", "by.name", "by.via"]

  /// An ending of your own, for a test.
  public init(_ outcome: Outcome, subject: String? = nil) {
    self.outcome = outcome
    self.subject = subject
  }

  /// Reads what any door has written; or `nil` if that is no ending.
  package init?(_ json: JSON) {
    guard let kind = json.text("outcome").flatMap(Outcome.Kind.init),
      let outcome = Outcome(kind, json.text("action"), json["values"].map(Values.init(json:)), json.text("reason"))
    else { return nil }
    self.init(outcome, subject: json.text("subject"))
    by = json["by"].flatMap(By.init)
    (id, receipt) = (json.text("id"), json.text("receipt"))
    result = json["result"].flatMap(AskResult.init)
    changed = json["changed"].map { _ in json.texts("changed") }
  }

  /// Writes how it ended: for a program, which has the id from what stands around.
  package func writeMembers(to json: inout JSONWriter) {
    json.member("outcome", outcome.word)
    json.member("action", ifPresent: outcome.action)
    if let values = outcome.values { json.member("values") { $0.value(values) } }
    if let changed { json.member("changed", .strings(changed)) }
    json.member("reason", ifPresent: outcome.reason)
    if let by { json.member("by") { $0.value(by.json) } }
    json.member("subject", ifPresent: subject)
    if let result { json.member("result", result.json) }
  }

  /// `{"outcome":"ok","values":{…}}`: for the person’s page, which has the subject.
  ///
  /// - Parameter withProof: whether to add the id or the receipt, by which a backend can check it.
  package func json(withProof: Bool = false) -> [UInt8] {
    var ended = self
    ended.subject = nil
    return JSONWriter.object { json in
      ended.writeMembers(to: &json)
      guard withProof else { return }
      json.member("id", ifPresent: id)
      json.member("receipt", ifPresent: receipt)
    }
  }
}
