internal import Asks
internal import MicroHTTP
internal import Prompts

/// Serves the answers to standing prompts to programs: all of a prompt, or the one of a receipt.
struct AnswerRoutes: Sendable {
  let asks: AskService

  /// `GET /prompts/{name}/answers?after=CURSOR&limit=1000`: JSON Lines, oldest first.
  func all(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let request = visit.request
    let name = request.segment("name") ?? ""
    if !NamedPrompt.isName(name) { _ = try asks.registry.prompt(name) }
    let after = try request.parameter("after", mustBe: "the “cursor” of an answer", StandingAnswer.Cursor.init)
    return try asks.lines(for: request, after: after) { store, after, limit -> [StandingAnswer] in
      // A part ends with the answer that takes it to 64 KiB.
      let part = try await store.answers(to: name, after: after, limit: limit, bytes: 64 * 1024)
      if part.isEmpty { try await asks.checkAnswers(to: name) }
      return part
    }
  }

  /// `GET /receipts/{receipt}`: the answer that a browser says it gave, as often as a program asks for it.
  func receipt(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    guard let receipt = Receipt(visit.request.segment("receipt") ?? "") else { throw Problem("unknown-receipt") }
    return .later { () throws(Problem) in
      let found = try await asks.withStore { store in
        try await store.answer(for: receipt)?.json(redeeming: receipt, openedWith: store.secrets)
      }
      guard let found else { throw Problem("unknown-receipt") }
      return .json(found)
    }
  }
}

extension Request {
  /// Reads a query parameter; `nil` if it is missing.
  ///
  /// - Parameters:
  ///   - rule: what it must be.
  ///   - read: returns `nil` for anything else.
  func parameter<Value>(_ name: String, mustBe rule: String, _ read: (String) -> Value?) throws(Problem) -> Value? {
    guard let text = try parameter(name) else { return nil }
    guard let value = read(text) else { throw Problem("wrong-value.not", ["name": name, "rule": rule, "text": text]) }
    return value
  }
}

extension ClosedRange<Int> {
  /// The number that a text says, if it is one of these.
  func number(_ text: String) -> Int? { Int(text).flatMap { contains($0) ? $0 : nil } }
}

/// A line in a list of lines of JSON.
protocol ListedLine: Sendable {
  associatedtype Cursor: Comparable & CustomStringConvertible & Sendable
  var cursor: Cursor { get }
  func line(openedWith secrets: SecretBox, at now: Timestamp?) throws(PlainError) -> [UInt8]
}

extension StandingAnswer: ListedLine {}
extension ListedAsk: ListedLine {}

extension AskService {
  /// Responds with up to `limit` lines of JSON (the query parameter, 1000 at most). They are read from the store part
  /// by part, as fast as the client takes them: only one part is in memory at a time, and the store is not held.
  ///
  /// - Parameter read: returns up to `limit` lines after a cursor, or none if there are no more.
  func lines<Line: ListedLine>(
    for request: Request, after cursor: Line.Cursor?,
    _ read: @escaping @Sendable (_ store: AskStore, Line.Cursor?, _ limit: Int) async throws -> [Line]
  ) throws(Problem) -> Eventual<Response> {
    let given = try request.parameter("limit", mustBe: "a whole number from 1 to 1000") { (1...1000).number($0) }
    let limit = given ?? 1000
    return .later { () throws(Problem) in
      try await self.withStore { store in
        let first = try await read(store, cursor, limit)
        // The `Link` header to the next page is sent before the first line, so find first where this page ends.
        var (end, left) = (first.last?.cursor, limit - first.count)
        var next = try await read(store, end ?? cursor, max(left, 1))
        while left > 0, let last = next.last {
          (end, left) = (last.cursor, left - next.count)
          next = try await read(store, end, max(left, 1))
        }
        let bytes = try Self.text(first, store)
        var response = Response(.ok, headers: [("Content-Type", "application/jsonl")], body: .bytes(bytes))
        guard let end else { return response }
        if !next.isEmpty {
          let query = request.query.pairs.filter { $0.name != "after" }.map { "\($0.name)=\($0.value)&" }.joined()
          response.headers.append(("Link", "<\(self.basePath)\(request.path)?\(query)after=\(end)>; rel=\"next\""))
        }
        if let last = first.last?.cursor, last < end {
          response.body = .stream { await self.send(bytes, after: last, to: end, in: $0, read) }
        }
        return response
      }
    }
  }

  private func send<Line: ListedLine>(
    _ first: [UInt8], after cursor: Line.Cursor, to end: Line.Cursor, in body: BodyWriter,
    _ read: (_ store: AskStore, Line.Cursor?, _ limit: Int) async throws -> [Line]
  ) async {
    var (text, cursor) = (first, cursor)
    while await body.writeWhenReady(text), cursor < end {
      do {
        let part = try await read(store, cursor, 1000).filter { $0.cursor <= end }
        (text, cursor) = (try Self.text(part, store), part.last?.cursor ?? end)
      } catch {
        _ = problem(error)
        return body.fail()
      }
    }
  }

  private static func text(_ part: [some ListedLine], _ store: AskStore) throws -> [UInt8] {
    let now = store.clock.now
    return try part.reduce(into: []) { $0 += try $1.line(openedWith: store.secrets, at: now) + [UInt8(ascii: "\n")] }
  }
}
