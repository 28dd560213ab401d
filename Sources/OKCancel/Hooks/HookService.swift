internal import Asks
internal import Logging
internal import MicroHTTP
internal import Prompts

/// Asks people what coding agents want to know, and takes back what nobody needs to answer any more.
struct HookService: Sendable {
  let asks: AskService

  /// The terms on which people are asked.
  struct Terms: Sendable {
    /// The channels that tell them.
    var notify: [String] = []
    /// Who may answer; empty for everybody.
    var only: [String] = []
    /// Seconds that the hook waits.
    var timeout = HookHost.timeout
  }

  /// A question that was asked.
  struct Asked: Sendable {
    let id: AskID
    let link: String?
    fileprivate let question: HookQuestion
    fileprivate let end: ContinuousClock.Instant
  }

  /// Makes the ask.
  ///
  /// - Returns: `nil` if the question cannot be shown as it is, and nobody was asked.
  /// - Throws: `Problem` if the terms are wrong, or if it cannot be kept.
  func ask(
    _ question: HookQuestion, _ terms: Terms, for program: AskingProgram
  ) async throws(Problem) -> Asked? {
    try asks.judging.limiting.admit(program.payer, as: .create)
    let end = ContinuousClock.now + .seconds(terms.timeout)
    var question = question
    if !asks.offersSuggestions { question.suggestions = [] }
    let given: JSON = [
      "expiresIn": .number("\(terms.timeout)"), "for": terms.only.isEmpty ? nil : .strings(terms.only),
      "notify": terms.notify.isEmpty ? nil : .strings(terms.notify),
      // Only a call has a result.
      "resultWithin": question.isPermission ? "10m" : nil,
    ]
    let body = question.body(in: Sentences(in: asks.reader.language)) + given
    let key = question.call.key(for: program.name)
    do throws(Problem) {
      let made = try await asks.make(body, key: nil, for: program, hook: key)
      do throws(Problem) { try await mixUp(try await asks(under: key), under: key) } catch {
        // Its result could be another call's.
        await withdraw(made.ask.id)
        throw error
      }
      return Asked(id: made.ask.id, link: made.link, question: question, end: end)
    } catch {
      let isOfTerms = error.errors.contains { detail in given.members.contains { detail.isAbout($0.key) } }
      // Otherwise the event has something that is too long, or a form that cannot be asked.
      if error.status == .badRequest, !isOfTerms {
        let why = error.errors.first?.message ?? error.detail
        asks.logger.notice("\(question.call.agent.host.unasked(question.call.tool, why))")
        return nil
      }
      throw error
    }
  }

  /// Waits for the person, and withdraws the question if the task is cancelled, the time is over or the server stops.
  ///
  /// - Parameter isConnected: called every few seconds; false ends the waiting.
  /// - Returns: the decision for the host, or `nil` if there is none.
  func decision(on asked: Asked, while isConnected: () -> Bool = { true }) async -> [UInt8]? {
    var closed: ClosedAsk?, isStopping = false
    while closed == nil, !isStopping, !Task.isCancelled, asked.end > .now, isConnected() {
      isStopping = asks.store.waiters.isReleased
      let wait = min(asked.end - .now, EventStream.heartbeat)
      do { closed = try await asks.store.outcome(of: asked.id, atMost: wait) } catch { break }
    }
    // In a task of its own, since this one may be cancelled.
    let left = closed == nil ? await Task { await withdraw(asked.id) }.value : nil
    guard let closed = closed ?? left, let ended = try? asks.store.secrets.ended(closed) else { return nil }
    return asked.question.decision(after: ended)
  }

  /// - Returns: how it ended, or `nil` if the store failed.
  @discardableResult
  func withdraw(_ id: AskID) async -> ClosedAsk? {
    guard let closed = try? await asks.withdraw(id).closed else { return nil }
    if closed.outcome == .withdrawn { _ = try? await asks.store.endCall(of: id) }
    return closed
  }

