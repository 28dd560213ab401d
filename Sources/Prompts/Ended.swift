package import StrictJSON

/// How a question has ended, with all that is told of it.
///
/// Every door takes its members from here: HTTP, callbacks, event streams, lists, the command, agents and Swift. What is
/// to be known of an ending everywhere goes here.
public struct Ended: Sendable, Equatable {
  /// How it ended.
  public let outcome: Outcome
  /// Who ended it, or `nil` if that is not known.
  package var by: By?
  /// Why the person refused, or `nil` if they did not say.
  package var reason: String?
  /// What the page that embeds the dialog says that the answer is about, or `nil`.
  public package(set) var subject: String?
  /// The ask’s id, or `nil` for an answer to a prompt on offer.
  public package(set) var id: String?
  /// What a program looks up such an answer by, or `nil` if the page asked for no receipt.
  package var receipt: String?

  /// Its columns in a table, beside those of the values; `by.id` is the member `id` of `by`.
  package static let columns = ["outcome", "action", "by.id", "by.name", "by.via"]

  /// An ending of your own, for a test.
  public init(_ outcome: Outcome, subject: String? = nil) { (self.outcome, self.subject) = (outcome, subject) }

  /// Reads what any door has written; or `nil` if that is no ending.
  package init?(_ json: JSON) {
    guard let kind = json.text("outcome").flatMap(Outcome.Kind.init),
      let outcome = Outcome(kind, json.text("action"), json["values"].map(Values.init(json:)))
    else { return nil }
    self.init(outcome, subject: json.text("subject"))
    (by, reason) = (json["by"].flatMap(By.init), json.text("reason"))
    (id, receipt) = (json.text("id"), json.text("receipt"))
  }

  /// Writes how it ended: for a program, which has the id from what stands around.
  package func writeMembers(to json: inout JSONWriter) {
    json.member("outcome", outcome.word)
    json.member("action", ifPresent: outcome.action)
    if let values = outcome.values { json.member("values") { $0.value(values) } }
    if let by { json.member("by") { $0.value(by.json) } }
    json.member("reason", ifPresent: reason)
    json.member("subject", ifPresent: subject)
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

extension Ended {
  /// Who ended a question, and how that is known.
  package struct By: Sendable, Equatable {
    package enum Way: String, Sendable {
      /// A proxy's header, its signed token, or the program that asks names the person.
      case header, jwt, program
      /// All that is known is that they had the link.
      case link
      /// It was answered in the terminal, or by a test.
      case terminal, test
    }

    package let way: Way
    /// `nil` if nobody says who it was.
    package let person: Person?

    package init(_ way: Way, _ person: Person? = nil) { (self.way, self.person) = (way, person) }

    /// Somebody who had the link.
    package static let link = By(.link)

    fileprivate init?(_ json: JSON) {
      guard let way = json.text("via").flatMap(Way.init) else { return nil }
      self.init(way, json.text("id").map { Person(id: $0, name: json.text("name")) })
    }

    fileprivate var json: JSON {
      [
        "id": person.map { .string($0.id) }, "name": person?.name.map(JSON.string), "via": .string(way.rawValue),
      ]
    }
  }
}
