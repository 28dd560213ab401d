internal import ArgumentParser
internal import Base
internal import Foundation
internal import Logging
internal import OKCancel
internal import StrictJSON
internal import UnixSignals

/// `okcancel hook`
struct HookCommand: Command {
  @Option(.word("hook.host", of: HookHost.self).withoutVariable) var host
  @Option(.url("server")) var server
  @Option(repeating: .text("notify")) var notify
  @Option(repeating: .text("for")) var `for`
  @Option(.number("hook.timeout", 1...31_622_400, of: "seconds").withoutVariable, default: HookHost.timeout) var timeout
  @Option(.word("install", of: HookHost.self).withoutVariable) var install
  @OptionGroup var trust: TrustOptions

  /// True if a host calls the command. Then every error ends it with 0: the host asks by itself, and some take other exit
  /// codes for a decision.
  static func isCalled(by arguments: [String]) -> Bool {
    arguments.first == "hook" && !arguments.contains { $0.hasPrefix("--install") }
  }

  func run() async throws {
    if let host = try install() {
      let settings = host.settings(command: try command(for: host), timeout: try timeout())
      standardError("okcancel: add this to \(host.settingsFile)")
      return try standardOutput(settings)
    }
    guard let host = try host() else { throw Failure.noHost }
    let (url, timeout) = (try server(), try timeout())
    if url == nil, let option = [notify[0], `for`[0]].first(where: { $0.text != nil }) {
      throw Failure.needs(option.source, "--server")
    }
    let bytes = try Self.event()
    guard let event = HookEvent(try JSON(parsing: bytes, limits: HookEvent.jsonLimits), from: host) else { return }
    let trapped = await Program.trap([.sigint, .sigterm, .sighup])
    let work = Task { () -> [UInt8]? in
      if let url {
        guard let token = Variable.apiToken else { throw Failure.serverNeedsToken }
        let client = Client(url: url, token: token, authorities: try trust.cacert())
        let query = terms(host, timeout)
        return try await client.decision(on: bytes, query, within: .seconds(timeout + 5), present: Self.show)
      }
      guard case .question(let question) = event else { return nil }
      return try await Self.decision(on: question, within: timeout)
    }
    let signals = Task {
      for await _ in trapped { work.cancel() }
    }
    defer { signals.cancel() }
    guard let decision = try await work.value, !work.isCancelled else { return }
    try standardOutput(String(decoding: decision, as: UTF8.self))
  }

  /// Asks at a server of this command's own.
  private static func decision(on question: HookQuestion, within timeout: Int) async throws -> [UInt8]? {
    var configuration = Configuration()
    configuration.port = 0
    let server = try OKCancelServer(
      configuration: configuration, logger: Logger(label: "okcancel") { _ in SwiftLogNoOpLogHandler() })
    try server.start()
    let decision = try await server.decision(on: question, within: timeout, present: Self.show)
    // The person's browser still fetches its last page.
    await server.drain(deadline: .seconds(2), patience: .zero)
    return decision
  }

  @Sendable private static func show(_ link: String) { standardError("Answer at \(link)") }

  /// The event on standard input.
  private static func event() throws -> [UInt8] {
    let bytes = try FileHandle.standardInput.read(upToCount: HookEvent.limit + 1) ?? Data()
    guard bytes.count <= HookEvent.limit else { throw Failure.longEvent(limit: HookEvent.limit) }
    return Array(bytes)
  }

  /// The parameters of `POST /hook`, which are also options of this command.
  private func terms(_ host: HookHost, _ timeout: Int) -> [(name: String, value: String)] {
    [("host", host.rawValue)] + notify.texts.map { ("notify", $0) } + `for`.texts.map { ("for", $0) }
      + [("timeout", "\(timeout)")]
  }

  /// This command as a shell runs it.
  private func command(for host: HookHost) throws -> String {
    var options = terms(host, try timeout())
    if let url = try server() { options.insert(("server", url), at: 1) }
    if let file = try trust.cacert() { options.append(("cacert", file)) }
    return try "okcancel hook" + options.map { " --\($0.name) \(try Self.quoted($0.value))" }.joined()
  }

  private static func quoted(_ text: String) throws -> String {
    text.consists(of: "0-9A-Za-z_./:@,+%-") ? text : try FieldOutput.quoted(text)
  }
}
