internal import Asks
internal import MicroHTTP

/// What programs read of the answers to standing prompts: all of a prompt, or the one of a receipt.
struct AnswerRoutes: Sendable {
  let prompts: PromptService
  let asks: AskService

  /// `GET /prompts/{name}/answers?after=CURSOR`: JSON Lines, oldest first, at most 1000.
  func all(_ request: Request) throws(Problem) -> Reply {
    let name = try prompts.prompt(in: request).name
    let after = try request.cursor("the “cursor” of an answer", StandingAnswer.Cursor.init)
    // Bytes of a part, and one answer more.
    let size = 64 * 1024
    return asks.lines(after: after) { store, after, limit in
      let part = try await store.answers(to: name, after: after, limit: limit, bytes: size)
      let isLast = part.reduce(0) { $0 + $1.outcome.stored.count } < size
      return (try part.map { try $0.line(openedWith: store.secrets) }, part.last?.cursor, isLast)
    }
  }

  /// `GET /receipts/{receipt}`: the answer that a browser says it gave, as often as a program asks for it.
  func receipt(_ request: Request) throws(Problem) -> Reply {
    guard let receipt = Receipt(request.parameters["receipt"] ?? "") else { throw Problem(.unknownReceipt) }
    return .later { () throws(Problem) in
      let found = try await asks.withStore { store in
        try await store.answer(for: receipt)?.json(redeeming: receipt, openedWith: store.secrets)
      }
      guard let found else { throw Problem(.unknownReceipt) }
      return .json(found)
    }
  }
}

extension Request {
  /// `?after=CURSOR`, or `nil` if it is missing.
  func cursor<Cursor>(_ what: String, _ read: (String) -> Cursor?) throws(Problem) -> Cursor? {
    guard let text = try parameter("after") else { return nil }
    guard let cursor = read(text) else { throw Problem(.wrongValue("after", mustBe: what, not: "“\(text)”")) }
    return cursor
  }
}

extension AskService {
  /// Lines that follow a cursor, at most so many; the cursor of the last; and whether there are no more.
  typealias Part<Cursor> = (lines: [[UInt8]], last: Cursor?, isLast: Bool)

  /// At most 1000 lines of JSON as they are read from the store, part by part, as fast as the client takes them. In between
  /// nothing is held, neither the store nor more than a part.
  func lines<Cursor: Sendable>(
    after cursor: Cursor?,
    _ read: @escaping @Sendable (_ store: AskStore, Cursor?, _ limit: Int) async throws -> Part<Cursor>
  ) -> Reply {
    .later { () throws(Problem) in
      let part = try await withStore { try await read($0, cursor, 1000) }
      let (first, left) = (Self.text(part), 1000 - part.lines.count)
      let body: Response.Body =
        part.isLast ? .bytes(first) : .stream { await send(first, after: part.last, left, in: $0, read) }
      return Response(.ok, headers: [("Content-Type", "application/jsonl")], body: body)
    }
  }

  private func send<Cursor: Sendable>(
    _ first: [UInt8], after cursor: Cursor?, _ limit: Int, in body: BodyWriter,
    _ read: (_ store: AskStore, Cursor?, _ limit: Int) async throws -> Part<Cursor>
  ) async {
    var (text, cursor, left, isLast) = (first, cursor, limit, false)
    while await body.writeWhenReady(text), !isLast, left > 0 {
      do {
        let part = try await read(store, cursor, left)
        (text, cursor, left, isLast) = (Self.text(part), part.last, left - part.lines.count, part.isLast)
      } catch {
        _ = problem(error)
        return body.fail()
      }
    }
  }

  private static func text<Cursor>(_ part: Part<Cursor>) -> [UInt8] {
    part.lines.reduce(into: []) { $0 += $1 + [UInt8(ascii: "\n")] }
  }
}
