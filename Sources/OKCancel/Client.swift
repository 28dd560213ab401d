internal import Foundation
#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif
public import Prompts
internal import StrictJSON

/// A program's side of a server that runs elsewhere: makes asks and waits for their outcomes.
public struct Client: Sendable {
  let url: String
  let token: String

  /// What the server said that keeps a question from being put.
  public enum Fault: Error, Sendable, CustomStringConvertible {
    case unreachable(String)
    /// Its status and what it says.
    case refused(status: Int, detail: String)
    case notUnderstood(String)

    public var description: String {
      switch self {
      case .unreachable(let why): "the server cannot be reached: \(why)"
      case .refused(let status, let detail): "the server answered \(status): \(detail)"
      case .notUnderstood(let what): "the server’s answer is not understood: \(what)"
      }
    }

    /// Whether the same request may succeed in a moment.
    var mayPass: Bool {
      switch self {
      case .unreachable: true
      case .refused(let status, _): (502...504).contains(status)
      case .notUnderstood: false
      }
    }
  }

  /// An ask that was made: the id for the program, the link for the person.
  public struct Ask: Sendable {
    public let id: String
    public let link: String
  }

  /// - Parameters:
  ///   - url: where the server is, `https://ask.example.com`.
  ///   - token: one of the server's API tokens.
  public init(url: String, token: String) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.token = token
  }

  /// Puts a prompt to a person and waits for the outcome; cancelling the task withdraws it.
  ///
  /// - Parameter present: brings the link to the person.
  public func ask(
    _ prompt: Prompt, expiresIn: Duration = .seconds(86_400), present: @Sendable (_ link: String) -> Void
  ) async throws -> Outcome {
    let ask = try await create(prompt, expiresIn: expiresIn)
    present(ask.link)
    return try await outcome(of: ask)
  }

  /// Makes an ask of a prompt of your own.
  public func create(_ prompt: Prompt, expiresIn: Duration = .seconds(86_400)) async throws(Fault) -> Ask {
    try await create(expiresIn) { json in json.member("definition") { prompt.writeDefinition(to: &$0) } }
  }

  /// Makes an ask of a prompt that the server offers.
  public func create(promptNamed name: String, expiresIn: Duration = .seconds(86_400)) async throws(Fault) -> Ask {
    try await create(expiresIn) { $0.member("prompt", name) }
  }

  private func create(_ expiresIn: Duration, _ what: (inout JSONWriter) -> Void) async throws(Fault) -> Ask {
    var json = JSONWriter()
    json.object { json in
      what(&json)
      json.member("expiresIn", Int(expiresIn.components.seconds))
    }
    let answer = try await send("POST", "/asks", json.bytes)
    guard case .string(let id)? = answer["id"], case .string(let link)? = answer["link"] else {
      throw .notUnderstood("there is no id or link")
    }
    return Ask(id: id, link: link)
  }

  /// How long a server may be away while somebody waits, as when it is restarted.
  private static let patience: Duration = .seconds(10)

  /// Waits until an ask is closed; cancelling the task withdraws it and returns `withdrawn`.
  ///
  /// A server that is away for less than ten seconds is asked again.
  public func outcome(of ask: Ask) async throws(Fault) -> Outcome {
    var answered = ContinuousClock.now
    while !Task.isCancelled {
      do throws(Fault) {
        let answer = try await send("GET", "/asks/\(ask.id)?wait=50")
        answered = .now
        guard case .string(let status)? = answer["status"] else { throw .notUnderstood("there is no status") }
        if status == "closed", let outcome = Outcome(answer) { return outcome }
      } catch {
        guard !Task.isCancelled else { break }
        guard error.mayPass, .now - answered < Self.patience else { throw error }
        try? await Task.sleep(for: .milliseconds(250))
      }
    }
    await withdraw(ask)
    return .withdrawn
  }

  /// Takes a question back. Whether it came in time is for the outcome to say.
  public func withdraw(_ ask: Ask) async {
    // Its own task: this is what is done when the caller's was cancelled.
    _ = await Task { try? await send("DELETE", "/asks/\(ask.id)") }.value
  }

  /// Answers to a standing prompt as JSON Lines, all of them, a page at a time.
  public func answers(to prompt: String, page: (_ lines: [String]) throws -> Void) async throws {
    var after = ""
    while true {
      let bytes = try await data("GET", "/prompts/\(prompt)/answers\(after)")
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      guard let last = lines.last else { return }
      try page(lines)
      guard case .string(let cursor)? = try? JSON(parsing: Array(last.utf8), limits: .file)["cursor"] else {
        throw Fault.notUnderstood("an answer has no cursor")
      }
      after = "?after=\(cursor)"
    }
  }

  private func send(
    _ method: String, _ path: String, _ body: [UInt8]? = nil
  ) async throws(Fault) -> JSON {
    let bytes = try await data(method, path, body)
    do throws(JSONFault) { return try JSON(parsing: bytes, limits: .file) } catch {
      throw .notUnderstood("\(error)")
    }
  }

  private func data(
    _ method: String, _ path: String, _ body: [UInt8]? = nil
  ) async throws(Fault) -> [UInt8] {
    guard let target = URL(string: url + path), target.host != nil else { throw .unreachable("“\(url)” is no address") }
    var request = URLRequest(url: target, timeoutInterval: 70)
    request.httpMethod = method
    request.httpBody = body.map { Data($0) }
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await URLSession.shared.data(for: request)
    } catch {
      throw .unreachable(error.localizedDescription)
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else {
      let problem = try? JSON(parsing: Array(data), limits: .file)
      guard case .string(let detail)? = problem?["detail"] else { throw .refused(status: status, detail: "no detail") }
      throw .refused(status: status, detail: detail)
    }
    return Array(data)
  }
}
