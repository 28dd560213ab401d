internal import Asks
public import Foundation
public import Prompts
internal import SystemPackage

/// Puts prompts to people: an `OKCancelServer` by itself, a `Client` through a server that runs elsewhere.
public protocol Asker: Sendable {
  /// Makes an ask and does not wait: bring its link to the person, and get its outcome later.
  func create(_ question: Question) async throws(AskFault) -> CreatedAsk

  /// Waits for an ask to end. Returns how it ended, or `nil` if it is still open after that time.
  ///
  /// - Parameters:
  ///   - id: the ask’s, as `CreatedAsk` has it.
  ///   - duration: how long to wait at most; zero only looks.
  /// - Throws: `AskFault`, or `CancellationError` if the task is cancelled; the ask stays open then.
  func end(of id: String, within duration: Duration) async throws -> Ended?

  /// Takes an open ask back.
  ///
  /// - Returns: `withdrawn`, or how the ask ended if it had ended before.
  @discardableResult
  func withdraw(_ id: String) async throws(AskFault) -> Outcome

  /// Says what came of an answer, `ok` or an action: the person’s page shows it, and everything that shows the outcome. Only
  /// the first result counts; to say the same again changes nothing.
  ///
  /// ```swift
  /// try await server.finish(ask.id, .failed("Cluster unreachable"))
  /// ```
  ///
  /// - Throws: `AskFault` if there is no such ask, if it was not answered, or if another result was given before.
  func finish(_ id: String, _ result: AskResult) async throws(AskFault)

  /// Answers to a prompt that the server offers, oldest first.
  ///
  /// - Parameters:
  ///   - prompt: its name.
  ///   - cursor: the cursor of the last answer that was read, or `nil` to begin with the first.
  ///   - limit: how many answers to return at most, from 1 to 1000. If fewer are returned, there are no more.
  func answers(to prompt: String, after cursor: String?, limit: Int) async throws(AskFault) -> [Answer]
}

/// A prompt, and the terms of this one ask.
///
/// ```swift
/// let question = Question(prompt) {
///   $0.values = ["region": "fra"]
///   $0.context = [.diff(diff)]
///   $0.metadata = ["order": 7]
/// }
/// ```
public struct Question: Sendable {
  enum Source { case prompt(Prompt), offered(String) }

  var source: Source
  /// The initial values, as an answer has them.
  public var values: Values = [:]
  /// The material for the person's decision, above the fields and after the prompt’s own; at most 16 KiB as JSON.
  public var context: [Prompt.Context] = []
  /// Comes back with the outcome over HTTP and in callbacks: anything that is a JSON object of at most 4 KiB; or `nil`.
  public var metadata: (any Encodable & Sendable)?
  /// A URL that gets the closed ask, which the server must allow; or `nil`.
  public var callback: URL?
  /// The person’s language as a tag, like `de` (BCP 47), or `nil` to follow the browser. It counts if the prompt is
  /// translated.
  public var language: String?
  /// The time that the person has, from a second to 366 days, rounded up to whole seconds; then the outcome is
  /// `expired`.
  public var timeout: Duration = .seconds(86_400)
  /// Who may answer: ids of people, and `group:NAME`; empty for everybody. The server must know who its visitors are.
  public var `for`: [String] = []
  /// Who may not answer, in the same words; and `ask:ID` for whoever answers that ask.
  public var notBy: [String] = []
  /// The person for whom the program asks, who is shown and never answers; or `nil`.
  public var requestedBy: Person?
  /// The person whose link it is, if the program knows them; or `nil`. The token must have the scope `vouch`.
  public var person: Person?
  /// The server’s channels that tell people of the ask, and `for` to mail everybody in `for`; or `nil` for those of the
  /// prompt.
  public var notify: [String]?
  /// The time before the end at which they are told again, in whole seconds; or `nil` for that of the prompt.
  public var remindBefore: Duration?
  /// The time after an answer in which you say what came of it, in whole seconds: see `Asker.finish`. After that it is
  /// unknown. `nil` for that of the prompt.
  public var resultWithin: Duration?
  /// Names this ask (`Idempotency-Key`): the same key with the same question is the same ask, for another process too; up
  /// to 255 visible ASCII characters. `nil` for a new ask.
  public var key: String?

  /// - Parameters:
  ///   - prompt: what to ask.
  ///   - change: sets what else the ask has.
  public init(_ prompt: Prompt, _ change: (inout Question) -> Void = { _ in }) {
    source = .prompt(prompt)
    change(&self)
  }

  /// The same for a prompt that the server offers under this name.
  public init(promptNamed name: String, _ change: (inout Question) -> Void = { _ in }) {
    source = .offered(name)
    change(&self)
  }

  /// All that it says besides its prompt, as the body of `POST /asks` has it.
  ///
  /// - Throws: `AskFault` if the key cannot be sent or the metadata is no JSON.
  func terms() throws(AskFault) -> JSON {
    if let key, IdempotencyKey(key, body: []) == nil {
      throw .setup("a key has at most 255 visible ASCII characters, without spaces")
    }
    return try AskFault.wrapping {
      .object(try AskKey.all.compactMap { key in try key.said(self).map { JSON.Member(key.name, $0) } })
    }
  }

