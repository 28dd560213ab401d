internal import Asks
internal import Foundation
public import Prompts
internal import StrictJSON

extension OKCancelServer {
  /// Asks a person for one value, which the outcome holds as `value`.
  ///
  /// ```swift
  /// let outcome = try await server.ask("Your email", kind: .email, rules: [.nonEmpty])
  /// if case .ok(let values) = outcome { print(values["value"]) }
  /// ```
  ///
  /// - Parameters:
  ///   - question: the dialog's title, and the label of its only field.
  ///   - kind: what the field takes.
  ///   - rules: what its text must meet.
  ///   - language: the language of the question as a tag, like `de` (BCP 47), or `nil` for the server's.
  ///   - expiresIn: how long the person has; after that the outcome is `expired`.
  ///   - present: brings the link to the person, or `nil` to print it on standard error.
  /// - Throws: `SetupFault` if the server cannot start or the prompt cannot be served, or what the store throws.
  public func ask(
    _ question: String, kind: Field.Kind = .text, rules: [Rule] = [], language: String? = nil,
    expiresIn: Duration = .seconds(86_400), present: (@Sendable (_ link: String) -> Void)? = nil
  ) async throws -> Outcome {
    let prompt = Prompt(
      title: question, language: language, fields: [Field("value", label: question, kind: kind, rules: rules)])
    return try await ask(prompt, expiresIn: expiresIn, present: present)
  }

  /// Puts a prompt to a person and waits for the outcome.
  ///
  /// This starts the server if it is not running yet. Cancelling the task withdraws the question.
  ///
  /// - Parameters:
  ///   - prompt: what to ask.
  ///   - language: the person's as a tag, like `de` (BCP 47), or `nil` to follow the browser. It counts if the prompt is
  ///     translated.
  ///   - expiresIn: how long the person has; after that the outcome is `expired`.
  ///   - present: brings the link to the person, or `nil` to print it on standard error.
  /// - Throws: `SetupFault` if the server cannot start or the prompt cannot be served, or what the store throws.
  public func ask(
    _ prompt: Prompt, language: String? = nil, expiresIn: Duration = .seconds(86_400),
    present: (@Sendable (_ link: String) -> Void)? = nil
  ) async throws -> Outcome {
    var prompt = prompt
    prompt.language = prompt.language ?? self.language
    try check(prompt)
    if let language {
      guard let wanted = Language(language) else {
        throw SetupFault("“\(language)” is no language; write a tag like `de` or `pt-BR`")
      }
      prompt.askedIn = wanted.lookup(in: prompt.languages)
    }
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
        return try storage.store.secrets.outcome(of: closed)
      }
      // While the server is stopping nobody can wait; the store ends this loop when it is closed.
      try? await Task.sleep(for: .milliseconds(100))
      // Withdrawn rather than thrown: the person's page must not stay open for nobody.
      if Task.isCancelled { _ = try await storage.store.withdraw(id) }
    }
  }
}
