package import Prompts

/// An ask in a list of them: what its program may read, without its definition.
package struct ListedAsk: Sendable {
  /// A place in the list: give it back to read on from there. It names an ask, and the store finds its position.
  package struct Cursor: Sendable, Hashable, Comparable, CustomStringConvertible {
    let createdAt: Timestamp
    let id: String
    /// The ask's position, by which cursors of one list compare; 0 in one that a program gave back.
    private let position: Int64

    init(createdAt: Timestamp, id: String, position: Int64 = 0) {
      self.createdAt = createdAt
      self.id = id
      self.position = position
    }

    /// - Returns: `nil` if no server would have written such a cursor.
    package init?(_ text: String) {
      var reader = TextReader(text)
      guard let moment = reader.take(some: "0-9"), let milliseconds = Int64(moment), moment == "\(milliseconds)",
        reader.take("-"), AskID(String(reader.rest)) != nil
      else { return nil }
      self.init(createdAt: Timestamp(milliseconds: milliseconds), id: String(reader.rest))
    }

    package var description: String { "\(createdAt.milliseconds)-\(id)" }

    package static func < (one: Self, other: Self) -> Bool { one.position < other.position }
  }

  let id: AskID
  /// Counts up in the order of commits.
  let position: Int64
  /// The named prompt it was made from, or `nil` if it has a definition of its own.
  let prompt: String?
  let createdAt: Timestamp
  let expiresAt: Timestamp
  let terms: AskTerms
  /// The end of the ask, or `nil` while it is open.
  let closed: ClosedAsk?

  /// When its result came, or `nil` if it has none.
  let resultAt: Timestamp?

  /// With the result it comes again in the list, as another entry.
  package var cursor: Cursor { Cursor(createdAt: resultAt ?? createdAt, id: id.description, position: position) }

  /// One line of JSON Lines: `{"cursor","prompt","createdAt","expiresAt"}` and the members that `GET /asks/{id}` has,
  /// with the metadata of an open ask too.
  ///
  /// - Throws: `PlainError` if the outcome is sealed and these secrets do not open it.
  package func line(openedWith secrets: SecretBox, at now: Timestamp? = nil) throws(PlainError) -> [UInt8] {
    let kept = try closed.map { (closed) throws(PlainError) in try secrets.open(closed.json) }
    let result = try closed.flatMap { (closed) throws(PlainError) in try secrets.result(of: closed, at: now) }
    return JSONWriter.object { json in
      json.member("cursor", cursor.description)
      json.member("prompt", ifPresent: prompt)
      json.member("createdAt", createdAt.description)
      json.member("expiresAt", expiresAt.description)
      terms.writePeople(to: &json)
      if let kept {
        json.members(of: kept)
        if let result { json.member("result", result.json) }
        return
      }
      json.member("id", id.description)
      json.member("status", "open")
      terms.writeMembers(to: &json)
    }
  }
}
