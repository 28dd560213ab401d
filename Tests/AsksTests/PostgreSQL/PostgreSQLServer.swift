@testable import Asks
import Foundation
import Synchronization
import TestSupport

/// A PostgreSQL for tests, without a port and gone with this process, however that ends.
final class PostgreSQLServer: Sendable {
  /// One for all tests that leave it running; each makes a schema of its own in it.
  static let shared = Result { try PostgreSQLServer() }

  private let url: String
  private let input = Pipe()
  private let output: Mutex<FileHandle>

  struct NotStarted: Error {}

  init() throws {
    let process = Process()
    process.executableURL = Repository.root.appending(path: "Tests/Support/PostgreSQL/server")
    let pipe = Pipe()
    process.standardInput = input
    process.standardOutput = pipe
    try process.run()
    output = Mutex(pipe.fileHandleForReading)
    url = Self.line(of: pipe.fileHandleForReading)
    guard url.hasPrefix("postgresql://") else { throw NotStarted() }
  }

  /// Waits until it is done: `start`, `stop` as if it crashed, `restart`.
  func order(_ command: String) {
    input.fileHandleForWriting.write(Data((command + "\n").utf8))
    _ = output.withLock { Self.line(of: $0) }
  }

  /// Where its socket and its data are.
  var folder: String { url.components(separatedBy: "host=").last ?? "" }

  /// Starts it anew as a replica that follows nobody.
  func makeReplica() {
    order("stop")
    _ = FileManager.default.createFile(atPath: folder + "/data/standby.signal", contents: nil)
    order("start")
  }

  private static func line(of handle: FileHandle) -> String {
    var line: [UInt8] = []
    while let byte = handle.readData(ofLength: 1).first, byte != 0x0A { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// An address whose tables are in a new, empty schema.
  ///
  /// - Parameter application: what its connections are called.
  func makeAddress(for application: String = "test") throws -> PostgreSQLAddress {
    let schema = "test_" + AskID().description
    try PostgreSQLSession(try PostgreSQLAddress(url)).run("CREATE SCHEMA \(schema)")
    return try PostgreSQLAddress(url + "&application_name=\(application)&options=-csearch_path%3D\(schema)")
  }
}

extension SecretSource {
  /// A key that is not kept anywhere but here.
  static let test = SecretSource(environment: Data(repeating: 7, count: 32).base64EncodedString(), file: "/nowhere")
}
