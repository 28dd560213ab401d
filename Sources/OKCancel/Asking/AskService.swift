internal import Asks
internal import Logging
internal import Prompts
internal import Synchronization

/// Makes asks, looks them up and waits for their outcomes, for every route.
final class AskService: Sendable {
  let storage: AskStorage
  /// The standing prompts.
  let registry: PromptRegistry
  let reader: AskReader
  let known: KnownPrompts
  let judging: Judging
  let deliveries = Deliveries()
  let results = ResultCounts()
  /// The start of links, or `nil` for the host of the request that makes the ask.
  let baseURL: String?
  /// The beginning of the addresses of this server's responses.
  let basePath: String
  /// The answers that are given instead of people's, or `nil`.
  let answers: CannedAnswers?
  /// See `Configuration.offersSuggestions`.
  let offersSuggestions: Bool
  let logger: Logger

  init(
    storage: AskStorage, registry: PromptRegistry, reader: AskReader, known: KnownPrompts, judging: Judging,
    baseURL: String?, basePath: String, answers: CannedAnswers?, offersSuggestions: Bool,
    logger: Logger
  ) {
    self.storage = storage
    self.registry = registry
    self.reader = reader
    self.known = known
    self.judging = judging
    self.baseURL = baseURL
    self.basePath = basePath
    self.offersSuggestions = offersSuggestions
    self.logger = logger
    self.answers = answers
  }

  var store: AskStore { storage.store }

  /// An ask that was just made or, if it is not new, that was made with the same key before.
  struct Made: Sendable {
    let ask: Ask
    /// The person's, or `nil` once the ask has ended.
    let link: String?
    let isNew: Bool
    /// Warnings about the question.
    let warnings: [Fault]
  }

  /// Makes the ask that a body describes, or finds the one that was made with the key.
  ///
  /// - Parameters:
  ///   - hook: the call of a coding agent that it is about, or `nil`.
  ///   - conflict: what is wrong if the key was used with another body.
  func make(
    _ json: JSON, key: IdempotencyKey?, for program: AskingProgram, hook: String? = nil,
    conflict: @autoclosure () -> Problem = Problem("key-reused")
  ) async throws(Problem) -> Made {
    var reader = reader
    // An MCP server's form, which a hook passes on, names no zone.
    if hook != nil { reader.timeZone = reader.timeZone ?? .person }
    let read = { @Sendable [reader] () throws(Problem) in
      let draft = try reader.draft(json)
      try self.known.check(draft.ask)
      return draft
    }
    // A definition's patterns are compiled, which takes a while. Most asks put a standing prompt as it is.
    let isOffered = json.text("prompt") != nil && json["context"] == nil
    var draft =
      isOffered ? try read() : try await judging.inBackground(for: program.payer) { _ in Result(catching: read) }.get()
    (draft.ask.terms.askedBy, draft.ask.terms.hook) = (program.name, hook)
    // A program with a name names only asks of its own.
    for other in draft.prompt.answerers.asks + draft.ask.terms.answerers.asks where program.name != nil {
      do throws(Problem) { _ = try await id(other, askedBy: program.name) } catch {
        throw error.code == .unknownAsk ? Problem("unknown-ask.apart", ["id": other.excerpt]) : error
      }
    }
    return try await make(draft, key: key, linkedFrom: program.origin, conflict: conflict())
  }

  /// Makes an ask, or finds the one that was made with the key.
  ///
  /// - Parameter start: of the person's link, unless the server has one of its own.
  func make(
    _ draft: AskReader.Draft, key: IdempotencyKey?, linkedFrom start: String,
    conflict: @autoclosure () -> Problem = Problem("key-reused")
  ) async throws(Problem) -> Made {
    let link = { [baseURL] (token: LinkToken) in "\(baseURL ?? start)/a/\(token.text)" }
    var new = draft.ask
    new.terms.notices?.linkedFrom = baseURL ?? start
    let made: Made
    switch try await withStore({ [new] in try await $0.create(new, idempotency: key, through: reader.channels) }) {
    case .created(let ask, let token): made = Made(ask: ask, link: link(token), isNew: true, warnings: draft.warnings)
    case .existing(let ask, let token):
      made = Made(ask: ask, link: token.map(link), isNew: false, warnings: draft.warnings)
    case .conflict: throw conflict()
    case .unknownOther(let id): throw Problem("unknown-ask.apart", ["id": id.excerpt])
    }
    if made.link != nil, draft.isOwn, draft.prompt.hasOwnPredicates { known.keep(draft.prompt, for: made.ask.id) }
    if made.isNew { answers?.answer(made.ask, titled: draft.prompt.title, in: self) }
    return made
  }

