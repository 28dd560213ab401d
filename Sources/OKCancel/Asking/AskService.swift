internal import Asks
internal import Definitions
internal import Logging
internal import MicroHTTP
internal import Prompts
internal import StrictJSON
internal import Synchronization

/// Where asks are made, looked up, answered and waited for: the store, and those who wait.
struct AskService: Sendable {
  let store: AskStore
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
    /// The definition it was made with, in the language that the person wants.
    let judged: JudgedPrompt
    var edition: Edition { judged.edition }
    var prompt: Prompt { edition.prompt }
    /// What every field holds at first.
    let initial: Inputs
  }

  /// The ask that a link leads to, open or not.
  ///
  /// - Throws: `Problem` 404 for a link that nobody made.
  func ask(linkedBy token: String) async throws(Problem) -> Ask {
    guard let token = LinkToken(token), let ask = try await withStore({ try await $0.ask(linkedBy: token) })
    else { throw Problem(.unknownLink) }
    return ask
  }

  /// An open ask, ready to be answered.
  ///
  /// - Throws: `Problem` 410 if it has ended.
  func open(_ ask: Ask, for request: Request) async throws(Problem) -> Open {
    if let closed = ask.closed {
      // The page that says so is in the language of the question.
      let language = request.wantsPage ? try? await judgedPrompt(of: ask, for: request).edition.language : nil
      throw .ended(closed.outcome, in: language)
    }
    let judged = try await judgedPrompt(of: ask, for: request)
    let values: JSON
    do {
      values = try JSON(parsing: try store.secrets.values(of: ask), limits: .file)
    } catch {
      throw Problem(.unreadableAsk(error))
    }
    let prompt = judged.prompt
    let given = try Inputs(Node(values), of: prompt)
    return Open(
      ask: ask, judged: judged, initial: Inputs(prompt.fields.map { ($0.name, given[$0.name] ?? $0.value) }))
  }

  /// The prompt that an ask was made with, in the language that the person wants.
  func judgedPrompt(of ask: Ask, for request: Request) async throws(Problem) -> JudgedPrompt {
    let judged = try await ownJudgedPrompt(of: ask, for: request)
    guard judged.edition.isOneOfSeveral,
      let language = request.language(among: judged.edition.languages, asked: judged.authored.askedIn)
    else { return judged }
    return judged.inLanguage(language)
  }

  private func ownJudgedPrompt(of ask: Ask, for request: Request) async throws(Problem) -> JudgedPrompt {
    let definition: [UInt8]
    do { definition = try store.secrets.definition(of: ask) } catch { throw Problem(.unreadableAsk(error)) }
    if let judged = known.own(of: ask, definition) ?? known[definition] { return judged }
    // To read a definition and to compile its patterns takes longer than all the rest of a response.
    let read = try await judging.inBackground(for: request) { _ in Result { try known.read(definition) } }
    do { return try read.get() } catch { throw Problem(.unreadableAsk(error)) }
  }

  /// What was kept of an answer to a standing prompt.
  typealias Kept = (outcome: Outcome, receipt: Receipt?)

  /// Keeps an answer to a standing prompt, unless the same request did before; it is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - subject: what the page that asked says that it is about, or `nil` if that says nothing.
  ///   - receipt: what the answer can be looked up by, or `nil` if nobody requested one.
  func keep(
    _ outcome: Outcome, to published: PublishedPrompt, about subject: String?, receipt: Receipt?,
    _ key: IdempotencyKey?
  ) async throws(Problem) -> Kept {
    let result = try await withStore {
      try await $0.append(
        outcome, to: published.name, about: subject, holdsPasswords: published.prompt.hasPasswordField,
        receipt: receipt, idempotency: key)
    }
    return try kept(result) ?? (outcome, receipt)
  }

  /// What the same request kept before, or `nil` if there is nothing.
  func kept(by key: IdempotencyKey, to published: PublishedPrompt) async throws(Problem) -> Kept? {
    guard let result = try await withStore({ try await $0.answer(keptWith: key, to: published.name) })
    else { return nil }
    return try kept(result)
  }

  private func kept(_ result: AppendResult) throws(Problem) -> Kept? {
    switch result {
    case .kept: return nil
    case .existing(let answer, let receipt):
      do { return (try answer.outcome(openedWith: store.secrets), receipt) } catch {
        throw Problem(.unreadableAsk(error))
      }
    case .conflict: throw Problem(.keyReused)
    }
  }

  /// How an ask ended, if the same request did that.
  func outcome(of closed: ClosedAsk, endedBy key: IdempotencyKey?) throws(Problem) -> Outcome? {
    guard let key, store.secrets.hasEnded(closed, key) else { return nil }
    do { return try store.secrets.outcome(of: closed) } catch { throw Problem(.unreadableAsk(error)) }
  }

  /// Uses the store; its errors become problems.
  func withStore<Result: Sendable>(
    _ work: (AskStore) async throws -> Result
  ) async throws(Problem) -> Result {
    do { return try await work(store) } catch { throw problem(error) }
  }

  /// What a client is told of an error: the store's faults are 503, and a problem stays what it is.
  func problem(_ error: any Error) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case is UnknownAsk: return Problem(.unknownAsk)
    default:
      logger.error("the store failed: \(error)")
      let why = (error as? StoreFault)?.publicDescription ?? "the store failed"
      return Problem(.databaseUnavailable(why))
    }
  }
}

