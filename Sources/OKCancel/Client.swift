internal import Asks
internal import Foundation
public import Prompts
internal import Synchronization

/// A client of a server that runs elsewhere: makes asks and waits for their outcomes.
public struct Client: Sendable {
  private let url: String
  private let token: String
  private let authorities: String?
  /// Called whenever the server cannot be reached, or asks to wait, and the client begins to retry.
  public var away: @Sendable (AskFault) -> Void = { _ in }
  /// Called at most once for each wait, if nobody could be told of the question, with the reasons; or `nil`.
  package var untold: (@Sendable (String) -> Void)?

  /// For a request: a little longer than the longest `wait`.
  package static let timeout: Duration = .seconds(70)

  /// - Parameters:
  ///   - url: where the server is, such as `https://ask.example.com`.
  ///   - token: one of the server's API tokens.
  ///   - authorities: the PEM file of the certificate authorities to trust, or `nil` for the file that `SSL_CERT_FILE`
  ///     names or, if that is not set, the system's.
  public init(url: String, token: String, authorities: String? = nil) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.token = token
    self.authorities = authorities
  }

  /// The fields of the prompt that the server offers under this name: their names, kinds, and where their values stand.
  ///
  /// - Parameter duration: how long to retry while the server asks to wait.
  package func fields(
    ofPromptNamed name: String, within duration: Duration = Self.timeout
  ) async throws(AskFault) -> [Field] {
    let patience = Patience(for: duration), prompt: JSON
    do throws(AskFault) { prompt = try await send("GET", Self.path(ofPrompt: name), patience: patience) } catch {
      // Its page may only be for people: the prompt says for whom, or a proxy has everybody sign in there. If the list
      // cannot be had at once either, the first error says why.
      switch error {
      case .refused, .notUnderstood: break
      default: throw error
      }
      guard let prompts = try? await promptsOnOffer() else { throw error }
      guard let found = prompts.first(where: { $0.text("name") == name }) else {
        throw .unknownPrompt("the server offers no prompt “\(name)”")
      }
      prompt = found
    }
    guard case .array(let fields)? = prompt["fields"] else { return [] }
    var reading = Reading()
    return fields.compactMap { field in
      field.text("name").map { name in
        Field(name, kind: field.text("kind").flatMap(Field.Kind.init) ?? .text) {
          $0.at = field.text("at") ?? $0.at
          $0.answer.type = field.text("valueType").flatMap(Field.ValueType.init)
          $0.when = When.list(served: field["when"], &reading)
        }
      }
    }
  }

  /// The standing prompts, as agents are told of them.
  private func promptsOnOffer() async throws(AskFault) -> [JSON] {
    let call: JSON = [
      "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ["name": "list_prompts", "arguments": [:]],
    ]
    let result = try await send("POST", "/mcp", call.bytes)["result"]
    guard case .array(let prompts)? = result?["structuredContent"]?["prompts"] else {
      throw .notUnderstood("there are no prompts")
    }
    return prompts
  }

  private static func path(ofPrompt name: String) throws(AskFault) -> String {
    guard NamedPrompt.isName(name) else { throw .unknownPrompt("“\(name)” cannot name a prompt") }
    return "/prompts/\(name)"
  }

  /// The time for which to retry while the server cannot be reached, or asks to wait.
  package struct Patience {
    fileprivate let end: ContinuousClock.Instant
    /// True if the server was ever reached. If not, there is no retry: there may be no server.
    fileprivate var isReached: Bool

    package init(for duration: Duration, isReached: Bool = false) {
      end = .now + duration
      self.isReached = isReached
    }
  }

  /// All lines of a list, page by page.
  ///
  /// - Parameter path: of the list, up to where parameters can be added.
  package func lines(of path: String, page: (_ lines: [String]) throws -> Void) async throws {
    var after = ""
    while true {
      let bytes = try await data("GET", path + after, patience: Patience(for: Self.timeout))
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      guard let last = lines.last else { return }
      try page(lines)
      guard let cursor = try? JSON(parsing: Array(last.utf8), limits: .file).text("cursor") else {
        throw AskFault.notUnderstood("a line has no cursor")
      }
      after = "after=\(cursor)"
    }
  }

  /// Sends a request, and reads the JSON of its response.
  ///
  /// - Parameter patience: how long it is sent again while the server is away or asks to wait, or `nil` for once.
  package func send(
    _ method: String, _ path: String, _ body: [UInt8]? = nil, key: String? = nil, patience: Patience? = nil
  ) async throws(AskFault) -> JSON {
    let bytes = try await data(method, path, body, key: key, patience: patience)
    guard let json = try? JSON(parsing: bytes, limits: .file) else {
      throw .notUnderstood("it is not JSON; see that this is the address of an OKCancel server")
    }
    return json
  }

  private func data(
    _ method: String, _ path: String, _ body: [UInt8]? = nil, key: String? = nil, patience: Patience? = nil,
    within timeout: Duration = Self.timeout, accept: String = "application/json",
    received: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) async throws(AskFault) -> [UInt8] {
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .refused(
        status: 401, code: Problem.Code.wrongToken.rawValue, detail: "the API token has characters that no token has")
    }
    var request = OutgoingRequest(
      toServer: method, url + path, body: body, key: key, accept: accept, [("Authorization", "Bearer \(token)")],
      mebibytes: 256, trusting: authorities)
    request.received = received
    var pause = Duration.milliseconds(250)
    var (patience, isAway) = (patience, false)
    while true {
      let left = patience.map { max($0.end - .now, .milliseconds(100)) } ?? timeout
      let result = try await request.result(within: min(timeout, left))
      if case .lost = result { patience?.isReached = true }
      do throws(AskFault) { return try Self.body(of: request.response(in: result)) } catch {
        if case .refused = error { patience?.isReached = true }
        guard let patience, error.isTransient, patience.isReached, !Task.isCancelled else { throw error }
        let left = patience.end - .now, requested = result.retryAfter
        // To come before the time that the server names is of no use, nor to wait longer than there is time.
        guard left > requested ?? .zero else { throw error }
        if !isAway { away(error) }
        isAway = true
        guard (try? await Task.sleep(for: min(requested ?? pause, left))) != nil else { throw error }
        pause = min(pause * 2, .seconds(5))
      }
    }
  }

  private static func body(of response: (status: Int, body: [UInt8])) throws(AskFault) -> [UInt8] {
    let (status, body) = response
    switch status {
    case 200..<300: return body
    case 300..<400: throw .refused(status: status, code: nil, detail: "it redirects to another address; give that one")
    default:
      let problem = try? JSON(parsing: body, limits: .file)
      if (502...504).contains(status), problem?.text("code") == nil {
        throw .unreachable("a proxy in front of it responded with \(status)")
      }
      let detail = problem.flatMap(Problem.inWords) ?? "it responds with \(status)"
      throw AskFault(status: status, code: problem?.text("code"), detail: detail)
    }
  }

  /// Passes on an event of a coding agent, once, and waits for the decision: without one, the agent asks by itself.
  ///
  /// - Parameters:
  ///   - query: the parameters of `POST /hook`.
  ///   - timeout: how long to wait.
  ///   - present: called with the person's link, on another thread.
  /// - Returns: the decision as the server wrote it, or `nil` if there is none.
  package func decision(
    on event: [UInt8], _ query: [(name: String, value: String)], within timeout: Duration,
    present: @escaping @Sendable (_ link: String) -> Void
  ) async throws(AskFault) -> [UInt8]? {
    let stream = Mutex(EventReader())
    _ = try await data(
      "POST", "/hook" + Self.query(query), event, within: timeout, accept: "text/event-stream"
    ) { part in
      let link = stream.withLock { stream -> String? in
        let wasAsked = stream.events["asked"] != nil
        stream.take(part)
        return wasAsked ? nil : stream.events["asked"]?.text("link")
      }
      link.map(present)
    }
    return stream.withLock { $0.events["decision"]?.bytes }
  }

  private static func text(_ key: String, of json: JSON) throws(AskFault) -> String {
    guard let text = json.text(key) else { throw .notUnderstood("there is no \(key)") }
    return text
  }
}

