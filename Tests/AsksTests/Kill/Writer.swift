import Asks
import Glibc
import Prompts

/// Makes and closes asks, 16 at once, and says each line `ID OUTCOME JSON` on standard output once
/// it is acknowledged.
struct Writer {
  private let store: AskStore

  init(_ path: String) throws { store = try open(path) }

  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<16 { group.addTask { try await work(worker) } }
      try await group.waitForAll()
    }
  }

  private func work(_ worker: Int) async throws {
    for number in 0... {
      var draft = AskDraft(definition: Array("{}".utf8), holdsPasswords: number.isMultiple(of: 7))
      draft.terms.callback = "https://ci.example.com/hook"
      guard case .created(let ask, _) = try await store.create(draft, idempotency: nil) else { continue }
      // Two at once: one is acknowledged as the outcome, and the other as too late.
      async let cancel = store.close(ask.id, as: Ended(.cancel))
      async let answer = store.close(
        ask.id,
        as: Ended(.ok(Values([("worker", .number("\(worker)")), ("number", .number("\(number)"))]))))
      for closing in try await [cancel, answer] {
        guard case .closed(let closed) = closing else { continue }
        say(
          "\(ask.id) \(closed.outcome.rawValue) \(String(decoding: try store.secrets.json(of: closed), as: UTF8.self))\n"
        )
      }
    }
  }

  /// One `write` a line: shorter than PIPE_BUF, so that lines of several threads do not mix.
  private func say(_ line: String) {
    let bytes = Array(line.utf8)
    if write(STDOUT_FILENO, bytes, bytes.count) != bytes.count { exit(1) }
  }
}