  /// The id of an ask that a program may see: a program with a name only sees its own.
  ///
  /// - Parameter asker: the name of the program, or `nil` if it has none.
  /// - Throws: `Problem` 404 if it is no id, or that of another program's ask.
  func id(_ text: String?, askedBy asker: String?) async throws(Problem) -> AskID {
    guard let id = text.flatMap({ AskID($0) }) else { throw Problem("unknown-ask") }
    // Who asks never changes. What is not there is noticed by whoever uses the id.
    if let asker, try await ask(id).terms.askedBy != asker { throw Problem("unknown-ask") }
    return id
  }

  func ask(_ id: AskID) async throws(Problem) -> Ask {
    guard let ask = try await withStore({ try await $0.ask(id) }) else { throw Problem("unknown-ask") }
    return ask
  }

  /// Waits until the ask ends and returns its outcome, or `nil` if it is still open after that time.
  func outcome(of id: AskID, within duration: Duration) async throws(Problem) -> ClosedAsk? {
    try await withStore { try await $0.outcome(of: id, atMost: duration) }
  }

  /// What became of the ask's notices.
  func told(of id: AskID) async throws(Problem) -> [Told] { try await withStore { try await $0.told(of: id) } }

  /// Releases the ask's key, so that the same question asks anew.
  func releaseKey(of id: AskID) async throws(Problem) { try await withStore { try await $0.releaseKey(of: id) } }

  /// Takes an open ask back.
  ///
  /// - Returns: how it ended, and whether that is because it was taken back now.
  func withdraw(_ id: AskID) async throws(Problem) -> (closed: ClosedAsk, isNew: Bool) {
    switch try await withStore({ try await $0.withdraw(id) }) {
    case .closed(let closed): return (closed, true)
    case .alreadyClosed(let closed): return (closed, false)
    case .stillOpen, .notAllowed, .unknown: throw Problem("unknown-ask")
    }
  }

  /// Keeps what a program did after an answer.
  ///
  /// - Throws: `Problem` 404 if there is no such ask; 409 if it was not answered, or has another result.
  func finish(_ id: AskID, as result: AskResult) async throws(Problem) -> ClosedAsk {
    if result.text?.unicodeScalars.count ?? 0 > AskResult.limit {
      throw Problem("wrong-value", ["name": "text", "rule": "at most 2,000 code points long"])
    }
    switch try await withStore({ try await $0.finish(id, as: result) }) {
    case .finished(let closed, let isNew):
      if isNew { results.count(result.status) }
      return closed
    case .otherResult(let first): throw Problem("has-result", ["status": first.status.rawValue])
    case .notAnswered(let outcome?): throw Problem("not-answered.ended", ["outcome": outcome.rawValue])
    case .notAnswered(nil): throw Problem("not-answered")
    case .unknown: throw Problem("unknown-ask")
    }
  }

  /// Checks that somebody can be among those who may answer an ask from now on.
  ///
  /// - Throws: `Problem` 422 if nothing says who visitors are, or if nobody is left, as far as ids tell.
  func check(_ only: [Answerers.Entry], of id: AskID, for payer: Payer) async throws(Problem) {
    let ask = try await ask(id)
    // Of one that has ended, nothing can be changed.
    if !ask.isOpen { return }
    guard ask.terms.person != nil || reader.knowsVisitors else { throw Problem("identity-unknown", ["key": "for"]) }
    var terms = ask.terms
    terms.answerers.only = only
    try reader.check(terms, of: try await edition(of: ask, for: payer).authored)
  }

