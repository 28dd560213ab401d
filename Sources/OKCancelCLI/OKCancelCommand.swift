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

      Every option can also be set in the environment: --port is OKCANCEL_PORT,
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
