import Asks
import Foundation
import Glibc

/// Kills a process with SIGKILL while it closes asks, again and again, and checks what is left: no
/// acknowledged outcome is lost or changed, none is doubled, and the database is sound.
///
///     ask-store-kill [ROUNDS]        the test; 200 rounds unless told otherwise
///     ask-store-kill --write FILE    the process that is killed
@main
enum AskStoreKill {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--write", let path = arguments.dropFirst().first {
      try await Writer(path).run()
    } else {
      let rounds = arguments.first.flatMap { Int($0) } ?? 200
      exit(try await Killer(rounds: rounds).run() ? 0 : 1)
    }
  }
}

func open(_ path: String) throws -> AskStore {
  try AskStore(path, secrets: .beside(path, environment: nil))
}
