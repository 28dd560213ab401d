internal import ArgumentParser
internal import Asks
internal import Foundation
internal import OKCancel
internal import Prompts
internal import UnixSignals

/// `okcancel ask …`
struct AskCommand: Command {
  @OptionGroup var question: QuestionOptions
  @Option(.url("server")) var server
  @Option(help: .of("ask.key")) var key: String?
  @OptionGroup var trust: TrustOptions
  @Option(.number("timeout", 1...31_622_400, of: "seconds")) var timeout
  @Flag("no-wait") var noWait
  @OptionGroup var output: FieldOutput
  @Flag("open") var open
  @Flag("terminal") var terminal
  @Flag("qr") var qr
  @Option(.text("notify-command")) var notifyCommand
  @Flag("quiet") var quiet
  @OptionGroup var files: FileOptions
  @OptionGroup var predicates: PredicateOptions
  @OptionGroup var language: LanguageOption
  @Argument(parsing: .postTerminator, help: .of("ask.command")) var command: [String] = []

  func run() async throws {
    question.ignoreVariablesBesideOptions()
    let (url, timeout, format, authorities, commands) = try Failure.Collected().reading {
      let url = try server()
      // A server has predicates of its own.
      let commands = url == nil ? try predicates.commands() : [:]
      return (url, try self.timeout(), try output.chosen(), try trust.cacert(), commands)
    }
    let expiry = Duration.seconds(timeout ?? 86_400)
    let token = try url == nil ? nil : Variable.apiToken()
    let client = url.map { Client(url: $0, token: token ?? "", authorities: authorities) }
    try OptionRule.check(OptionRule.ask)
    if !command.isEmpty {
      if format != nil { throw Failure("command-gets-answer", ["option": "--format and --json"]) }
      if noWait { throw Failure("command-gets-answer", ["option": "--no-wait"]) }
      // Whatever this command was given as a secret, the other one cannot find.
      Secrets.take()
    }
    if let key, IdempotencyKey(key, body: []) == nil { throw PlainError(row: "ask-key").failure(of: "--key", key) }
    let person = try language.ofPerson()
    let prompt = question.prompt.text
    let definition = try question.definition(
      in: try language.language(), for: person, hasServer: client != nil,
      predicates: client == nil ? Array(commands.keys) : nil
    ) { warnings in
      if !quiet { for warning in warnings { standardError(warning.asWarning.revealed) } }
    }
    guard definition != nil || client != nil && prompt != nil else { throw Failure("nothing-to-ask") }
    if terminal, ControllingTerminal() == nil { throw Failure("no-terminal") }
    // Nobody is asked if standard output is closed.
    try standardOutput("", end: "")
    // With a key only Ctrl-C withdraws the question. If anything else ends this command, another run can take it up.
    let trapped = await Program.trap(key == nil ? Program.last : [.sigint])
    let presentation = Presentation(
      of: definition?.title ?? prompt ?? "", for: expiry, opensBrowser: self.open, hasQRCode: qr, isQuiet: quiet,
      command: notifyCommand.text)
    let result = await Program.cancelled(by: trapped) { () -> (Ended, [Field], ExitCode?)? in
      var client = client
      client?.away = presentation.serverIsAway
      if !quiet { client?.untold = presentation.nobodyWasTold }
      let fields = definition == nil ? try await client?.fields(ofPromptNamed: prompt ?? "", within: expiry) : nil
      let known = definition?.fields ?? fields ?? []
      try output.check(known.map(\.name), for: format)
      try checkCommand(known)
      var asked = definition.map { Question($0) } ?? Question(promptNamed: prompt ?? "")
      (asked.language, asked.timeout, asked.key) = (person?.tag, expiry, key)
      try question.complete(&asked, of: fields)
      if !command.isEmpty { asked.resultWithin = .seconds(3600) }
      if noWait, let client {
        try await leave(asked, with: client, format, presentation)
        return nil
      }
      let (ended, code) = try await end(of: asked, known, client, commands, presentation)
      return (ended, known, code)
    }
    await presentation.end()
    guard let (ended, fields, code) = try result.get() else { return }
    if let code { throw code }
    do { if command.isEmpty { try print(ended, fields, format) } } catch let fault as OutputFault {
      // The person has answered, and no program has the answer.
      let (why, outcome) = ("\(fault)", ended.outcome.word)
      if key == nil { throw Failure("not-printed.lost", ["why": why, "outcome": outcome]) }
      throw Failure("not-printed.kept", ["why": why, "outcome": outcome])
    }
    try finish(ended.outcome, format)
  }