  /// The body of `POST /asks`: the same bytes for the same question.
  ///
  /// - Throws: as `terms`.
  func body() throws(AskFault) -> [UInt8] {
    let terms = try terms()
    return JSONWriter.object { json in
      switch source {
      case .offered(let name): json.member("prompt", name)
      case .prompt(let prompt): json.member("definition") { prompt.writeDefinition(to: &$0) }
      }
      for term in terms.members { json.member(term.key) { $0.value(term.value) } }
    }
  }
}

/// An ask that was made, or found by its key.
public struct CreatedAsk: Sendable, Hashable {
  /// The identifier by which programs know it.
  public let id: String
  /// The link at which the person answers, or `nil` if the ask has ended.
  public let link: URL?
  /// The name of the program that asks, which the person sees; or `nil` if its token has none.
  public let askedBy: String?

  /// An ask of an `Asker` of your own, as a test has one.
  public init(id: String, link: URL?, askedBy: String? = nil) {
    self.id = id
    self.link = link
    self.askedBy = askedBy
  }
}

/// An answer to a prompt that a server offers.
public struct Answer: Sendable, Equatable {
  /// Its place among the answers: give it back to read on from there.
  public let cursor: String
  /// The moment at which it was given.
  public let answeredAt: Date
  /// The end of the dialog: the outcome, `ok` or an `action`, and what belongs to it.
  public let ended: Ended
  /// `ok`, or an `action`.
  public var outcome: Outcome { ended.outcome }
  /// The subject of the answer, given by the page that embeds the dialog, or `nil`.
  public var subject: String? { ended.subject }

  /// Reads a line of `GET /prompts/{name}/answers`; `nil` if it is none.
  init?(_ json: JSON) {
    guard let cursor = json.text("cursor"), let ended = Ended(json),
      let answeredAt = json.text("answeredAt").flatMap({ Timestamp(rfc3339: $0) })
    else { return nil }
    self.cursor = cursor
    self.answeredAt = Date(timeIntervalSince1970: Double(answeredAt.milliseconds) / 1000)
    self.ended = ended
  }
}

// MARK: Asking and waiting

extension Asker {
  /// Does nothing, for an `Asker` of your own that keeps no results.
  public func finish(_ id: String, _ result: AskResult) async throws(AskFault) {}

  /// Asks a person and waits for the outcome.
  ///
  /// - Parameters:
  ///   - question: what to ask.
  ///   - present: brings the link to the person, or `nil` to print it on standard error. It is not called if the ask, found
  ///     by its key, has ended.
  /// - Returns: how the ask ended, even if the task is cancelled, provided that the person answered first. If it
  ///   is still open when the question's time is over, it is withdrawn; with a key it stays open, and this is `expired`.
  /// - Throws: `AskFault`; what `present` throws; or `CancellationError` if the task is cancelled. The last two withdraw the
  ///   ask.
  @discardableResult
  public func ask(
    _ question: Question, present: (@Sendable (_ link: URL) async throws -> Void)? = nil
  ) async throws -> Outcome {
    let outcome = try await end(of: question, present: present).outcome
    if case .prompt(let prompt) = question.source {
      try await prompt.button(of: outcome)?.handler?(outcome.values ?? [:])
    }
    return outcome
  }

  /// The same, and returns the values of OK as a type of your own: see `Values.decode`.
  ///
  /// ```swift
  /// let order = try await server.ask(question, as: Order.self)
  /// ```
  ///
  /// - Throws: as without a type; `AskFault.unanswered` for every other outcome; `DecodingError` if the values do not fit.
  @_disfavoredOverload
  public func ask<Answer: Decodable>(
    _ question: Question, as type: Answer.Type = Answer.self,
    present: (@Sendable (_ link: URL) async throws -> Void)? = nil
  ) async throws -> Answer {
    let outcome: Outcome = try await ask(question, present: present)
    guard case .ok(let values) = outcome else { throw AskFault.unanswered(outcome) }
    return try values.decode(type)
  }

  /// The same, with all that belongs to the outcome.
  package func end(
    of question: Question, present: (@Sendable (_ link: URL) async throws -> Void)? = nil
  ) async throws -> Ended {
    try Task.checkCancellation()
    let end = ContinuousClock.now + question.timeout
    let ask: CreatedAsk
    do throws(AskFault) { ask = try await create(question) } catch {
      try Task.checkCancellation()
      throw error
    }
    var isPresented = false
    do {
      let present = present ?? { _ = try? FileDescriptor.standardError.writeAll(Array("Answer at \($0)\n".utf8)) }
      if let link = ask.link { try await present(link) }
      isPresented = true
      if let ended = try await self.end(of: ask.id, within: max(.zero, end - .now)) { return ended }
      // The server notices a moment later that its time is over.
      if let ended = try await self.end(of: ask.id, within: .seconds(1)) { return ended }
      // It has more time than this program: somebody gave it more, or it took a while to make. By its key another program
      // finds it; without a key nobody does.
      return question.key == nil ? try await endByWithdrawing(ask.id) : Ended(.expired)
    } catch {
      guard !isPresented || Task.isCancelled else { throw error }
      // The person’s page must not stay open for nobody. In a task of its own, since this one may be cancelled.
      let ended = try await Task { try await endByWithdrawing(ask.id) }.value
      if ended.outcome != .withdrawn { return ended }
      throw isPresented ? CancellationError() : error
    }
  }

