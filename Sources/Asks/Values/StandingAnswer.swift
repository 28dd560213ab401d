package import Prompts

/// One person's answer to a standing prompt, which is open to all.
package struct StandingAnswer: Sendable {
  /// A place in the list of a prompt's answers: give it back to read on from there.
  package struct Cursor: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Counts up with every answer; its steps mean nothing.
    let position: Int64

    init(position: Int64) { self.position = position }

    /// - Returns: `nil` if no server would have written such a cursor.
    package init?(_ text: String) {
      guard let position = Int64(text), position >= 0, String(position) == text else { return nil }
      self.position = position
    }

    package var description: String { String(position) }
    package static func < (one: Self, other: Self) -> Bool { one.position < other.position }
  }

  /// The prompt's name.
  let prompt: String
  package let cursor: Cursor
  let answeredAt: Timestamp
  /// `{"outcome",…}` as the person answered, with `subject` if the page gave one; sealed if the prompt has a password field.
  let outcome: Sealable

  /// The person's answer.
  ///
  /// - Throws: as `line(openedWith:)`.
  package func ended(openedWith secrets: SecretBox) throws -> Ended {
    try Ended(kept: try secrets.open(outcome))
  }

  /// One line of JSON Lines: `{"cursor","answeredAt","outcome","values","subject"}`.
  ///
  /// - Throws: `PlainError` if the answer is sealed and these secrets do not open it.
  package func line(openedWith secrets: SecretBox, at now: Timestamp? = nil) throws(PlainError) -> [UInt8] {
    try json(openedWith: secrets) { _ in }
  }

  /// The JSON for which a receipt is redeemed:
  /// `{"receipt","prompt","cursor","answeredAt","outcome","values","subject"}`.
  ///
  /// - Throws: as `line(openedWith:)`.
  package func json(redeeming receipt: Receipt, openedWith secrets: SecretBox) throws(PlainError) -> [UInt8] {
    try json(openedWith: secrets) { json in
      json.member("receipt", receipt.description)
      json.member("prompt", prompt)
    }
  }

  private func json(
    openedWith secrets: SecretBox, _ first: (inout JSONWriter) -> Void
  ) throws(PlainError) -> [UInt8] {
    let outcome = try secrets.open(outcome)
    return JSONWriter.object { json in
      first(&json)
      json.member("cursor", cursor.description)
      json.member("answeredAt", answeredAt.description)
      json.members(of: outcome)
    }
  }
}

package extension AskStore {
  /// Keeps an answer to a standing prompt, or finds the one that was kept with this key.
  ///
  /// - Parameters:
  ///   - holdsPasswords: whether the prompt has a password field.
  ///   - receipt: what the answer can be looked up by, if anything.
  func append(
    _ ended: Ended, to prompt: String, holdsPasswords: Bool, receipt: Receipt?, idempotency key: IdempotencyKey?
  ) async throws -> AppendResult {
    // The position is not known before the row is there: a random context stands in for it.
    let context = holdsPasswords ? "answer \(RandomText())" : ""
    let kept = secrets.seal(JSONWriter.object(ended.writeMembers), context: context, if: holdsPasswords)
    // What an older version kept by this person.
    if let key, key.sender != nil, let found = try await answer(keptWith: key, to: prompt) { return found }
    let row: NamedValues = [
      "prompt": .text(prompt), "answered_at": .moment(clock.now), "context": .text(context),
      "outcome": .bytes(kept.stored), "receipt": .text(receipt?.description),
    ]
    for fingerprints in key.map({ secrets.fingerprints(of: $0, to: prompt) }) ?? [[]] {
      let values = row.merging([
        "idempotency_key": .bytes(fingerprints.first?.key), "idempotency_body": .bytes(fingerprints.first?.body),
      ])
      let result = try await insert(
        .append, values, locking: [.prompt(prompt)], unless: .answerByKey, has: fingerprints
      ) { try isAnswer($0, by: key) }
      if let result = try AppendResult(result) { return result }
    }
    return .conflict
  }

  /// The result that `append` would have by this key, or `nil` if it would keep an answer.
  func answer(keptWith key: IdempotencyKey, to prompt: String) async throws -> AppendResult? {
    for fingerprints in secrets.fingerprints(of: key, to: prompt) {
      let found = try await find(.answerByKey, fingerprints[...], of: fingerprints) { try isAnswer($0, by: key) }
      if let result = try found.flatMap(AppendResult.init) { return result }
      // Nobody has used it.
      if found == nil, key.sender == nil { return nil }
    }
    return nil
  }

  private func isAnswer(_ row: StoreRow, by key: IdempotencyKey?) throws -> Bool {
    try StandingAnswer(row).ended(openedWith: secrets).by?.person?.key == key?.sender
  }

  /// The answer that this receipt was given for, or `nil` if there is none, or no longer.
  func answer(for receipt: Receipt) async throws -> StandingAnswer? {
    try await read(.answerByReceipt, ["receipt": .text(receipt.description)]).first.map { try StandingAnswer($0) }
  }

  /// Answers to a standing prompt, oldest first.
  ///
  /// - Parameters:
  ///   - cursor: where the last reading ended, or `nil` to read from the first.
  ///   - limit: how many answers to return at most.
  ///   - bytes: stops after the answer with which the stored outcomes reach this many bytes in total.
  func answers(
    to prompt: String, after cursor: StandingAnswer.Cursor?, limit: Int, bytes: Int
  ) async throws -> [StandingAnswer] {
    var (found, size): ([StandingAnswer], Int) = ([], 0)
    // Few at once, and more only while they are small: together they may be larger than what is wanted.
    var count = 1
    while found.count < limit, size < bytes {
      let last = found.last?.cursor ?? cursor
      count = min(limit - found.count, 2 * count, 32)
      let rows = try await read(
        .answers, ["prompt": .text(prompt), "after": .integer(last?.position ?? 0), "limit": .integer(count)])
      for answer in try rows.map({ try StandingAnswer($0) }) where size < bytes {
        found.append(answer)
        size += answer.outcome.stored.count
      }
      if rows.count < count { break }
    }
    return found
  }
}

/// The result of keeping an answer to a standing prompt.
package enum AppendResult: Sendable {
  /// A new answer.
  case kept(StandingAnswer.Cursor)
  /// The answer that was kept with this key and body before, and its receipt.
  case existing(StandingAnswer, Receipt?)
  /// The key was used with another body.
  case conflict

  /// - Returns: `nil` if the key is somebody else's.
  init?(_ result: InsertResult) throws {
    switch result {
    case .othersKey: return nil
    case .inserted(let row): self = .kept(StandingAnswer.Cursor(position: try row.kept(row.integer("position"))))
    case .existing(let row): self = .existing(try StandingAnswer(row), row.text("receipt").flatMap { Receipt($0) })
    case .conflict: self = .conflict
    }
  }
}