extension Problem {
  /// - Parameter language: that of the page that says so, or `nil` if nobody knows it.
  static func ended(_ outcome: Outcome.Kind, in language: Language?) -> Problem {
    var problem = Problem(.ended(outcome))
    (problem.outcome, problem.language) = (outcome.rawValue, language)
    return problem
  }
}

/// The prompts of asks that were read before, by their definitions: most asks put one of a few prompts.
///
/// A definition means the same prompt each time, so nothing here grows stale. The least recently used make room for
/// others.
final class KnownPrompts: Sendable {
  /// Bytes that they may hold, compiled patterns included.
  private static let capacity = 64 << 20

  private struct Entry {
    let judged: JudgedPrompt
    let bytes: Int
    var lastUse = ContinuousClock.now
  }

  /// A definition as JSON, which is hashed as a whole: an array hashes byte by byte.
  private struct Key: Hashable {
    let definition: [UInt8]

    func hash(into hasher: inout Hasher) { unsafe definition.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
  }

  private let known = Mutex((entries: [Key: Entry](), bytes: 0))

  /// Prompts whose rules bring closures, which no definition holds.
  private struct Own {
    /// Those that this program asks itself, by the open ask.
    var asked: [AskID: JudgedPrompt] = [:]
    /// Those that the server offers or has offered, by name and definition: an ask has the definition it was made with.
    var offered: [String: [[UInt8]: JudgedPrompt]] = [:]
  }

  private let own = Mutex(Own())

  /// The prompt of an ask, if its rules bring closures.
  func own(of ask: Ask, _ definition: [UInt8]) -> JudgedPrompt? {
    let (asked, offered) = own.withLock { own in (own.asked[ask.id], ask.prompt.flatMap { own.offered[$0] }) }
    if let judged = asked ?? offered?[definition] { return judged }
    // An ask of it may have a context of its own, which changes no rule.
    guard let offered, let kept = try? read(definition).prompt else { return nil }
    let judged = offered.values.first { $0.prompt.definition(showing: []) == kept.definition(showing: []) }
    return judged.map { judged in
      var prompt = judged.prompt
      prompt.context = kept.context
      return JudgedPrompt(prompt)
    }
  }

  /// Remembers the prompt of an open ask of this program, or forgets it.
  func keep(_ prompt: Prompt?, for ask: AskID) {
    own.withLock { $0.asked[ask] = prompt.map(JudgedPrompt.init) }
  }

  /// Remembers prompts that the server offers.
  func keep(_ prompts: [NamedPrompt]) {
    for named in prompts where named.prompt.hasOwnPredicates {
      // An ask says in its definition which language it is asked in.
      for language in [nil] + named.prompt.languages {
        var prompt = named.prompt
        prompt.askedIn = language
        let definition = AskDraft(prompt).definition
        own.withLock { $0.offered[named.name, default: [:]][definition] = JudgedPrompt(prompt) }
      }
    }
  }

  /// - Parameter definition: as JSON.
  subscript(definition: [UInt8]) -> JudgedPrompt? {
    known.withLock { known in
      guard let place = known.entries.index(forKey: Key(definition: definition)) else { return nil }
      known.entries.values[place].lastUse = .now
      return known.entries.values[place].judged
    }
  }

  /// Reads a definition and keeps its prompt.
  ///
  /// - Throws: what is wrong with it.
  func read(_ definition: [UInt8]) throws -> JudgedPrompt {
    // Another request may have read it while this one waited.
    if let judged = self[definition] { return judged }
    let prompt = try Definition.prompt(from: JSON(parsing: definition, limits: .file), Reading(isKept: true))
    // As a tree it takes some eight times as much as its text.
    let entry = Entry(judged: JudgedPrompt(prompt), bytes: 9 * definition.count + prompt.patternBytes)
    known.withLock { known in
      known.bytes += entry.bytes - (known.entries.updateValue(entry, forKey: Key(definition: definition))?.bytes ?? 0)
      while known.bytes > Self.capacity,
        let oldest = known.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        known.entries[oldest.key] = nil
        known.bytes -= oldest.value.bytes
      }
    }
    return entry.judged
  }
}

extension Prompt {
  /// Its definition as JSON, with another context.
  fileprivate func definition(showing context: [Context]) -> [UInt8] {
    var prompt = self
    prompt.context = context
    return AskDraft(prompt).definition
  }
}
