internal import Asks
internal import Foundation
public import Prompts
package import StrictJSON

/// A client of a server that runs elsewhere: makes asks and waits for their outcomes.
public struct Client: Sendable {
  private let url: String
  private let token: String
  private let authorities: String?

  /// The requests of all clients, side by side. A little longer than the longest `wait`.
  private static let curl = CurlLoop(timeout: .seconds(70))

  /// Why a question cannot be asked.
  public enum Fault: Error, Sendable, CustomStringConvertible {
    /// No response, and why.
    case unreachable(String)
    /// The status of the response and what it says.
    case refused(status: Int, detail: String)
    /// A response that no server of this release sends.
    case notUnderstood(String)

    /// What went wrong.
    public var description: String {
      switch self {
      case .unreachable(let why): "the server cannot be reached: \(why)"
      case .refused(let status, let detail): "the server responded with \(status): \(detail)"
      case .notUnderstood(let what): "the server’s response is not understood: \(what)"
      }
    }

    /// Whether the same request may succeed in a moment.
    package var mayPass: Bool {
      switch self {
      case .unreachable: true
      case .refused(let status, _): (502...504).contains(status)
      case .notUnderstood: false
      }
    }
  }

  /// - Parameters:
  ///   - url: where the server is, such as `https://ask.example.com`.
  ///   - token: one of the server's API tokens.
  ///   - authorities: the PEM file of those whose certificates are trusted, or `nil` for the file that `SSL_CERT_FILE`
  ///     names or, without that, the system's.
  public init(url: String, token: String, authorities: String? = nil) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.token = token
    self.authorities = authorities ?? ProcessInfo.processInfo.environment["SSL_CERT_FILE"]
  }

  /// Puts a prompt to a person and waits for the outcome. Cancelling the task withdraws the question.
  ///
  /// - Parameters:
  ///   - prompt: what to ask.
  ///   - language: the person's as a tag, like `de` (BCP 47), or `nil` to follow the browser.
  ///   - expiresIn: how long the person has; after that the outcome is `expired`.
  ///   - present: brings the link to the person.
  /// - Throws: `Fault`.
  public func ask(
    _ prompt: Prompt, language: String? = nil, expiresIn: Duration = .seconds(86_400),
    present: @Sendable (_ link: String) -> Void
  ) async throws(Fault) -> Outcome {
    try await ask(language, expiresIn, present) { json in json.member("definition") { prompt.writeDefinition(to: &$0) }
    }
  }

  /// The same for a prompt that the server offers under this name.
  public func ask(
    promptNamed name: String, language: String? = nil, expiresIn: Duration = .seconds(86_400),
    present: @Sendable (_ link: String) -> Void
  ) async throws(Fault) -> Outcome {
    try await ask(language, expiresIn, present) { $0.member("prompt", name) }
  }

  /// The names of the fields of the prompt that the server offers under this name.
  package func fields(ofPromptNamed name: String) async throws(Fault) -> [String] {
    guard NamedPrompt.isName(name) else {
      throw .refused(status: 404, detail: "“\(name)” cannot name a prompt")
    }
    guard case .array(let fields)? = try await send("GET", "/prompts/\(name)")["fields"] else { return [] }
    return fields.compactMap { if case .string(let name)? = $0["name"] { name } else { nil } }
  }

  private func ask(
    _ language: String?, _ expiresIn: Duration, _ present: (String) -> Void, _ what: (inout JSONWriter) -> Void
  ) async throws(Fault) -> Outcome {
    var json = JSONWriter()
    json.object { json in
      what(&json)
      json.member("language", ifPresent: language)
      json.member("expiresIn", Int(expiresIn.components.seconds))
    }
    // A response can be lost on its way: with this key the same request makes no second ask.
    let ask = try await send("POST", "/asks", json.bytes, key: RandomText().description)
    guard case .string(let id)? = ask["id"], case .string(let link)? = ask["link"] else {
      throw .notUnderstood("there is no id or link")
    }
    present(link)
    return try await outcome(of: id)
  }

  /// How long a server may be away while a client waits, as when it is restarted.
  private static let patience: Duration = .seconds(10)

  /// Waits until an ask is closed, and retries while the server is away.
  private func outcome(of id: String) async throws(Fault) -> Outcome {
    var lastResponse = ContinuousClock.now
    while !Task.isCancelled {
      do throws(Fault) {
        let ask = try await send("GET", "/asks/\(id)?wait=50")
        lastResponse = .now
        guard case .string(let status)? = ask["status"] else { throw .notUnderstood("there is no status") }
        if status == "closed", let outcome = Outcome(ask) { return outcome }
      } catch {
        guard !Task.isCancelled else { break }
        guard error.mayPass, .now - lastResponse < Self.patience else { throw error }
        try? await Task.sleep(for: .milliseconds(250))
      }
    }
    // In a task of its own, since this one is cancelled.
    _ = await Task { try? await send("DELETE", "/asks/\(id)") }.value
    return .withdrawn
  }

  /// All answers to a standing prompt as JSON Lines, a page at a time.
  package func answers(to prompt: String, page: (_ lines: [String]) throws -> Void) async throws {
    try await lines(of: "/prompts/\(prompt)/answers?", page: page)
  }

  /// All asks as JSON Lines, a page at a time: those of this named prompt, with this status, or all.
  package func asks(
    of prompt: String?, status: String?, page: (_ lines: [String]) throws -> Void
  ) async throws {
    let filters = [prompt.map { "prompt=\($0)&" }, status.map { "status=\($0)&" }]
    try await lines(of: "/asks?" + filters.compactMap(\.self).joined(), page: page)
  }

  private func lines(of path: String, page: (_ lines: [String]) throws -> Void) async throws {
    var after = ""
    while true {
      let bytes = try await data("GET", path + after)
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      guard let last = lines.last else { return }
      try page(lines)
      guard case .string(let cursor)? = try? JSON(parsing: Array(last.utf8), limits: .file)["cursor"] else {
        throw Fault.notUnderstood("a line has no cursor")
      }
      after = "after=\(cursor)"
    }
  }

  /// Sends a request, and reads the JSON of its response.
  ///
  /// - Parameter key: its `Idempotency-Key`: if the response is lost, it is sent again. `nil` for none.
  package func send(
    _ method: String, _ path: String, _ body: [UInt8]? = nil, key: String? = nil
  ) async throws(Fault) -> JSON {
    let bytes = try await data(method, path, body, key)
    do throws(JSONFault) { return try JSON(parsing: bytes, limits: .file) } catch {
      throw .notUnderstood("\(error)")
    }
  }

  private func data(
    _ method: String, _ path: String, _ body: [UInt8]? = nil, _ key: String? = nil
  ) async throws(Fault) -> [UInt8] {
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .refused(status: 401, detail: "the API token has characters that no token has")
    }
    var headers = [("Authorization", "Bearer \(token)"), ("Accept", "application/json"), ("User-Agent", "OKCancel")]
    if body != nil { headers.append(("Content-Type", "application/json")) }
    if let key { headers.append(("Idempotency-Key", key)) }
    let request = OutgoingRequest(
      method, toServer: url + path, headers: headers, body: body, limit: 256 << 20, trusting: authorities)
    switch await result(of: request, isRepeatable: key != nil) {
    case .noResponse(let reason), .lost(let reason): throw .unreachable(reason)
    case .interrupted: throw .unreachable("cancelled")
    case .response(_, _, isCut: true, _): throw .notUnderstood("it is longer than 256 MiB")
    case .response(200..<300, let body, _, _): return body
    case .response(let status, _, _, _) where (300..<400).contains(status):
      throw .refused(status: status, detail: "it redirects to another address; give that one")
    case .response(let status, let body, _, _):
      let problem = try? JSON(parsing: body, limits: .file)
      guard case .string(let detail)? = problem?["detail"] else { throw .refused(status: status, detail: "no detail") }
      throw .refused(status: status, detail: detail)
    }
  }

  /// What becomes of a request, which is sent again if its response is lost and the server comes back.
  private func result(of request: OutgoingRequest, isRepeatable: Bool) async -> OutgoingResult {
    let start = ContinuousClock.now
    var wasLost = false
    while true {
      let result = await Self.curl.send(request)
      switch result {
      case .lost: wasLost = true
      // A server that nobody has reached is not there.
      case .noResponse where wasLost: break
      case .noResponse, .interrupted, .response: return result
      }
      guard isRepeatable, .now - start < Self.patience else { return result }
      guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { return .interrupted }
    }
  }
}
