package import Prompts

extension SecretBox {
  /// The closed ask as JSON, the same bytes for every reader: `{"prompt","createdAt","id","status":"closed","outcome",…}`.
  /// It holds passwords: only for readers with the API token, and for the callback.
  ///
  /// - Parameter now: the moment at which the result is read, or `nil` to leave it out.
  package func json(of closed: ClosedAsk, withResultAt now: Timestamp? = nil) throws(PlainError) -> [UInt8] {
    let kept = try open(closed.json)
    let came = try now.flatMap { (now) throws(PlainError) in try result(of: closed, at: now) }
    return JSONWriter.object { json in
      json.member("prompt", ifPresent: closed.prompt)
      json.member("createdAt", closed.createdAt.description)
      json.members(of: kept)
      if let came { json.member("result", came.json) }
    }
  }

  /// What the program did after the answer; `nil` if it may still say so, or nobody waits for that.
  package func result(of closed: ClosedAsk, at now: Timestamp?) throws(PlainError) -> AskResult? {
    if let kept = closed.result { return (try? JSON(parsing: try open(kept))).flatMap(AskResult.init) }
    guard closed.wasAnswered, let within = closed.resultWithin, let now,
      closed.closedAt + within <= now
    else { return nil }
    return AskResult(.unknown)
  }

  /// The end of the ask, and its result.
  ///
  /// - Throws: `PlainError` as `json(of:)`, or `StoreFault` if it is not readable.
  package func ended(_ closed: ClosedAsk, at now: Timestamp? = nil) throws -> Ended {
    var ended = try Ended(kept: try open(closed.json))
    ended.result = try result(of: closed, at: now)
    return ended
  }

  /// Who ended the ask and when: `ada@example.com, 2026-11-26 14:02 UTC`; `nil` if nobody says who it was.
  package func author(of closed: ClosedAsk) throws -> String? {
    try ended(closed).by?.person.map { "\($0.shownName), \(closed.closedAt.inMinutes)" }
  }

  /// How this request ended the ask; `nil` if another one did: with another idempotency key or body, or by somebody else.
  package func ended(_ closed: ClosedAsk, by key: IdempotencyKey) throws -> Ended? {
    guard let request = closed.request, answerFingerprints(of: key).contains(request) else { return nil }
    let ended = try ended(closed)
    return ended.by?.person?.key == key.sender ? ended : nil
  }
}

extension Ended {
  /// Reads what a store keeps of an answer.
  init(kept json: [UInt8]) throws {
    guard let ended = Ended(try JSON(parsing: json, limits: .file)) else {
      throw StoreFault("read-failed", ["detail": "an outcome is not known"])
    }
    self = ended
  }
}