  /// Waits for an ask to end, in as many looks as that takes.
  ///
  /// - Parameter look: waits up to this long, 50 seconds at most, and returns `nil` if the ask is still open.
  func waiting(
    for duration: Duration, _ look: (_ wait: Duration) async throws -> Ended?
  ) async throws -> Ended? {
    let end = ContinuousClock.now + duration
    while true {
      let began = ContinuousClock.now
      if let ended = try await look(max(.zero, min(end - began, .seconds(50)))) { return ended }
      try Task.checkCancellation()
      if end <= .now { return nil }
      // Something on the way to a server may drop `wait`, or answer in its place.
      try await Task.sleep(until: min(began + .seconds(1), end))
    }
  }

  private func endByWithdrawing(_ id: String) async throws -> Ended {
    let outcome = try await withdraw(id)
    return outcome == .withdrawn ? Ended(outcome) : try await end(of: id, within: .zero) ?? Ended(outcome)
  }

  /// The same for a prompt.
  ///
  /// - Parameters:
  ///   - prompt: what to ask.
  ///   - language: the person’s as a tag, like `de` (BCP 47), or `nil` to follow the browser. It counts if the prompt is
  ///     translated.
  ///   - timeout: how long the person has; after that the outcome is `expired`.
  ///   - present: brings the link to the person, or `nil` to print it on standard error.
  @discardableResult
  public func ask(
    _ prompt: Prompt, language: String? = nil, timeout: Duration = .seconds(86_400),
    present: (@Sendable (_ link: URL) async throws -> Void)? = nil
  ) async throws -> Outcome {
    let question = Question(prompt) { ($0.language, $0.timeout) = (language, timeout) }
    return try await ask(question, present: present)
  }

  /// The same for a prompt, and returns the values of OK as a type of your own: see `Values.decode`.
  @_disfavoredOverload
  public func ask<Answer: Decodable>(
    _ prompt: Prompt, as type: Answer.Type = Answer.self, language: String? = nil,
    timeout: Duration = .seconds(86_400), present: (@Sendable (_ link: URL) async throws -> Void)? = nil
  ) async throws -> Answer {
    let question = Question(prompt) { ($0.language, $0.timeout) = (language, timeout) }
    return try await ask(question, as: type, present: present)
  }

  /// Asks a person for one value, which the outcome holds as `value`.
  ///
  /// ```swift
  /// let outcome = try await server.ask("Your email", kind: .email, rules: [.nonEmpty])
  /// if case .ok(let values) = outcome { print(values["value"]?.text ?? "") }
  /// ```
  ///
  /// - Parameters:
  ///   - title: the dialog’s title, and the label of its only field.
  ///   - message: text under the title, or `nil` for none.
  ///   - ok: the OK button’s title, or `nil` for the usual one of the language.
  ///   - cancel: the Cancel button’s title, or `nil` for the usual one.
  ///   - placeholder: what the empty field shows, or `nil` for nothing.
  ///   - kind: what the field takes.
  ///   - value: what the field holds at first, or `nil` for nothing.
  ///   - rules: what its text must meet.
  ///   - options: what a `choice` or `choices` field offers.
  ///   - language: the language of the title as a tag, like `de` (BCP 47), or `nil` for the server’s.
  ///   - timeout: how long the person has; after that the outcome is `expired`.
  ///   - present: brings the link to the person, or `nil` to print it on standard error.
  @discardableResult
  public func ask(
    _ title: String, message: String? = nil, ok: String? = nil, cancel: String? = nil, placeholder: String? = nil,
    kind: Field.Kind = .text, value: (any ValueConvertible)? = nil, rules: [Rule] = [], options: [Field.Option] = [],
    language: String? = nil, timeout: Duration = .seconds(86_400),
    present: (@Sendable (_ link: URL) async throws -> Void)? = nil
  ) async throws -> Outcome {
    let prompt = Prompt(
      title: title, message: message,
      buttons: [Prompt.Button(cancel, role: .cancel), Prompt.Button(ok, role: .ok)], language: language,
      fields: [
        Field(
          "value", label: title, kind: kind, placeholder: placeholder, value: value, rules: rules, options: options)
      ])
    return try await ask(prompt, timeout: timeout, present: present)
  }

  /// Waits until an ask ends and returns its outcome, or `nil` if it is still open after that time: see `end(of:within:)`.
  public func outcome(of id: String, within duration: Duration) async throws -> Outcome? {
    try await end(of: id, within: duration)?.outcome
  }

  /// Waits for the end of an ask.
  ///
  /// - Throws: `AskFault`, or `CancellationError` if the task is cancelled; the ask stays open then.
  public func outcome(of id: String) async throws -> Outcome {
    while true {
      if let outcome = try await outcome(of: id, within: .seconds(86_400)) { return outcome }
    }
  }
}
