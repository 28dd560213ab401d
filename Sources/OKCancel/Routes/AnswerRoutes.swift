internal import Asks
internal import MicroHTTP

/// What programs read of the answers to standing prompts: all of a prompt, or the one of a receipt.
struct AnswerRoutes: Sendable {
  let prompts: PromptService
  let asks: AskService

  /// `GET /prompts/{name}/answers?after=CURSOR`: JSON Lines, oldest first, at most 1000.
  func all(_ request: Request) throws(Problem) -> Reply {
    let name = try prompts.prompt(in: request).name
    var after: StandingAnswer.Cursor?
    if let text = try request.parameter("after") {
      after = StandingAnswer.Cursor(text)
      if after == nil {
        throw Problem(.wrongValue("after", mustBe: "the “cursor” of an answer", not: "“\(text)”"))
      }
    }
    return .later { [after] () throws(Problem) in
      try await asks.response(AnswerLines(store: asks.store, prompt: name, after: after))
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

/// JSON Lines that are read from the store part by part.
protocol StoredLines: Sendable {
  /// Whether there are no more.
  var isOver: Bool { get }
  /// The lines that follow; empty if there are none.
  mutating func next() async throws -> [UInt8]
}

extension AskService {
  /// Sends lines as fast as the client reads them; in between nothing is held, neither the store nor more than a part.
  func response(_ lines: some StoredLines) async throws(Problem) -> Response {
    var lines = lines
    let first = try await withStore { _ in try await lines.next() }
    let body: Response.Body = lines.isOver ? .bytes(first) : .stream { [lines] in await send(first, lines, in: $0) }
    return Response(.ok, headers: [("Content-Type", "application/jsonl")], body: body)
  }

  private func send(_ first: [UInt8], _ rest: some StoredLines, in body: BodyWriter) async {
    var (part, rest) = (first, rest)
    while await body.writeWhenReady(part), !rest.isOver {
      do { part = try await rest.next() } catch {
        _ = problem(error)
        return body.fail()
      }
    }
  }
}

/// Answers to a standing prompt.
private struct AnswerLines: StoredLines {
  let store: AskStore
  let prompt: String
  var after: StandingAnswer.Cursor?
  private var left = 1000
  private(set) var isOver = false

  /// Bytes of answers in a part, and one answer more.
  private static let size = 64 * 1024

  init(store: AskStore, prompt: String, after: StandingAnswer.Cursor?) {
    (self.store, self.prompt, self.after) = (store, prompt, after)
  }

  mutating func next() async throws -> [UInt8] {
    let answers = try await store.answers(to: prompt, after: after, limit: left, bytes: Self.size)
    after = answers.last?.cursor ?? after
    left -= answers.count
    isOver = left == 0 || answers.reduce(0) { $0 + $1.outcome.stored.count } < Self.size
    var lines: [UInt8] = []
    for answer in answers { lines += try answer.line(openedWith: store.secrets) + [UInt8(ascii: "\n")] }
    return lines
  }
}
