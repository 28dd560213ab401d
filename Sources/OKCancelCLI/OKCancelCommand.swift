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
      Ask.self, Serve.self, Validate.self, Check.self, Answers.self, Asks.self, Mcp.self, Backup.self, Copy.self,
      Rekey.self, Templates.self,
    ])

  static func main() async {
    do {
      // ArgumentParser only suggests options.
      let names = configuration.subcommands.map { "\($0)".lowercased() } + ["help"]
      if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !names.contains(word) {
        throw Failure.no("command", word, among: names)
      }
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      switch (error, exitCode(for: error)) {
      // Help goes to standard output.
      case (is ExitCode, _), (_, .success): exit(withError: error)
      // What is wrong with an argument quotes it.
      case (_, .validationFailure):
        standardError(fullMessage(for: error))
        exit(withError: ExitCode.usage)
      default: exit(withError: Failure(error).report())
      }
    }
  }
}