  /// Changes who may answer an open ask, or until when.
  ///
  /// - Throws: `Problem` 404 if there is no such ask, 409 if it has ended.
  func change(_ id: AskID, for only: [Answerers.Entry]?, expiresAt: Timestamp?) async throws(Problem) -> Ask {
    switch try await withStore({ try await $0.change(id, for: only, expiresAt: expiresAt, through: reader.channels) }) {
    case .changed(let ask): return ask
    case .alreadyClosed(let closed): throw Problem("ended.as", ["outcome": closed.outcome.rawValue])
    case .unknown: throw Problem("unknown-ask")
    }
  }

  /// Checks that there can be answers to a prompt: one that is no longer on offer keeps those that it got.
  ///
  /// - Throws: `Problem` 404 if there is no such prompt.
  func checkAnswers(to name: String) async throws(Problem) {
    do throws(Problem) { _ = try registry.prompt(name) } catch {
      guard NamedPrompt.isName(name),
        try await !withStore({ try await $0.answers(to: name, after: nil, limit: 1, bytes: .max) }).isEmpty
      else { throw error }
    }
  }

  /// The bytes that every reader of the closed ask gets.
  func json(of closed: ClosedAsk) throws(Problem) -> [UInt8] {
    try reading(Problem.init(unreadableOutcome:)) {
      try store.secrets.json(of: closed, withResultAt: store.clock.now)
    }
  }

  /// The prompt that an ask was made with, in the language that the person wants.
  func edition(of ask: Ask, for visit: Visit) async throws(Problem) -> Edition {
    let edition = try await edition(of: ask, for: visit.payer)
    guard edition.isOneOfSeveral,
      let language = visit.request.language(among: edition.languages, asked: edition.authored.requestedLanguage)
    else { return edition }
    return edition.inLanguage(language)
  }

  /// The prompt that an ask was made with.
  func edition(of ask: Ask, for payer: Payer) async throws(Problem) -> Edition {
    let definition = try reading { try store.secrets.open(ask.definition) }
    if let kept = known.prompt(of: ask, definition) { return kept }
    // To read a definition and to compile its patterns takes longer than all the rest of a response.
    let read = try await judging.inBackground(for: payer) { [known] _ in
      Result { try known.read(definition, named: ask.prompt) }
    }
    return try reading { try read.get() }
  }

  /// Reads what the store has kept; its errors become problems.
  func reading<Result>(
    _ problem: (any Error) -> Problem = { Problem("internal-error.ask", ["why": "\($0)"]) },
    _ work: () throws -> Result
  ) throws(Problem) -> Result {
    do { return try work() } catch { throw problem(error) }
  }

  /// Uses the store; its errors become problems.
  func withStore<Result: Sendable>(
    _ work: (AskStore) async throws -> Result
  ) async throws(Problem) -> Result {
    do { return try await work(store) } catch { throw problem(error) }
  }

  /// The problem that a client gets for an error: the store's faults are 503, and a problem stays what it is.
  func problem(_ error: any Error) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case is UnknownAsk: return Problem("unknown-ask")
    default:
      logger.error("the store failed: \(error)")
      let why = (error as? StoreFault)?.publicDescription ?? "the store failed"
      return Problem("database-unavailable", ["why": why])
    }
  }
}

extension Prompt {
  /// Its definition as JSON, without what each ask has of its own.
  var definitionOfAnyAsk: [UInt8] {
    var prompt = self
    (prompt.context, prompt.requestedLanguage) = ([], nil)
    return AskDraft(prompt).definition
  }
}

/// Counts results of this process, by status.
final class ResultCounts: Sendable {
  private let counts = Mutex<[AskResult.Status: Int]>([.done: 0, .failed: 0])

  func count(_ status: AskResult.Status) { counts.withLock { $0[status, default: 0] += 1 } }

  func write(to text: inout MetricsText) {
    let counts = counts.withLock(\.self).sorted { $0.key.rawValue < $1.key.rawValue }
    text.family("okcancel_results_total") {
      for (status, count) in counts { $0.sample(count, [("status", status.rawValue)]) }
    }
  }
}

/// Bytes as a key. All of them are hashed at once: an array hashes byte by byte.
struct ByteKey: Hashable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func hash(into hasher: inout Hasher) { unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
}