  /// Keeps the result of a call that was allowed here, or takes back the question about it: it was answered elsewhere.
  ///
  /// Identical calls cannot be told apart. So each that a person here has allowed, or denied, stands for one that is over;
  /// only if there are more of those, the oldest question is taken back. The results of calls that were under way at once
  /// stay unknown.
  func end(_ call: HookCall, _ end: HookCall.End, for asker: String?) async throws(Problem) {
    let key = call.key(for: asker)
    let alike = try await asks(under: key)
    try await mixUp(alike, under: key)
    if alike.count == 1, let ask = alike.first, ask.outcome == .ok, ask.hook == key, let result = end.result {
      // Two events may tell of the same call: the first counts.
      do throws(Problem) { _ = try await asks.finish(ask.id, as: result) } catch {
        guard error.code == .hasResult else { throw error }
      }
    }
    let answered = alike.filter { $0.outcome == (end == .refused ? .cancel : .ok) }
    for ask in answered {
      if try await endCall(of: ask.id) { return }
    }
    for ask in alike where ask.outcome == nil {
      guard try await asks.withdraw(ask.id).isNew else { continue }
      _ = try await endCall(of: ask.id)
      return
    }
  }

  /// Notes that identical calls are under way at once, also those that are decided elsewhere in the end.
  private func mixUp(_ alike: [HookedAsk], under key: String) async throws(Problem) {
    guard alike.count > 1 else { return }
    for ask in alike { try await asks.withStore { try await $0.mixUpCall(of: ask.id, key) } }
  }

  /// Takes back all questions of an agent that has stopped, or of its whole session.
  func end(_ agent: HookCall.Agent, withSubagents: Bool, for asker: String?) async throws(Problem) {
    for ask in try await asks(under: withSubagents ? agent.session(for: asker) : agent.key(for: asker)) {
      if ask.outcome == nil { _ = try await asks.withdraw(ask.id) }
      _ = try await endCall(of: ask.id)
    }
  }

  /// - Returns: false if another event ended it.
  private func endCall(of id: AskID) async throws(Problem) -> Bool {
    try await asks.withStore { try await $0.endCall(of: id) }
  }

  private func asks(under key: String) async throws(Problem) -> [HookedAsk] {
    try await asks.withStore { try await $0.asks(underHook: key) }
  }
}

extension OKCancelServer {
  /// Asks a person at this machine what a coding agent wants to know, and waits.
  ///
  /// - Parameters:
  ///   - timeout: seconds to wait.
  ///   - present: brings the link to the person.
  /// - Returns: the decision for the host, or `nil` if there is none.
  package func decision(
    on question: HookQuestion, within timeout: Int, present: (_ link: String) -> Void
  ) async throws -> [UInt8]? {
    let service = HookService(asks: asks)
    guard let asked = try await service.ask(question, .init(timeout: timeout), for: ownProgram) else { return nil }
    if let link = asked.link { present(link) }
    return await service.decision(on: asked)
  }
}

/// A call of a tool by a coding agent. Events about it have no identifier in common, so it is known by what it says.
package struct HookCall: Sendable {
  /// A session of a host, or a subagent in it.
  package struct Agent: Sendable {
    let host: HookHost
    let session: String
    /// `nil` for the session's own.
    let subagent: String?

    /// The start of the keys of all calls in the session.
    ///
    /// - Parameter asker: the name of the program that passes the events on, or `nil` if it has none.
    func session(for asker: String?) -> String {
      JSON.array([asker.map(JSON.string) ?? .null, .string(host.rawValue), .string(session)]).digest
    }

    /// The start of the keys of its own calls.
    func key(for asker: String?) -> String { "\(session(for: asker))/\((subagent.map(JSON.string) ?? .null).digest)" }
  }

  /// How a call ended, as its host says.
  package enum End: Sendable {
    case refused, done, failed
    /// It was made; whether it was done, nobody says.
    case made

    var result: AskResult? {
      switch self {
      case .done: .done
      case .failed: .failed()
      case .refused, .made: nil
      }
    }
  }

  let agent: Agent
  let tool: String
  /// Of the tool and its input.
  let digest: String

  init(agent: Agent, tool: String, digest: String) { (self.agent, self.tool, self.digest) = (agent, tool, digest) }

  init(_ agent: Agent, _ tool: String, _ input: JSON) {
    // The description says what the model says of a command. Codex leaves it out once the command has run. The answers to
    // questions come in only then.
    let said = input["command"] != nil ? ["description"] : tool == HookQuestion.questionTool ? ["answers"] : []
    let meant = input.members.filter { !said.contains($0.key) }
    self.init(agent: agent, tool: tool, digest: JSON.array([.string(tool), .object(meant)]).digest)
  }

  /// The call as `AskTerms.hook` has it.
  func key(for asker: String?) -> String { "\(agent.key(for: asker))/\(digest)" }
}
