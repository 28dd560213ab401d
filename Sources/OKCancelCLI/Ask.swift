internal import ArgumentParser
internal import Definitions
internal import Foundation
internal import Logging
internal import OKCancel
internal import StrictJSON
internal import UnixSignals

/// `okcancel ask …`
struct Ask: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ask a person and wait for the answer.",
    discussion: """
      Prints the link for the person on standard error, and only the value on
      standard output. Without --server it starts its own server on a free port
      of this machine, for this question only. Ctrl-C withdraws the question.

      Exit codes: 0 ok, 1 cancel, 3 action (its name on standard error),
      5 timeout, expired or withdrawn, 64 wrong usage or errors in the prompt,
      69 server not reachable, 70 any other error.

      Example: EMAIL=$(okcancel ask --title "Your email" --field email:email)
      """)

  @Option(
    help: ArgumentHelp("A prompt: a definition file, or with --server the name of one it offers.", valueName: "name"))
  var prompt: String?
  @Option(help: "The dialog's title.") var title: String?
  @Option(help: "More text under the title.") var message: String?
  @Option(help: ArgumentHelp("A field, like email:email or reason; repeatable.", valueName: "name[:kind]"))
  var field: [String] = []
  @Option(
    help: ArgumentHelp(
      "A rule of the field before it, as in a definition: nonEmpty, 'length: {max: 20}'; repeatable.",
      valueName: "rule"))
  var rule: [String] = []
  @Option(
    help: ArgumentHelp(
      "An option of the choice field before it, like fra=Frankfurt or red; repeatable.", valueName: "value[=title]"))
  var option: [String] = []
  @Option(help: ArgumentHelp("A server to ask through; needs OKCANCEL_API_TOKEN.", valueName: "url")) var server:
    String?
  @OptionGroup var trust: TrustOptions
  @Option(help: ArgumentHelp("How long to wait. (default: a day)", valueName: "seconds")) var timeout: String?
  @Flag(help: "Print the outcome as JSON.") var json = false
  @Flag(help: "Open the link in this machine's browser.") var open = false
  @OptionGroup var files: FileOptions
  @OptionGroup var predicates: PredicateOptions

  mutating func run() async throws {
    // Options describe the whole question; variables only count if none is given.
    if prompt == nil, title == nil, message == nil, field.isEmpty, rule.isEmpty, option.isEmpty {
      prompt = Setting("prompt").text(nil)
      title = Setting("title").text(nil)
      message = Setting("message").text(nil)
      field = Setting("field").list([])
      rule = Setting("rule").lines([])
      option = Setting("option").lines([])
    }
    json = try Setting("json").flag(json)
    self.open = try Setting("open").flag(open)
    try await settle()
  }

  private func settle() async throws {
    let seconds = try Setting("timeout").number(timeout, in: 1...2_592_000)
    let expiry = Duration.seconds(seconds ?? 86_400)
    let trapped = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    let browser = BrowserRedirect()
    defer { browser.remove() }
    let work = Task { try await ending(expiry, browser) }
    let signals = Task {
      for await _ in trapped { work.cancel() }
    }
    defer { signals.cancel() }
    do { try finish(try await work.value) } catch { throw fail(error) }
  }

  private func ending(_ expiry: Duration, _ browser: BrowserRedirect) async throws -> Outcome {
    if let url = try Setting("server").url(server) { return try await asking(url, expiry, browser) }
    let commands = try predicates.commands()
    guard let definition = try definition(predicates: Array(commands.keys)) else {
      throw fail(.usage, "nothing to ask; give --title and --field, or --prompt with a definition file")
    }
    var configuration = Configuration()
    configuration.port = 0
    files.apply(to: &configuration)
    let local = try OKCancelServer(
      configuration: configuration, commands: commands,
      logger: Logger(label: "okcancel") { _ in SwiftLogNoOpLogHandler() })
    let outcome = try await local.ask(definition, expiresIn: expiry) { present($0, browser) }
    // The person's browser still fetches its last page.
    await local.drain(deadline: .seconds(2), patience: .zero)
    return outcome
  }

  private func asking(_ url: String, _ expiry: Duration, _ browser: BrowserRedirect) async throws -> Outcome {
    guard predicates.predicate.isEmpty else {
      throw fail(.usage, "--predicate has no effect with --server; give it to “okcancel serve” there")
    }
    let token = Setting("api-token").list([]).first
    let client = Client(url: url, token: token ?? "", authorities: try trust.authorities())
    do {
      if let definition = try definition(predicates: nil) {
        return try await client.ask(definition, expiresIn: expiry) { present($0, browser) }
      }
      guard let prompt else { throw fail(.usage, "nothing to ask; give --title and --field, or --prompt") }
      return try await client.ask(promptNamed: prompt, expiresIn: expiry) { present($0, browser) }
    } catch Client.Fault.refused(status: 401, _) where token == nil {
      throw fail(.usage, "--server needs the server's API token; set OKCANCEL_API_TOKEN")
    }
  }

  /// The prompt that the options or a file describe, or `nil` for a name that only a server knows.
  ///
  /// - Parameter predicates: names of those that rules may ask, or `nil` if the server decides that.
  private func definition(predicates: [String]?) throws -> Prompt? {
    if let prompt {
      guard title == nil, field.isEmpty, rule.isEmpty, option.isEmpty, message == nil else {
        throw fail(.usage, "--prompt is a whole prompt; leave --title, --message, --field, --rule and --option out")
      }
      let isName = !prompt.contains("/") && !prompt.contains(".")
      if isName && Setting("server").text(server) != nil { return nil }
      let isFile = !isName || FileManager.default.fileExists(atPath: prompt)
      let path = isFile ? prompt : "Examples/\(prompt).yaml"
      do throws(DefinitionFaults) { return try DefinitionFile(path: path, predicates: predicates).prompt.prompt } catch
      {
        standardError(error.description)
        throw ExitCode.usage
      }
    }
    guard title != nil || !field.isEmpty else { return nil }
    return try AskOptions(
      title: title, message: message, fields: field, rules: rule, options: option, predicates: predicates,
      arguments: CommandLine.arguments
    ).prompt()
  }

  private func present(_ link: String, _ browser: BrowserRedirect) {
    standardError("Answer at \(link)")
    if open { browser.open(link) }
  }

  private func finish(_ outcome: Outcome) throws {
    if json { standardOutput(outcome.json) }
    switch outcome {
    case .ok(let values):
      if !json {
        // Of several fields there may be only one that applies; it is named all the same.
        let isOnly = try values.entries.count == 1 && (definition()?.fields.count ?? 1) == 1
        for entry in values.entries { standardOutput(isOnly ? "\(entry.value)" : "\(entry.name)=\(entry.value)") }
      }
    case .cancel: throw ExitCode.invalid
    case .action(let name, let values):
      if !json { for entry in values?.entries ?? [] { standardOutput("\(entry.name)=\(entry.value)") } }
      standardError(name)
      throw ExitCode.action
    case .expired, .withdrawn:
      standardError("okcancel: no answer: \(outcome.word)")
      throw ExitCode.noAnswer
    }
  }
}
