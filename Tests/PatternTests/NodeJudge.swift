import Foundation
import TestSupport

/// Asks Node, as `judge.mjs` beside this file describes.
struct NodeJudge {
  /// For each sample its verdicts, nil when JavaScript does not compile the pattern.
  static func judge(_ samples: [PatternSample]) throws -> [[Bool]?] {
    let encoder = JSONEncoder()
    var input = Data()
    for sample in samples {
      input += try encoder.encode(sample)
      input.append(UInt8(ascii: "\n"))
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "judge.mjs").path
    let output = try NodeProcess.run([script], input: input)
    return try output.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode([Bool]?.self, from: $0) }
  }
}
