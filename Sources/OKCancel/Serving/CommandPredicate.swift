public import Prompts
internal import Subprocess
#if canImport(System)
  internal import System
#else
  internal import SystemPackage
#endif

/// A predicate that runs a program: the text on its standard input, the answer in its exit code.
///
/// 0: valid. 1: invalid; the first line it prints is the message. Anything else, a signal, or no
/// end within two seconds: it could not be checked, which is never valid. No shell is involved.
public struct CommandPredicate: Sendable {
  /// The path of the program; without a slash it is looked up in `PATH`.
  public let program: String
  /// How long it may take.
  let limit: Duration = .seconds(2)

  public init(program: String) { self.program = program }

  public var predicate: Predicate { .asynchronous { await answer($0) } }

  func answer(_ text: String) async -> PredicateAnswer {
    await withTaskGroup(of: PredicateAnswer?.self) { group in
      group.addTask { await run(text) }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      // The first to end decides; cancelling the group kills a program that is late.
      let first = await group.next() ?? nil
      group.cancelAll()
      return first ?? .unchecked
    }
  }

  private func run(_ text: String) async -> PredicateAnswer {
    do {
      let result = try await Subprocess.run(
        program.contains("/") ? .path(FilePath(program)) : .name(program),
        environment: .inherit.updating(["OKCANCEL_API_TOKEN": nil]),
        input: .string(text),
        output: .string(limit: 4096),
        error: .discarded)
      switch result.terminationStatus {
      case .exited(0): return .valid
      case .exited(1): return .invalid(Self.message(in: result.standardOutput))
      default: return .unchecked
      }
    } catch {
      return .unchecked
    }
  }

  /// The first line, without control characters; nil if that leaves nothing.
  private static func message(in output: String) -> String? {
    let line = output.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }.filter { $0.value >= 0x20 }
    let text = String(String.UnicodeScalarView(line))
    return text.isEmpty ? nil : text
  }
}