extension AskFault {
  /// True if the same request may succeed in a moment.
  fileprivate var isTransient: Bool {
    switch self {
    case .unreachable: true
    case .refused(let status, _, _): status == 429 || (502...504).contains(status)
    default: false
    }
  }
}

/// Reads server-sent events as `EventStream` sends them. What is not whole, or is not an object, is none.
private struct EventReader {
  /// By their names.
  private(set) var events: [Substring: JSON] = [:]
  private var rest: [UInt8] = []

  mutating func take(_ bytes: [UInt8]) {
    rest += bytes
    while let end = rest.firstRange(of: Array("\n\n".utf8)) {
      let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
      rest.removeSubrange(..<end.upperBound)
      let parts = ["event: ", "data: "].compactMap { key in lines.first { $0.hasPrefix(key) }?.dropFirst(key.count) }
      guard parts.count == 2, let json = try? JSON(parsing: Array(parts[1].utf8), limits: .file), case .object = json
      else { continue }
      events[parts[0]] = json
    }
  }
}

// MARK: Asking

extension Client: Asker {
  /// Makes an ask and does not wait.
  ///
  /// - Throws: `AskFault`.
  public func create(_ question: Question) async throws(AskFault) -> CreatedAsk {
    let body = try question.body()
    // A response can be lost on its way: with this key the same request makes no second ask.
    let key = question.key ?? RandomText().description
    let patience = Patience(for: question.timeout)
    let ask = try await send("POST", "/asks", body, key: key, patience: patience)
    let id = try Self.text("id", of: ask), askedBy = ask.text("askedBy")
    if ask.text("status") == "closed" { return CreatedAsk(id: id, link: nil, askedBy: askedBy) }
    let link = try Self.text("link", of: ask)
    guard let url = URL(string: link, encodingInvalidCharacters: false) else {
      throw .notUnderstood("“\(link)” is no URL")
    }
    return CreatedAsk(id: id, link: url, askedBy: askedBy)
  }

