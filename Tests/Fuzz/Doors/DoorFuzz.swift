import ArgumentParser
import Foundation
import TestSupport

/// Mutated bytes at every way into the server: no crash, no 5xx, no second of work for one request, no answer
/// that is not what it says.
///
///     DoorFuzz [--seed SEED] [--count N] [--from N] [--door NAME]…
///
/// Run in the project's folder. A case is made from only the seed, the door and its number, so that
/// `--seed S --door D --from N --count 1` is that case again. If the process dies, its last line
/// says which case it was at. Exit codes: 0 nothing found, 1 something, 64 usage.
@main
struct DoorFuzz: ParsableCommand {
  @Option var seed = UInt64.random(in: 0 ... .max)
  @Option var count = 100_000
  @Option var from = 0
  @Option(name: .customLong("door")) var only: [String] = []

  func run() throws {
    say("seed \(seed)")
    let target = try Target()
    var found = 0
    for door in try Corpus().doors(of: target) where only.isEmpty || only.contains(door.name) {
      let tally = Tally(door: door.name)
      for number in from..<from + count {
        tally.begin(number, seed: seed)
        var random = SeededGenerator(seed: seed, door: door.name, number: number)
        let input = Mutation(of: door.seeds, with: door.words, &random).bytes
        tally.end(input, door.visit(input))
      }
      say(tally.summary)
      found += tally.found
    }
    if found > 0 { throw ExitCode.failure }
  }
}

/// Prints a line at once: what follows may end the process.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

extension SeededGenerator {
  /// The same numbers for the same case in every run.
  init(seed: UInt64, door: String, number: Int) {
    // FNV-1a of the name, so that doors do not get the same cases.
    let name = door.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    self.init(seed: (seed ^ name) &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15)
  }
}
