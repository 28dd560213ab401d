import Foundation
import Glibc
import TestSupport

/// `receiver.py` beside this file, running: it behaves as a request's path says.
final class Receiver: Sendable {
  /// A request that it got, and how it answered.
  struct Request: Decodable {
    let path: String
    let id: String
    let body: String
    let status: Int
    /// For each secret whether it signed this.
    let verified: [Bool]
  }

  let port: Int
  private let process: Process
  private let log: URL

  init(_ directory: TemporaryDirectory, secrets: [String]) throws {
    log = URL(filePath: directory.file("receiver-\(UUID().uuidString).jsonl"))
    process = Process()
    let pipe = Pipe()
    process.executableURL = Repository.root.appending(path: ".venv/bin/python")
    let script = Repository.root.appending(path: "Tests/AsksTests/Callbacks/receiver.py").path
    process.arguments = [script, log.path] + secrets
    process.standardOutput = pipe
    try process.run()
    let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .newlines)) else { throw NotStarted() }
    self.port = port
  }

  deinit {
    // It may have inherited a mask that blocks SIGTERM.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Each is here before it is answered.
  func requests() throws -> [Request] {
    try Data(contentsOf: log).split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Request.self, from: $0)
    }
  }

  struct NotStarted: Error {}
}