  /// Waits for an ask to end. Returns how it ended, or `nil` if it is still open after that time.
  ///
  /// If the server becomes unreachable meanwhile, for example because it restarts, this keeps trying for as long.
  ///
  /// - Throws: `AskFault`, or `CancellationError` if the task is cancelled; the ask stays open then.
  public func end(of id: String, within duration: Duration) async throws -> Ended? {
    // The server counts whole seconds, and its response takes a moment.
    let patience = duration > .zero ? Patience(for: duration + .seconds(1), isReached: true) : nil
    var untold = untold
    return try await waiting(for: duration) { wait in
      // The first attempts to tell somebody end soon.
      let wait = untold == nil ? wait : min(wait, .seconds(5))
      let seconds = Int((wait + .milliseconds(999)).components.seconds), ask: JSON
      do throws(AskFault) { ask = try await self.ask(id, wait: seconds, patience: patience) } catch {
        try Task.checkCancellation()
        throw error
      }
      if try Self.text("status", of: ask) != "closed" {
        let (isKnown, reasons) = Self.told(ask)
        if let reasons { untold?(reasons) }
        if isKnown { untold = nil }
        return nil
      }
      guard let ended = Ended(ask) else { throw AskFault.notUnderstood("there is no outcome") }
      return ended
    }
  }

  /// Whether it is known if somebody was told of an ask, and the reasons if nobody could be.
  private static func told(_ ask: JSON) -> (isKnown: Bool, reasons: String?) {
    guard case .array(let told)? = ask["told"] else { return (true, nil) }
    if told.isEmpty { return (true, "no channel in `notify` reaches anybody") }
    if told.contains(where: { $0.text("state") == "sent" }) { return (true, nil) }
    guard told.allSatisfy({ $0.text("error") != nil || $0.text("state") == "failed" }) else { return (false, nil) }
    let reasons = told.map { "\($0.text("channel") ?? ""): \($0.text("error") ?? "set aside")" }
    let isOver = !told.contains { $0.text("state") == "waiting" }
    return (true, reasons.joined(separator: "; ") + (isOver ? "" : "; the server keeps trying"))
  }

  /// Takes an open ask back.
  ///
  /// - Returns: `withdrawn`, or how the ask ended if it had ended before.
  /// - Throws: `AskFault`.
  @discardableResult
  public func withdraw(_ id: String) async throws(AskFault) -> Outcome {
    // Somebody waits for the end of this, perhaps after Ctrl-C.
    let patience = Patience(for: .seconds(5))
    do throws(AskFault) { _ = try await data("DELETE", Self.path(ofAsk: id), patience: patience) } catch {
      guard case .refused(status: 409, _, _) = error else { throw error }
    }
    let ask = try await ask(id, patience: Patience(for: .seconds(5)))
    return Ended(ask)?.outcome ?? .withdrawn
  }

  /// Says what came of an answer: see `Asker.finish`. It is sent again for a minute if the server is away.
  ///
  /// - Throws: `AskFault`.
  public func finish(_ id: String, _ result: AskResult) async throws(AskFault) {
    let patience = Patience(for: .seconds(60), isReached: true)
    _ = try await data("PUT", Self.path(ofAsk: id) + "/result", result.json.bytes, patience: patience)
  }

  /// Answers to a prompt that the server offers, oldest first.
  ///
  /// - Parameters:
  ///   - prompt: its name.
  ///   - cursor: the cursor of the last answer that was read, or `nil` to begin with the first.
  ///   - limit: how many answers to return at most, from 1 to 1000. If fewer are returned, there are no more.
  /// - Throws: `AskFault`.
  public func answers(
    to prompt: String, after cursor: String? = nil, limit: Int = 1000
  ) async throws(AskFault) -> [Answer] {
    let query = [("limit", "\(limit)")] + (cursor.map { [("after", $0)] } ?? [])
    let path = try "\(Self.path(ofPrompt: prompt))/answers" + Self.query(query)
    var answers: [Answer] = []
    let lines = try await data("GET", path, patience: Patience(for: Self.timeout))
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      guard let answer = (try? JSON(parsing: Array(line), limits: .file)).flatMap(Answer.init) else {
        throw .notUnderstood("a line is no answer")
      }
      answers.append(answer)
    }
    return answers
  }

  /// An ask as the server says it, as soon as it has ended or after that many seconds, at most 55.
  package func ask(_ id: String, wait: Int = 0, patience: Patience?) async throws(AskFault) -> JSON {
    try await send("GET", "\(Self.path(ofAsk: id))?wait=\(wait)", patience: patience)
  }

  private static func path(ofAsk id: String) -> String { "/asks/" + id.percentEncoded(except: "A-Za-z0-9") }

  /// The pairs as they stand behind a path, with `?` before them; empty if there are none.
  package static func query(_ pairs: [(name: String, value: String)]) -> String {
    let written = pairs.map { "\($0.name)=" + $0.value.percentEncoded(except: "A-Za-z0-9") }
    return pairs.isEmpty ? "" : "?" + written.joined(separator: "&")
  }
}
