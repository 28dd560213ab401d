package import Prompts

/// The terms of an ask that a program gives beside the question, as they are kept. Whatever else is only kept, and
/// given back, goes here, and has a column.
package struct AskTerms: Sendable {
  /// The program's own JSON object, given back with the outcome.
  package var metadata = Array("{}".utf8)
  /// The URL that gets the outcome, if there is one. The caller checks whether it is allowed.
  package var callback: String?
  /// `for` and `notBy` of this ask; its definition may have others.
  package var answerers = Answerers()
  /// The person for whom the program asks, and who therefore never answers; or `nil`.
  package var requestedBy: Person?
  /// The person whose link it is, as the program says; or `nil` for whoever has it.
  package var person: Person?
  /// The ids of other asks: whoever answered one of them does not answer this one, and the other way round. Those in its
  /// definition are among them.
  var apartFrom: [String] = []
  /// Who is told of the ask, or `nil` if nobody is.
  package var notices: Notices?
  /// The name of the program that asks, as its token has it, or `nil` for a token without a name.
  package var askedBy: String?
  /// The call of a coding agent that it is about, as `AskStore.asks(underHook:)` finds it; or `nil`.
  package var hook: String?

  /// The time after an answer that the program has to say what came of it, or `nil` if nobody waits for that.
  package var resultWithin: Duration?

  init() {}

  /// Those of a row of `asks`.
  init(_ row: StoreRow) throws {
    (metadata, callback) = (try row.kept(row.bytes("metadata")), row.text("callback"))
    (askedBy, hook) = (row.text("asked_by"), row.text("hook"))
    resultWithin = row.integer("result_within").map { .seconds($0) }
    guard let people = row.bytes("people") else { return }
    guard let json = try? JSON(parsing: people, limits: .kept) else {
      throw StoreFault("read-failed", ["detail": "who may answer an ask is not JSON"])
    }
    answerers.only = json.texts("for").map { Answerers.Entry($0) }
    answerers.never = json.texts("notBy").map { Answerers.Entry($0) }
    (requestedBy, person) = (json["requestedBy"].flatMap(Person.init), json["person"].flatMap(Person.init))
    apartFrom = json.texts("apartFrom")
    notices = json["notices"].map { Notices(kept: $0) }
  }

  /// Its part of the ask's row.
  var columns: NamedValues {
    [
      "metadata": .bytes(metadata), "callback": .text(callback), "people": .bytes(people), "asked_by": .text(askedBy),
      "hook": .text(hook), "result_within": .integer(resultWithin?.components.seconds),
    ]
  }

  /// `nil` if everybody may answer, and nobody is told.
  private var people: [UInt8]? {
    let json = JSONWriter.object { json in
      writeAnswerers(to: &json)
      if let notices { json.member("notices") { notices.write(to: &$0) } }
      if !apartFrom.isEmpty { json.member("apartFrom", .strings(apartFrom)) }
    }
    return json.count > 2 ? json : nil
  }

  /// Writes what the program gets back with the ask and with its outcome.
  func writeMembers(to json: inout JSONWriter) {
    json.member("askedBy", ifPresent: askedBy)
    json.member("metadata") { $0.literal(metadata) }
  }

  /// Writes what the program gets back with the ask: `for`, `notBy`, `requestedBy`, `person`, `notify`, `remindBefore` and
  /// `resultWithin`, each only if it was given.
  func writePeople(to json: inout JSONWriter) {
    writeAnswerers(to: &json)
    notices?.noticePlan.writeMembers(to: &json)
    json.member("resultWithin", ifPresent: resultWithin?.brief)
  }

  private func writeAnswerers(to json: inout JSONWriter) {
    answerers.writeMembers(to: &json)
    if let requestedBy { json.member("requestedBy", requestedBy.json) }
    if let person { json.member("person", person.json) }
  }

  // MARK: Judging

  /// True if this visitor may answer, as far as the ask's own names and groups tell. The definition's, and who answered
  /// another ask, are not looked at.
  ///
  /// - Parameter visitor: who it is, or `nil` if nobody says so.
  package func admit(_ visitor: Person?) -> Bool {
    if let person, let visitor, visitor.key != person.key { return false }
    guard let somebody = visitor ?? person else { return answerers.isEmpty && apartFrom.isEmpty }
    return somebody.key != requestedBy?.key && answerers.admit(somebody)
  }

  /// The one who is recorded to have answered: the key of a person, empty if nobody says who it was, or `nil` if it was
  /// not answered.
  func answerer(of ended: Ended) -> String? {
    switch ended.outcome {
    case .ok, .cancelled, .action: (ended.by?.person ?? person)?.key ?? ""
    case .expired, .withdrawn: nil
    }
  }
}
