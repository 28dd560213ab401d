package import Prompts
internal import StrictJSON

/// An ask in a list of them: what its program may read, without its definition.
package struct ListedAsk: Sendable {
  /// A place in the list: give it back to read on from there.
  package struct Cursor: Sendable, Hashable, Comparable, CustomStringConvertible {
    let createdAt: Timestamp
    /// Tells asks of the same millisecond apart.
    let id: String

    static let start = Cursor(createdAt: Timestamp(milliseconds: -1), id: "")

    init(createdAt: Timestamp, id: String) { (self.createdAt, self.id) = (createdAt, id) }

    /// - Returns: `nil` if no server would have written such a cursor.
    package init?(_ text: String) {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, let milliseconds = Int64(parts[0]), milliseconds >= 0, String(milliseconds) == parts[0],
        let id = AskID(String(parts[1]))
      else { return nil }
      self.init(createdAt: Timestamp(milliseconds: milliseconds), id: id.description)
    }

    package var description: String { "\(createdAt.milliseconds)-\(id)" }

    package static func < (one: Self, other: Self) -> Bool {
      (one.createdAt, one.id) < (other.createdAt, other.id)
    }
  }

  package let id: AskID
  /// The named prompt it was made from, or `nil` if it has a definition of its own.
  package let prompt: String?
  package let createdAt: Timestamp
  package let expiresAt: Timestamp
  let metadata: [UInt8]
  /// How it ended, or `nil` while it is open.
  package let closed: ClosedAsk?

  package var cursor: Cursor { Cursor(createdAt: createdAt, id: id.description) }

  /// One line of JSON Lines: `{"cursor","prompt","createdAt","expiresAt"}` and the members that `GET /asks/{id}` has,
  /// with the metadata of an open ask too.
  ///
  /// - Throws: `SecretFault` if the outcome is sealed and these secrets do not open it.
  package func line(openedWith secrets: SecretBox) throws(SecretFault) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("cursor", cursor.description)
      json.member("prompt", ifPresent: prompt)
      json.member("createdAt", createdAt.description)
      json.member("expiresAt", expiresAt.description)
      if closed == nil {
        json.member("id", id.description)
        json.member("status", "open")
        json.member("metadata") { $0.literal(metadata) }
      }
    }
    guard let closed else { return json.bytes }
    return json.bytes.dropLast() + [UInt8(ascii: ",")] + (try secrets.json(of: closed)).dropFirst()
  }
}

extension AskStore {
  /// Asks, oldest first. One that is made meanwhile may be missing from what was read; none that stays is read twice.
  ///
  /// - Parameters:
  ///   - areOpen: whether to list the open ones or the closed ones, or `nil` for both.
  ///   - prompt: the named prompt that they were made from, or `nil` for all.
  ///   - cursor: where the last reading ended, or `nil` to read from the first.
  ///   - limit: at most so many.
  package func asks(
    areOpen: Bool?, of prompt: String?, after cursor: ListedAsk.Cursor?, limit: Int
  ) async throws -> [ListedAsk] {
    let start = cursor ?? .start
    if let areOpen { return try await asks(areOpen: areOpen, of: prompt, after: start, limit: limit) }
    // An ask that closes between the two is in both.
    let open = try await asks(areOpen: true, of: prompt, after: start, limit: limit)
    let closed = try await asks(areOpen: false, of: prompt, after: start, limit: limit)
    let ended = Set(closed.map(\.id))
    return (open.filter { !ended.contains($0.id) } + closed).sorted { $0.cursor < $1.cursor }.prefix(limit).map(\.self)
  }
}
