internal import ArgumentParser
internal import Foundation
internal import Logging
internal import OKCancel
internal import Prompts

/// `okcancel hook`
struct HookCommand: Command {
  @Option(.word("hook.host", of: HookHost.self).withoutVariable) var host
  @Option(.url("server")) var server
  @Option(repeating: .text("notify")) var notify
  @Option(repeating: .id("for", read: Answerers.Entry.init(reading:))) var `for`
  @Option(.number("hook.timeout", 1...31_622_400, of: "seconds").withoutVariable, default: HookHost.timeout) var timeout
  @Option(.word("install", of: HookHost.self).withoutVariable) var install
  @Flag("no-suggestions") var noSuggestions
  @OptionGroup var trust: TrustOptions

  /// True if a host calls the command. Then every error ends it with 0: the host asks by itself, and some take other exit
  /// codes for a decision.
  static func isCalled(by arguments: [String]) -> Bool {
    arguments.first == "hook" && !arguments.contains { $0.hasPrefix("--install") }
  }

  func run() async throws {
    try OptionRule.check(OptionRule.hook)
    if let host = try install() {
      let settings = host.settings(command: try command(for: host), timeout: try timeout())
      standardError("okcancel: add this to \(host.settingsFile)")
      return try standardOutput(settings)
    }
    guard let host = try host() else {
      throw Failure("no-host", ["remedy": PlainError.oneOf(HookHost.allCases.map(\.rawValue))])
    }
    let (url, timeout) = (try server(), try timeout())
    var json = try JSON(parsing: try Self.event(), limits: HookEvent.jsonLimits)
    if noSuggestions { json = HookEvent.withoutSuggestions(json) }
    guard let event = HookEvent(json, from: host, unasked: { standardError("okcancel: \($0)") }) else { return }
    let result = await Program.cancelled(by: Program.trap()) { [json] () -> [UInt8]? in
      if let url {
        guard let token = try Variable.apiToken() else { throw Failure("server-needs-token") }
        let client = Client(url: url, token: token, authorities: try trust.cacert())
        let wait: Duration = if case .question = event { .seconds(timeout + 5) } else { Self.mostForEnding }
        let pause = HookPause(of: url)
        if wait == Self.mostForEnding, pause.isOn { return nil }
        do {
          let decision = try await client.decision(
            on: event.passedOn(json, from: host), try terms(host, timeout), within: wait, present: Self.show)
          pause.end()
          if let decision, case .question(let question) = event, !question.isAnswered(by: decision) {
            standardError(
              "okcancel: the server gave a permission that \(host.name) did not suggest; nothing is decided")
            return nil
          }
          return Task.isCancelled ? nil : decision
        } catch AskFault.unreachable(let reason) {
          // A signal ended the wait: the server is well, and withdraws the question.
          if Task.isCancelled { return nil }
          pause.begin()
          throw AskFault.unreachable(reason)
        }
      }
      guard case .question(let question) = event else { return nil }
      let decision = try await Self.decision(on: question, within: timeout)
      return Task.isCancelled ? nil : decision
    }
    guard let decision = try result.get() else { return }
    try standardOutput(String(decoding: decision, as: UTF8.self))
  }

  /// The longest that an event takes which asks nobody: the agent waits for it.
  private static let mostForEnding = Duration.seconds(2)

  /// Asks at a server of this command's own.
  private static func decision(on question: HookQuestion, within timeout: Int) async throws -> [UInt8]? {
    let server = try OKCancelServer.ofCommand(log: LineLogHandler(logLevel: .notice, format: .text))
    try server.start()
    let decision = try await server.decision(on: question, within: timeout, present: Self.show)
    await server.endWithCommand()
    return decision
  }

  @Sendable private static func show(_ link: String) { standardError("Answer at \(link)") }

  /// The event on standard input.
  private static func event() throws -> [UInt8] {
    let bytes = try FileHandle.standardInput.read(upToCount: HookEvent.limit + 1) ?? Data()
    guard bytes.count <= HookEvent.limit else { throw Failure("long-event", ["limit": HookEvent.limit]) }
    return Array(bytes)
  }

  /// The parameters of `POST /hook`, which are also options of this command.
  private func terms(_ host: HookHost, _ timeout: Int) throws -> [(name: String, value: String)] {
    [("host", host.rawValue)] + notify.texts.map { ("notify", $0) } + (try `for`.values()).map { ("for", $0) }
      + [("timeout", "\(timeout)")]
  }

  /// This command as a shell runs it.
  private func command(for host: HookHost) throws -> String {
    var options = try terms(host, timeout())
    if let url = try server() { options.insert(("server", url), at: 1) }
    if let file = try trust.cacert() { options.append(("cacert", file)) }
    return try "okcancel hook" + (noSuggestions ? " --no-suggestions" : "")
      + options.map { " --\($0.name) \(try Self.quoted($0.value))" }.joined()
  }

  private static func quoted(_ text: String) throws -> String {
    text.consists(of: "0-9A-Za-z_./:@,+%-") ? text : try FieldOutput.quoted(text)
  }
}
