import Dispatch
import Prompts
import ServedFields
import Synchronization

/// Judges the fuzzer's cases by the server's code: cases on stdin, one JSON a line; verdicts on stdout, one a line.
/// `Tests/Fuzz/README.md` says what the lines hold.
@main
struct VerdictJudge {
  /// So many lines are read before the cores share them.
  private static let batch = 8192
  private static let share = 256

  static func main() {
    var lines: [String] = []
    repeat {
      lines.removeAll(keepingCapacity: true)
      while lines.count < batch, let line = readLine() {
        if !line.isEmpty { lines.append(line) }
      }
      for verdicts in judged(lines) { print(verdicts, terminator: "") }
    } while lines.count == batch
  }

  private static func verdict(on line: String) -> String {
    if line.hasPrefix(#"{"schema""#), let json = try? JSON(parsing: Array(line.utf8), limits: .file),
      let schema = json["schema"]
    {
      return SchemaVerdict.json(schema, json["values"]?.elements ?? [])
    }
    return LineVerdict(on: line).json
  }

  /// The verdicts on each share of the lines, in order, each with its line feed.
  private static func judged(_ lines: [String]) -> [String] {
    let starts = Array(stride(from: 0, to: lines.count, by: share))
    let shares = Mutex([String](repeating: "", count: starts.count))
    DispatchQueue.concurrentPerform(iterations: starts.count) { index in
      let part = lines[starts[index]..<min(starts[index] + share, lines.count)]
      let verdicts = part.map { verdict(on: $0) + "\n" }.joined()
      shares.withLock { $0[index] = verdicts }
    }
    return shares.withLock { $0 }
  }
}
