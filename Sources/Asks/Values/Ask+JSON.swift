internal import Prompts
internal import StrictJSON

extension Ask {
  /// `{"id","status":"open"}`: what a waiting program reads until the ask is closed.
  package static func openJSON(_ id: AskID) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("id", id.description)
      json.member("status", "open")
    }
    return json.bytes
  }

  /// What the program that made the ask gets: id, link, status, expiry and metadata.
  ///
  /// - Parameter link: the person's link, whole.
  package func createdJSON(link: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("id", id.description)
      json.member("link", link)
      json.member("status", isOpen ? "open" : "closed")
      json.member("expiresAt", expiresAt.description)
      json.member("metadata") { $0.literal(metadata) }
    }
    return json.bytes
  }
}

extension ClosedAsk {
  /// `{"id","status":"closed","outcome","values","closedAt","metadata"}`, written in one place so
  /// that every store writes the same.
  static func json(
    id: AskID, outcome: Outcome, closedAt: Timestamp, metadata: [UInt8]
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("id", id.description)
      json.member("status", "closed")
      outcome.writeMembers(to: &json)
      json.member("closedAt", closedAt.description)
      json.member("metadata") { $0.literal(metadata) }
    }
    return json.bytes
  }
}
