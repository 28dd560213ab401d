internal import Asks
internal import Foundation
public import Prompts
internal import StrictJSON

extension OKCancelServer {
  /// Puts a prompt to a person and waits for the outcome.
  ///
  /// The server is started if it does not run yet. Cancelling the task withdraws the question.
  ///
  /// - Parameters:
  ///   - expiresIn: after this time the outcome is `expired`.
  ///   - present: brings the link to the person; nil: it is printed on standard error.
  /// - Throws: `SetupFault` for a prompt that cannot be served, or a store that fails.
  public func ask(
    _ prompt: Prompt, expiresIn: Duration = .seconds(86_400),
    present: (@Sendable (_ link: String) -> Void)? = nil
  ) async throws -> Outcome {
    try check(prompt)
    if port == nil { try start() }
    guard
      case .created(let ask, let token) = try await storage.store.create(
        AskDraft(prompt, expiresIn: expiresIn), idempotency: nil)
    else { throw SetupFault("the ask could not be made") }
    if prompt.hasOwnPredicates { knownPrompts.keep(prompt, for: ask.id) }
    defer { knownPrompts.keep(nil, for: ask.id) }
    let link = url + "a/" + token.text
    if let present { present(link) } else { FileHandle.standardError.write(Data("Answer at \(link)\n".utf8)) }
    return try await outcome(of: ask.id)
  }

  private func outcome(of id: AskID) async throws -> Outcome {
    while true {
      // Once cancelled the task waits for nothing: it reads what it has withdrawn.
      let wait: Duration = Task.isCancelled ? .zero : .seconds(55)
      if let closed = try await storage.store.outcome(of: id, among: storage.waiters, atMost: wait) {
        let json = try JSONParser<JSON>.parse(try storage.store.secrets.json(of: closed), limits: .file)
        guard let outcome = Outcome(json) else {
          throw SetupFault("the outcome “\(closed.outcome.rawValue)” is not known")
        }
        return outcome
      }
      // Where the server is stopping nobody waits any more; the store ends this loop when it is closed.
      try? await Task.sleep(for: .milliseconds(100))
      // Withdrawn rather than thrown: the person's page must not stay open for nobody.
      if Task.isCancelled { _ = try await storage.store.withdraw(id) }
    }
  }
}
