internal import Asks
internal import Logging
internal import MicroHTTP
internal import Prompts
internal import StrictJSON

/// Where asks are made, looked up, answered and waited for: the store, and who waits.
struct AskService: Sendable {
  let store: any AskStore
  let waiters: Waiters
  let pendingRedirects: PendingRedirects
  let known = KnownPrompts()
  /// Where callbacks may go.
  let allowedCallbacks: [CallbackPrefix]
  let judging: Judging
  let logger: Logger

  /// An open ask and the prompt it puts.
  struct Open: Sendable {
    let ask: Ask
    /// The definition it was made with.
    let subject: Judging.Subject
    var prompt: Prompt { subject.prompt }
    /// What every field holds at first.
    let initial: Inputs
  }

  /// The open ask that a link leads to.
  ///
  /// - Throws: `Problem` 404 for a link that nobody made, 410 for one that has ended.
  func open(_ token: String, for request: Request) async throws(Problem) -> Open {
    guard let token = LinkToken(token) else { throw .noSuchLink }
    let found = try await asking { try await store.ask(linkedBy: token) }
    guard let ask = found else { throw .noSuchLink }
    if let closed = ask.closed { throw .ended(closed.outcome) }
    let subject = try await subject(of: ask, for: request)
    let values: JSON
    do {
      values = try JSON(parsing: try store.secrets.values(of: ask), limits: .file)
    } catch {
      throw .unreadable(error)
    }
    let prompt = subject.prompt
    let given = try Inputs(values, of: prompt, at: "/values")
    return Open(
      ask: ask, subject: subject, initial: Inputs(prompt.fields.map { ($0.name, given[$0.name] ?? $0.value) }))
  }

  /// The prompt that an ask was made with.
  func subject(of ask: Ask, for request: Request) async throws(Problem) -> Judging.Subject {
    let definition: [UInt8]
    do { definition = try store.secrets.definition(of: ask) } catch { throw .unreadable(error) }
    if let subject = known.own(of: ask, definition) ?? known[definition] { return subject }
    // To read a definition and to compile its patterns takes longer than all the rest of a response.
    let read = try await judging.inBackground(for: request) { _ in Result { try known.read(definition) } }
    do { return try read.get() } catch { throw .unreadable(error) }
  }

  /// Keeps an answer to a standing prompt; it is on the disk when this returns.
  ///
  /// - Parameter receipt: what the answer can be looked up by; nil: nobody asked for that.
  func keep(_ outcome: Outcome, to published: PublishedPrompt, receipt: Receipt?) async throws(Problem) {
    _ = try await asking {
      try await store.append(
        outcome, to: published.name, holdsPasswords: published.prompt.hasPasswordField, receipt: receipt)
    }
  }

  /// Does something with the store.
  func asking<Result: Sendable>(_ work: () async throws -> Result) async throws(Problem) -> Result {
    do { return try await work() } catch { throw problem(error) }
  }

  /// What a client is told of an error: the store's faults are 503, and a problem stays what it is.
  func problem(_ error: any Error) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case is UnknownAsk: return .noSuchAsk
    default:
      logger.error("the store failed: \(error)")
      let why = (error as? StoreFault)?.publicDescription ?? "the store failed"
      return Problem(
        status: .serviceUnavailable, detail: "The server cannot use its database now: \(why)",
        headers: [("Retry-After", "5")])
    }
  }
}

extension Problem {
  fileprivate static func unreadable(_ error: any Error) -> Problem {
    Problem(status: .internalServerError, detail: "This ask cannot be read: \(error)")
  }

  static let noSuchAsk = Problem(
    status: .notFound, detail: "There is no ask with this id; POST /asks makes one.")

  static let noSuchLink = Problem(
    status: .notFound, detail: "There is no question at this address; check the link, or ask for a new one.")

  static func ended(_ outcome: Outcome.Kind) -> Problem {
    let why =
      switch outcome {
      case .expired: "The time to answer is over."
      case .withdrawn: "The question was taken back."
      default: "This question was answered already."
      }
    return Problem(status: .gone, detail: why, outcome: outcome.rawValue)
  }
}