  /// Asks through a server, or only at this terminal, or through a server of this command's own.
  ///
  /// - Parameter fields: the prompt's.
  /// - Returns: how it ended, and the status of the command that ran after it, or `nil` if none did.
  private func end(
    of asked: Question, _ fields: [Field], _ client: Client?, _ commands: [String: CommandPredicate],
    _ presentation: Presentation
  ) async throws -> (Ended, ExitCode?) {
    if let client {
      let authorities = try trust.cacert()
      let ended = try await end(of: asked, from: client, presentation) {
        AnswerLink($0.absoluteString, language: nil, authorities: authorities)
      }
      await presentation.end()
      return (ended, await perform(ended, fields, sayingTo: client))
    }
    if terminal {
      let ended = try await withdrawing {
        try await TerminalSession.end(of: DeskQuestion(asked, commands: commands), within: asked.timeout)
      }
      return (ended, await perform(ended, fields, sayingTo: nil))
    }
    let local = try OKCancelServer.ofCommand(commands: commands) { try files.apply(to: &$0) }
    let ended = try await end(of: asked, from: local, presentation) { local.question(behind: $0) }
    await presentation.end()
    let code = await perform(ended, fields, sayingTo: local)
    if code != nil { await local.waitForFollower() }
    await local.endWithCommand()
    return (ended, code)
  }

  private func end<Found: PersonsQuestion>(
    of question: Question, from asker: some Asker, _ presentation: Presentation,
    behind find: @escaping @Sendable (URL) -> Found?
  ) async throws -> Ended {
    try await withdrawing {
      if terminal || presentation.offersTerminal {
        return try await TerminalSession.end(
          of: question, from: asker, offeredBy: terminal ? nil : presentation, behind: find)
      }
      return try await asker.end(of: question) { presentation.show($0.absoluteString) }
    }
  }

  /// A signal withdraws the question.
  private func withdrawing(_ ask: () async throws -> Ended) async throws -> Ended {
    do { return try await ask() } catch is CancellationError { return Ended(.withdrawn) }
  }

  /// - Parameter fields: the prompt's own, whatever the outcome holds.
  private func print(_ ended: Ended, _ fields: [Field], _ format: FieldOutput.Format?) throws {
    let json = String(decoding: ended.json(), as: UTF8.self)
    switch (format, ended.outcome.values) {
    case (.json, _): try standardOutput(json)
    case (let format?, let values?):
      try output.print(
        fields.map { field in
          let value = fields.value(of: field, in: values) ?? .null
          // Of an object, there is a box that says whether it is there.
          return (field.name, value.object == nil ? value : true)
        }, as: format)
    case (nil, let values?) where fields.count == 1:
      try standardOutput((values[path: fields[0].path] ?? .null).scriptText)
    case (nil, _?) where fields.count > 1: try standardOutput(json)
    default: break
    }
  }

  private func finish(_ outcome: Outcome, _ format: FieldOutput.Format?) throws {
    switch outcome {
    case .ok: break
    case .cancelled(let reason):
      if let reason, format != .json { standardError(reason.revealed) }
      throw ExitCode.invalid
    case .action(let name, _):
      standardError(name)
      throw ExitCode.action
    case .expired, .withdrawn:
      if !quiet { standardError("okcancel: no answer: \(outcome.word)") }
      throw ExitCode.noAnswer
    }
  }

  // MARK: --no-wait

  /// Makes the ask, or finds it by its key, prints its id and link, and leaves it open.
  func leave(
    _ question: Question, with client: Client, _ format: FieldOutput.Format?, _ presentation: Presentation
  ) async throws {
    let ask = try await client.create(question)
    if let link = ask.link {
      presentation.show(link.absoluteString)
      await presentation.handed()
    }
    await presentation.end()
    if ask.link == nil, !quiet { standardError("okcancel: this question has ended; leave out --no-wait to see how") }
    let parts = [("id", ask.id), ("link", ask.link?.absoluteString)]
    do {
      if let format, format != .json {
        try output.print(parts.map { ($0, $1.map(Value.text) ?? .null) }, as: format)
      } else {
        let json = JSONWriter.object { json in
          for (name, text) in parts { json.member(name, ifPresent: text) }
        }
        try standardOutput(String(decoding: json, as: UTF8.self))
      }
    } catch {
      // Without a key nobody could find the question again.
      if key == nil { _ = try? await client.withdraw(ask.id) }
      throw error
    }
  }
}
