internal import ArgumentParser
internal import Foundation
internal import OKCancel

/// The `okcancel` command.
@main
struct OKCancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    describedAs: "okcancel", version: OKCancelServer.version,
    subcommands: [
      Ask.self, Serve.self, Validate.self, Check.self, Answers.self, Asks.self, Mcp.self, Backup.self, Copy.self,
      Rekey.self, Templates.self,
    ])

  static func main() async {
    do {
      // ArgumentParser only suggests options.
      let names = configuration.subcommands.map { "\($0)".lowercased() } + ["help"]
      let arguments = Array(CommandLine.arguments.dropFirst())
      if let word = arguments.first, !word.hasPrefix("-"), !names.contains(word) {
        throw Failure.no("command", word, among: names)
      }
      var command = try parseAsRoot(arguments)
      if arguments.first != "help", case let flags = try command.flagsOfVariables(), !flags.isEmpty {
        command = try parseAsRoot(arguments.prefix(1) + flags + arguments.dropFirst())
      }
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

extension CommandConfiguration {
  private static let sections = EmbeddedFiles.text(of: "commands.txt")
    .split(separator: "\n# ")

  /// A command as `commands.txt` describes it.
  init(describedAs name: String, version: String = "", subcommands: [any ParsableCommand.Type] = []) {
    guard let section = Self.sections.first(where: { $0.hasPrefix(name + "\n") }) else {
      preconditionFailure("commands.txt does not describe \(name)")
    }
    let parts = section.split(separator: "\n", maxSplits: 2)
    self.init(
      commandName: name, abstract: String(parts[1]), discussion: parts[2].trimmingCharacters(in: .newlines),
      version: version, subcommands: subcommands)
  }
}
