import Foundation
import FoundationNetworking
import Logging
import Testing

@testable import OKCancel
@testable import Prompts

/// A real server on a free port of this machine, and a client for it.
final class LiveServer: Sendable {
  let server: OKCancelServer

  init(
    _ prompts: [NamedPrompt], predicates: [String: @Sendable (String) -> Bool] = [:],
    commands: [String: CommandPredicate] = [:],
    logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
    configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration()
    configuration.port = 0
    configure(&configuration)
    server = try OKCancelServer(
      configuration: configuration, prompts: prompts, predicates: predicates, commands: commands,
      logger: logger)
    try server.start()
  }

  struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let bytes: [UInt8]
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func json() throws -> JSON { try JSON(parsing: bytes, limits: .file) }

    /// The `detail` of a problem; empty if this is none.
    var detail: String {
      guard headers["content-type"] == "application/problem+json" else { return "" }
      return (try? json().text("detail")) ?? ""
    }

    /// The `errors` of a problem, each with its place.
    var errors: [JSON] {
      get throws { if case .array(let errors)? = try json()["errors"] { errors } else { [] } }
    }
  }

  /// The header with the first of the server's API tokens.
  var authorized: [String: String] { ["Authorization": "Bearer \(server.configuration.apiTokens.first ?? "")"] }

  /// An ask as the program that made it learns of it.
  struct MadeAsk: Sendable {
    let id: String
    /// Where its link leads, without the server's address.
    let path: String
    let json: JSON
  }

  /// Makes an ask, as a program with the first API token does.
  func ask(_ body: String = #"{"prompt":"email"}"#, headers: [String: String] = [:]) async throws -> MadeAsk {
    let made = try await post("/asks", json: body, headers: authorized.merging(headers) { $1 })
    #expect(made.status == 201 || made.status == 200, "\(made.text)")
    let json = try made.json(), link = try #require(json.text("link"))
    return MadeAsk(id: try #require(json.text("id")), path: String(link.suffix("/a/".count + 26)), json: json)
  }

  func get(_ path: String, accept: String? = nil, headers: [String: String] = [:]) async throws -> Answer {
    try await send("GET", path, headers: headers.merging(accept.map { ["Accept": $0] } ?? [:]) { $1 })
  }

  func post(
    _ path: String, json: String, accept: String? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    try await post(path, json, type: "application/json", accept: accept, headers: headers)
  }

  func post(
    _ path: String, form: String, accept: String? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    try await post(path, form, type: "application/x-www-form-urlencoded", accept: accept, headers: headers)
  }

  private func post(
    _ path: String, _ body: String, type: String, accept: String?, headers: [String: String]
  ) async throws -> Answer {
    var all = ["Content-Type": type].merging(headers) { $1 }
    if let accept { all["Accept"] = accept }
    return try await send("POST", path, headers: all, body: Array(body.utf8))
  }

  /// Calls a tool over the Model Context Protocol.
  func call(_ tool: String, _ arguments: String, at path: String = "/mcp", headers: [String: String]) async throws
    -> Answer
  {
    let json =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
    return try await post(path, json: json, headers: headers)
  }

  func send(_ method: String, _ path: String, headers: [String: String], body: [UInt8]? = nil) async throws -> Answer {
    var request = URLRequest(url: URL(string: "http://127.0.0.1:\(server.port ?? 0)\(path)")!)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = body.map { Data($0) }
    let (data, response) = try await Self.session.data(for: request, delegate: StayHere())
    let http = response as! HTTPURLResponse
    var fields: [String: String] = [:]
    for (name, value) in http.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
    return Answer(status: http.statusCode, headers: fields, bytes: Array(data))
  }

  private static let session = URLSession(configuration: .ephemeral, delegate: StayHere(), delegateQueue: nil)

  /// Redirects are answers to look at, not to follow.
  private final class StayHere: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
  }
}

/// The prompts that the tests share.
enum Sample {
  static let email = Prompt(
    title: "Your Email", message: "What’s your email address?", ok: "Submit",
    fields: [
      Field(
        "email", kind: .email, placeholder: "Email",
        rules: [.nonEmpty.saying("Enter your email address"), pattern(#".+@.+\..+"#)])
    ])

  static let login = Prompt(
    title: "Sign In",
    buttons: [
      .init("Forgot password", role: .action, name: "forgot", validates: false),
      .init("Keep", role: .action, name: "keep"), .init("Cancel", role: .cancel), .init("Sign in", role: .ok),
    ],
    fields: [Field("user", rules: [.nonEmpty]), Field("password", kind: .password, rules: [.length(min: 8)])])

  static let order = Prompt(
    title: "Order",
    fields: [
      Field("quantity", kind: .integer, rules: [.range(min: Quantity("0"), max: Quantity("2147483646"))]),
      Field("note", optional: true),
      Field("gift", kind: .boolean),
      Field("extras", kind: .choices, options: [.init("box"), .init("card")]),
    ])

  static let all = [email.named("email"), login.named("login"), order.named("order")]

  static func pattern(_ source: String) -> Rule {
    do { return try .pattern(source) } catch { preconditionFailure("\(error)") }
  }
}
