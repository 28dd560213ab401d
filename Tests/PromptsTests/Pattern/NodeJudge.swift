import Foundation
import TestSupport

/// Asks Node, as `judge.mjs` beside this file describes.
struct NodeJudge {
  /// Whether there is a Node to ask.
  static let isAvailable = (try? run(["--version"], input: Data())) != nil

  /// For each sample its verdicts, nil when JavaScript does not compile the pattern.
  static func judge(_ samples: [PatternSample]) throws -> [[Bool]?] {
    let encoder = JSONEncoder()
    var input = Data()
    for sample in samples {
      input += try encoder.encode(sample)
      input.append(UInt8(ascii: "\n"))
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "judge.mjs").path
    let output = try run([script], input: input)
    return try output.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode([Bool]?.self, from: $0) }
  }

  /// What Node writes when it runs a script of `Tests/PromptsTests` or has arguments of its own.
  static func run(_ arguments: [String], input: Data) throws -> Data {
    // Files and not pipes: a pipe that fills on either side would stop both.
    let directory = try TemporaryDirectory()
    let (question, answer) = (URL(filePath: directory.file("question")), URL(filePath: directory.file("answer")))
    try input.write(to: question)
    try Data().write(to: answer)

    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // As the Makefile does, so that `node` is that of the Python tests.
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../.venv/bin").path
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

  struct Failure: Error {
    let status: Int32
  }
}
