internal import ArgumentParser
internal import Glibc
internal import OKCancel
internal import Platform
internal import Prompts

/// The `okcancel` command.
struct OKCancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    describedAs: "okcancel", version: OKCancelServer.versions,
    subcommands: [
      AskCommand.self, ResultCommand.self, AnswerCommand.self, ServeCommand.self, ValidateCommand.self,
      CheckCommand.self,
      AnswersCommand.self, AsksCommand.self, MCPCommand.self, HookCommand.self, NotifyCommand.self,
      BackupCommand.self, CopyCommand.self, RekeyCommand.self, TemplatesCommand.self,
    ])

  /// Runs what the command line says.
  ///
  /// - Returns: the code to end with.
  static func run() async -> ExitCode {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try checkEncoding()
      // ArgumentParser only suggests options.
      let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
      let named = arguments.first == "help" ? arguments[...] : arguments.prefix(1)
      for (place, word) in named.enumerated() where !word.hasPrefix("-") {
        // No command has commands of its own.
        let known = place < 2 ? names : []
        guard !known.contains(word) else { continue }
        throw Failure("no-such", ["kind": "command", "name": word, "nearest": Nearest(to: word, among: known)])
      }
      var command = try parse(arguments)
      // Help has none.
      let (flags, faults) = command is any Command ? Variable.flags() : ([], [])
      if !faults.isEmpty { try Failure.Collected(faults).reading { try (command as? any Command)?.readSettings() } }
      if !flags.isEmpty {
        command = try parse(arguments.prefix(1) + flags + arguments.dropFirst())
      }
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
      return .success
    } catch {
      let code = end(by: error)
      return HookCommand.isCalled(by: arguments) ? .success : code
    }
  }

  /// The message about an unknown option, with the one that is meant if every command has it: ArgumentParser only
  /// suggests a command's own.
  private static func suggestingHelp(_ message: String) -> String {
    guard var reader = TextReader(after: "Unknown option '", in: message), let option = reader.take(some: "^'") else {
      return message
    }
    let hasOther = !reader.rest.hasPrefix("'\n")
    let meant = Nearest.nearest(to: String(option), among: ["--help", "--version"], edits: hasOther ? 1 : .max)
    guard let meant, let end = message.firstIndex(of: "\n") else { return message }
    return "Error: Unknown option '\(option)'. Did you mean '\(meant)'?\(message[end...])"
  }

  /// Reads the command line. A command reads its options by itself: for `okcancel`, ArgumentParser would first look through
  /// them twice. `okcancel` has the help and what is wrong.
  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let named = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
    if let own = try? named?.parseAsRoot(Array(arguments.dropFirst())), own is any Command { return own }
    return try parseAsRoot(arguments)
  }

  /// Checks that all that was given is UTF-8: in the place of other bytes, Swift reads U+FFFD.
  private static func checkEncoding() throws(Failure) {
    func wrong(in file: String, after first: Int = 0) -> [String] {
      let bytes = (try? RegularFile("/proc/self/\(file)", first: 8 << 20))?.bytes ?? []
      let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).dropFirst(first)
      return texts.filter { String(validating: $0, as: UTF8.self) == nil }.map { String(decoding: $0, as: UTF8.self) }
    }
    // The first is the command itself, wherever it is.
    if let argument = wrong(in: "cmdline", after: 1).first {
      throw Failure("not-utf-8", ["what": "the argument “\(argument)”"])
    }
    // Its value may be a secret.
    let ours = wrong(in: "environ").filter { $0.hasPrefix("OKCANCEL_") }
    if let name = ours.first?.cut(at: "=")?.head { throw Failure("not-utf-8", ["what": "the value of \(name)"]) }
  }

  private static func end(by error: any Error) -> ExitCode {
    switch (error, exitCode(for: error)) {
    case (let code as ExitCode, _): return code
    case (_, .success):
      // Help was asked for.
      do { try standardOutput(fullMessage(for: error)) } catch { return end(by: error) }
      return .success
    // What is wrong with an argument quotes it.
    case (_, .validationFailure):
      let message = fullMessage(for: error), words = CommandLine.arguments
      standardError(suggestingHelp(message))
      var reader = TextReader(after: "Missing value for '", in: message)
      if let option = reader?.take(some: "a-z-"),
        let text = zip(words, words.dropFirst()).first(where: { $0 == option && $1.hasPrefix("-") })?.1
      {
        return Failure("dashed", ["option": String(option), "text": text]).report()
      }
      return .usage
    case (let fault as OutputFault, _) where fault.code == EPIPE:
      // The reader has had enough, as `head` has: end as other programs do, unless SIGPIPE was ignored from the start.
      Program.restoreBrokenPipe()
      kill(getpid(), SIGPIPE)
    default: break
    }
    return Failure(error).report()
  }
}

/// A command under `okcancel`: `AskCommand` is `okcancel ask`.
protocol Command: AsyncParsableCommand {
  /// Reads the settings, to find what is wrong with them.
  func readSettings() throws
}

extension Command {
  func readSettings() throws {}
  static var configuration: CommandConfiguration {
    CommandConfiguration(describedAs: "\(self)".dropLast("Command".count).lowercased())
  }
}

extension CommandConfiguration {
  private static let sections = EmbeddedFiles.sections(of: "Sources/OKCancelCLI/commands.txt", comment: "#")

  /// A command as `commands.txt` describes it.
  init(describedAs name: String, version: String = "", subcommands: [any ParsableCommand.Type] = []) {
    guard let parts = Self.sections["command: \(name)"]?.split(separator: "\n\n", maxSplits: 1) else {
      preconditionFailure("commands.txt does not describe \(name)")
    }
    self.init(
      commandName: name, abstract: String(parts[0]), discussion: String(parts[1]), version: version,
      subcommands: subcommands)
  }
}

extension ArgumentHelp {
  private static let rows = Dictionary(
    uniqueKeysWithValues: EmbeddedFiles.rows(of: "Sources/OKCancelCLI/options.txt", columns: 3).map { row in
      (String(row[0]), ArgumentHelp(String(row[2]), valueName: row[1].isEmpty ? nil : String(row[1])))
    })

  /// The names of the options and arguments of all commands.
  static let options = rows.keys.map(name(of:))

  /// `mcp.port` → `port`
  static func name(of key: String) -> String { key.split(separator: ".").last.map(String.init) ?? key }

  /// An option or argument as `options.txt` describes it.
  ///
  /// - Parameter standard: what it is if it is not given, in words.
  static func of(_ key: String, default standard: String? = nil) -> ArgumentHelp {
    guard var help = rows[key] else { preconditionFailure("options.txt does not describe \(key)") }
    DeclaredOptions.add(name(of: key))
    if let standard { help.abstract += " (default: \(standard))" }
    return help
  }
  /// The completion that a shell offers for it.
  var completion: CompletionKind? { ["file": .file(), "dir": .directory][valueName ?? ""] }
}
