import Glibc
import Prompts

/// Times verdicts in process on the fields of a definition: `VerdictBench FILE.yaml`.
///
/// `VerdictBench FILE.yaml "valid, parsed" 1000` does one work that often and times nothing: what a run under callgrind
/// with twice the count has more, it has only of that work.
/// The way is the server's: JSON read strictly, its members made inputs of the prompt's fields, the inputs judged.
@main
struct VerdictBench {
  static func main() throws {
    let prompt = try DefinitionFile(path: CommandLine.arguments[1]).prompt.prompt
    let judge = Judge()
    let texts = [
      ("valid", #"{"email":"alice@example.com","quantity":42,"name":"Ada Lovelace"}"#),
      ("invalid", #"{"email":"alice","quantity":420,"name":""}"#),
    ]
    let edition = prompt.edition()
    for (name, text) in texts {
      let bytes = Array(text.utf8)
      let inputs = try Self.inputs(bytes, of: prompt)
      precondition(failures(inputs, edition, judge) == (name == "valid" ? 0 : 3), "the judge is wrong about \(text)")
      try measure("\(name), parsed") { failures(inputs, edition, judge) }
      try measure("\(name), from text") { failures(try Self.inputs(bytes, of: prompt), edition, judge) }
    }
  }

  private static func inputs(_ bytes: [UInt8], of prompt: Prompt) throws -> Inputs {
    guard let inputs = Inputs(faultless: try JSON(parsing: bytes), of: prompt.fields) else {
      preconditionFailure("the texts have no faults")
    }
    return inputs
  }

  /// How many fields are invalid and say so.
  @inline(never)
  private static func failures(_ inputs: Inputs, _ edition: Edition, _ judge: Judge) -> Int {
    guard case .decided(let verdicts) = judge.judge(inputs, of: edition) else { return -1 }
    if verdicts.isValid { return 0 }
    var failures = 0
    verdicts.forEachInvalid { _, _, message in failures += message.isEmpty ? 0 : 1 }
    return failures
  }

  /// Prints the nanoseconds of the processor that one call takes.
  private static func measure(_ work: String, _ judge: () throws -> Int) throws {
    if CommandLine.arguments.count > 3 {
      guard CommandLine.arguments[2] == work, let count = Int(CommandLine.arguments[3]) else { return }
      for _ in 0..<count { _ = try judge() }
      return
    }
    var count = 1000
    while true {
      var failures = 0
      let start = nanoseconds()
      for _ in 0..<count {
        failures += try judge()
      }
      let taken = nanoseconds() - start
      precondition(failures.isMultiple(of: count))
      if taken > 200_000_000 {
        var json = JSONWriter()
        json.object {
          $0.member("work", work)
          $0.member("nanoseconds") { $0.literal("\(Double(taken) / Double(count))") }
        }
        print(json.text)
        return
      }
      count *= 4
    }
  }

  private static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
