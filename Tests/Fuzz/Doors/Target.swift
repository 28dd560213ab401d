import Foundation
import Logging
import OKCancel
import Prompts

/// A real server of the examples in this process, and a client that keeps its connection.
final class Target {
  static let token = "for-fuzzing"
  private let server: OKCancelServer
  private var connection: Connection?

  init() throws {
    var configuration = Configuration()
    configuration.port = 0
    configuration.apiTokens = [Self.token]
    var prompts: [NamedPrompt] = []
    for name in ["email", "login", "quantity", "profile", "feedback", "deploy", "maintenance-window"] {
      prompts.append(try DefinitionFile(path: "Examples/\(name).yaml").prompt)
    }
    server = try OKCancelServer(
      configuration: configuration, prompts: prompts, logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
    try server.start()
  }

  /// The end of a new ask's link.
  func newLink() -> String {
    let answer = post("/asks", type: "application/json", body: Array(#"{"prompt":"profile"}"#.utf8))
    guard let body = answer?.body, case .string(let link)? = try? JSON(parsing: body)["link"],
      let slash = link.lastIndex(of: "/")
    else { return "" }
    return String(link[link.index(after: slash)...])
  }

  /// Opens the link of an ask that was made, and answers it with numbers.
  ///
  /// - Returns: what is wrong with its pages, or `nil`.
  func open(_ made: Answer) -> String? {
    guard made.status == 201, case .string(let link)? = try? JSON(parsing: made.body, limits: .file)["link"],
      let path = link.firstRange(of: "/a/").map({ String(link[$0.lowerBound...]) })
    else { return nil }
    let numbers = Corpus.numbers.map { String(decoding: $0, as: UTF8.self) }
    let values = ["a", "b"].map { "\"\($0)\":\(numbers[made.body.count % numbers.count])" }.joined(separator: ",")
    let answers = [
      get(path), get(path + "/rules"),
      post(path + "/validate", type: "application/json", body: Array("{\(values)}".utf8)),
    ]
    return answers.first { ($0?.status ?? 500) >= 500 }.map {
      "opened with \($0.map { "\($0.status)" } ?? "no answer")"
    }
  }

  /// Gets a page; nil: no answer came.
  private func get(_ path: String) -> Answer? {
    connect()?.exchange(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n".utf8))
  }

  /// Posts a body; nil: no answer came.
  func post(_ path: String, type: String, body: [UInt8]) -> Answer? {
    let head =
      "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nAuthorization: Bearer \(Self.token)\r\nContent-Length: \(body.count)\r\n\r\n"
    let request = Array(head.utf8) + body
    // A server may close a connection that it kept: once more on a new one.
    for _ in 0..<2 {
      if connection == nil { connection = connect() }
      if let answer = connection?.exchange(request) {
        if answer.closes { connection = nil }
        return answer
      }
      connection = nil
    }
    return nil
  }

  /// A connection for one case; nil: nobody listens.
  func connect() -> Connection? { Connection(port: server.port ?? 0) }
}
