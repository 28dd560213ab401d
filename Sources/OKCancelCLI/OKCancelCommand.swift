internal import ArgumentParser
internal import OKCancel

/// The `okcancel` command.
@main
struct OKCancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "okcancel",
    abstract: "Ask a person for a value and give a program only a valid one.",
    discussion: """
      Try it:

        EMAIL=$(okcancel ask --title "Your email" --field email:email)
        okcancel serve Examples
        curl -d email=bob@gmail http://127.0.0.1:8080/validate/email

      Nearly every option is also a variable: --port is OKCANCEL_PORT,
      --allow-origin is OKCANCEL_ALLOW_ORIGIN. The option on the command line wins.
      """,
    version: OKCancelServer.version,
    subcommands: [
      Ask.self, Serve.self, Validate.self, Check.self, Answers.self, Asks.self, Mcp.self, Copy.self, Rekey.self,
    ])

  /// Suggests a command for a word that is none; ArgumentParser only does that for options.
  static func main() async {
    let names = configuration.subcommands.map { "\($0)".lowercased() } + ["help"]
    if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !names.contains(word) {
      exit(withError: fail(.usage, "there is no command `\(word)`; \(Nearest.remedy(for: word, among: names))"))
    }
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      let code = exitCode(for: error)
      // Help goes to standard output. What is wrong with an argument quotes it.
      guard code.isSuccess || error is ExitCode else {
        standardError(fullMessage(for: error))
        exit(withError: code)
      }
      exit(withError: error)
    }
  }
}

/// Exit codes, from BSD's `sysexits.h` if it has one that fits. 1 means “cancel” or “invalid” here, so no error may end
/// with it.
extension ExitCode {
  static let invalid = ExitCode(1)
  /// Codes of `ask` for how a dialog ended; 0 is `ok`, 1 `cancel`.
  static let action = ExitCode(3)
  static let noAnswer = ExitCode(5)
  static let usage = ExitCode(64)
  /// A definition has faults.
  static let definitionFault = ExitCode(65)
  /// No server could be reached.
  static let unavailable = ExitCode(69)
  /// Any other error.
  static let internalError = ExitCode(70)
}

/// Prints on standard error what is wrong, and returns the code to throw.
func fail(_ code: ExitCode, _ message: String) -> ExitCode {
  standardError("okcancel: \(message)")
  return code
}

/// Prints each fault of a definition.
func fail(_ faults: DefinitionFaults, _ code: ExitCode) -> ExitCode {
  standardError(faults.description)
  return code
}

/// The same for what asking, or a server, threw. An exit code was reported before.
func fail(_ error: any Error) -> ExitCode {
  switch error {
  case let code as ExitCode: code
  case let faults as DefinitionFaults: fail(faults, .definitionFault)
  case Client.Fault.unreachable: fail(.unavailable, "\(error); start it, or name another with --server")
  case Client.Fault.refused(status: 401, _):
    fail(
      .internalError,
      "the server responded with 401: the API token is not one of its own; set one in OKCANCEL_API_TOKEN")
  default: fail(.internalError, "\(error)")
  }
}
