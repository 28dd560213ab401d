@testable import OKCancel

/// A server and every way in for a body: where it is posted, and with which headers.
struct Doors {
  let live: LiveServer
  let json: [(path: String, headers: [String: String])]
  let form: [(path: String, headers: [String: String])]

  init() async throws {
    live = try LiveServer(Sample.all) { $0.apiTokens = ["secret"] }
    let page = try await live.ask().path
    form = [("/prompts/email", [:]), ("/validate/email", [:]), (page, [:]), (page + "/validate", [:])]
    json = form + [("/validate", [:]), ("/asks", live.authorized)]
  }

  /// What every JSON door answers to these bytes; one answer a door.
  func answers(toJSON body: [UInt8]) async throws -> [LiveServer.Answer] {
    try await answers(at: json, to: body, type: "application/json")
  }

  /// The same of every form door.
  func answers(toForm body: [UInt8]) async throws -> [LiveServer.Answer] {
    try await answers(at: form, to: body, type: "application/x-www-form-urlencoded")
  }

  private func answers(
    at doors: [(path: String, headers: [String: String])], to body: [UInt8], type: String
  ) async throws -> [LiveServer.Answer] {
    var answers: [LiveServer.Answer] = []
    for door in doors {
      let headers = door.headers.merging(["Content-Type": type]) { $1 }
      answers.append(try await live.send("POST", door.path, headers: headers, body: body))
    }
    return answers
  }
}
