package import Foundation

/// Runs Node, for what the browser's scripts say.
package enum NodeProcess {
  /// Whether there is a Node.
  package static let isAvailable = (try? run(["--version"], input: Data())) != nil

  /// What it writes, given these arguments and this input.
  package static func run(_ arguments: [String], input: Data) throws -> Data {
    // Files and not pipes: a pipe that fills on either side would stop both.
    let directory = try TemporaryDirectory()
    let (question, answer) = (URL(filePath: directory.file("question")), URL(filePath: directory.file("answer")))
    try input.write(to: question)
    try Data().write(to: answer)

    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // As the Makefile does, so that `node` is that of the Python tests.
    let folder = Repository.root.appending(path: ".venv/bin").path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    process.arguments = ["PATH=\(folder):\(path)", "node"] + arguments
    process.standardInput = try FileHandle(forReadingFrom: question)
    process.standardOutput = try FileHandle(forWritingTo: answer)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return try Data(contentsOf: answer)
  }

  package struct Failure: Error {
    package let status: Int32
  }
}
