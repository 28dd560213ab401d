internal import ArgumentParser
internal import Foundation
internal import MicroHTTP
internal import OKCancel
internal import Prompts

/// Where to listen.
struct Listening: ParsableArguments {
  @Option(.text("host", "Address to listen on. (default: 127.0.0.1)", "address")) var host
  @Option(.number("port", "Port to listen on; 0 for any free one. (default: 8080)", "port", 0...65_535)) var port
  @Option(
    .text(
      "tls-cert", "PEM file of the HTTPS certificate and its chain; read at startup and on SIGHUP.",
      "file")) var tlsCertificate
  @Option(.text("tls-key", "PEM file of the certificate's key, without a passphrase.", "file")) var tlsKey
  @Option(
    .word(
      "hsts", "Whether responses over HTTPS tell browsers to use only HTTPS for a year: on or off. (default: on)",
      "on|off")) var hsts: Given<Switch>
  @Option(.number("connections", "Maximum concurrent connections. (default: 16384)", "count", 16...1_000_000))
  var connections
  @Option(
    .number(
      "connections-per-client",
      "Maximum concurrent connections from one address, except this machine; more are closed. (default: 1024)", "count",
      1...1_000_000)) var connectionsPerClient
  @Option(.number("threads", "Threads that serve requests. (default: one per core)", "count", 1...1024)) var threads

  func apply(to configuration: inout Configuration) throws {
    configuration.host = host.value ?? configuration.host
    configuration.port = try port() ?? configuration.port
    configuration.threads = try threads()
    configuration.connections = try connections() ?? configuration.connections
    configuration.connectionsPerClient = try connectionsPerClient() ?? configuration.connectionsPerClient
    configuration.tls = try tls()
    configuration.hsts = try hsts() != .off
  }

  enum Switch: String, CaseIterable { case on, off }

  private func tls() throws -> (certificate: String, key: String)? {
    let certificate = tlsCertificate.value
    let key = tlsKey.value
    switch (certificate, key) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return (certificate, key)
    case (_?, nil): throw tlsCertificate.wrong("give its key with --tls-key as well")
    case (nil, _?): throw tlsKey.wrong("give its certificate with --tls-cert as well")
    }
  }
}

/// Files that replace the built-in ones.
struct FileOptions: ParsableArguments {
  @Option(.text("templates", "Folder of page templates that replace the built-in ones, file by file.", "dir"))
  var templates
  @Option(
    .text(
      "public", "Folder of static files that replace the built-in ones, file by file, or are served beside them.", "dir"
    )) var `public`

  func apply(to configuration: inout Configuration) {
    configuration.templates = templates.value
    configuration.public = `public`.value
  }
}

/// Which clients the server trusts, and how much each of them may request.
struct ClientOptions: ParsableArguments {
  @Option(
    repeating: Setting(
      "allow-origin",
      "Origin, like https://tools.example.com, whose pages may embed dialogs, read rules and post here; repeatable.",
      "origin", remedy: "give scheme and host without a path or slash, like https://tools.example.com"
    ) { Origin($0) }) var allowOrigin
  @Option(
    repeating: Setting(
      "allow-host",
      "Name, like ask.example.com, that the server responds to, besides localhost, addresses, this machine's name and the host of --base-url; repeatable.",
      "name",
      remedy: "give a name without scheme and port, like ask.example.com; one with letters outside ASCII as xn--…",
      read: Self.hostName)) var allowHost
  @Option(
    repeating: Setting(
      "trust-proxy",
      "Address or block, like 10.0.0.0/8, of a proxy whose X-Forwarded-For, -Proto and -Host are believed; repeatable.",
      "address", remedy: "give an address, or a block by its first address, like 10.0.0.0/8"
    ) { AddressBlock($0) }) var trustProxy
  @Option(
    repeating: Setting(
      "rate-limit",
      "How often one client may validate, submit, create, open links or fail authentication, like submit=60/m (s, m or h), or submit=off; work is milliseconds of CPU for costly requests; repeatable. (default: validate=1200/m, submit=300/m, create=600/m, open=600/m, work=2000/m, and no limit for clients on this machine; token=10/m for all)",
      "action=rate", read: Self.rate)) var rateLimit
  @Flag(help: "Accept tokens of fewer than 22 characters in OKCANCEL_API_TOKEN, although they can be guessed.")
  var insecureToken = false

  func apply(to configuration: inout Configuration) throws {
    configuration.allowedOrigins = try allowOrigin.values()
    configuration.allowedHosts = try allowHost.values()
    configuration.trustedProxies = try trustProxy.values()
    configuration.apiTokens = try tokens()
    for (action, rate) in try rateLimit.byName() { configuration.rateLimits.set(rate, for: action) }
  }

  private static func hostName(_ text: String) -> String? {
    let isName =
      (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || "-._".utf8.contains($0) }
    return isName ? text : nil
  }

  private static func rate(_ text: String) throws(Remedy) -> (name: RateLimits.Action, value: Rate?) {
    let parts = text.cut(at: "=")
    let rate = parts.flatMap { Rate($0.tail) }
    guard let parts, let action = RateLimits.Action(rawValue: parts.head), rate != nil || parts.tail == "off" else {
      let actions = RateLimits.Action.allCases.map(\.rawValue).joined(separator: ", ")
      throw Remedy("give one of \(actions) and a rate, like submit=60/m, or submit=off for no limit")
    }
    return (action, rate)
  }

  /// Those of `OKCANCEL_API_TOKEN`, or none if it is not set.
  private func tokens() throws -> [String] {
    let shortAreTaken = try Variable("insecure-token").flag(insecureToken)
    let setting = Variable("api-token")
    let tokens = setting.parts ?? []
    guard let fault = APITokens.fault(in: tokens, shortAreTaken: shortAreTaken) else { return tokens }
    throw fail(.usage, "\(setting.name) cannot be used: \(fault)")
  }
}

/// Where callbacks of asks may go, and what signs them.
struct CallbackOptions: ParsableArguments {
  @Option(
    repeating: Setting(
      "allow-callback",
      "URL prefix, like https://hooks.example.com/okcancel, that asks may name as their callback; repeatable. Callbacks are signed with OKCANCEL_WEBHOOK_SECRET.",
      "prefix"
    ) { text throws(Remedy) in
      do throws(CallbackURLFault) { return try CallbackPrefix(text) } catch { throw Remedy("\(error)") }
    }) var allowCallback: [Given<CallbackPrefix>]

  /// - Returns: the secret that was made, if callbacks are allowed and none is set.
  func apply(to configuration: inout Configuration) throws -> String? {
    configuration.allowedCallbacks = try allowCallback.values()
    configuration.webhookSecrets = try Variable("webhook-secret").list().map { text in
      // The text is a secret, though a wrong one, and not repeated.
      guard let secret = WebhookSecret(text) else {
        throw fail(
          .usage,
          "OKCANCEL_WEBHOOK_SECRET has a part that is no secret; give whsec_ and 24 to 64 random bytes as Base64, as “echo whsec_$(openssl rand -base64 32)” prints"
        )
      }
      return secret
    }
    guard configuration.webhookSecrets.isEmpty, !configuration.allowedCallbacks.isEmpty else { return nil }
    let new = WebhookSecret.generate()
    configuration.webhookSecrets = WebhookSecret(new).map { [$0] } ?? []
    return new
  }
}

/// Programs that decide `predicate` rules.
struct PredicateOptions: ParsableArguments {
  @Option(
    repeating: Setting(
      "predicate",
      "Program that decides a predicate: it reads the text on its standard input and exits 0 for valid, 1 for invalid (its first line is the message); repeatable.",
      "name=program", read: Self.command)) var predicate

  func commands() throws -> [String: CommandPredicate] { try predicate.byName() }

  private static func command(_ text: String) throws(Remedy) -> (name: String, value: CommandPredicate) {
    guard let (name, program) = text.cut(at: "="), !name.isEmpty, !program.isEmpty else {
      throw Remedy("give NAME=PROGRAM, like not-taken=./check-taken")
    }
    let command = CommandPredicate(program: program)
    guard command.isRunnable else {
      throw Remedy("there is no program “\(program)” that this user may run; check its path and rights")
    }
    return (name, command)
  }
}

/// In which language to speak to people.
struct LanguageOption: ParsableArguments {
  @Option(
    Setting(
      "language",
      "The language of prompts that name none and, on this command line, of the person: a tag like de or pt-BR. (default: en; for the person LC_ALL, LC_MESSAGES or LANG)",
      "tag", remedy: "give a language tag, like de or pt-BR"
    ) { Language($0) })
  var language

  /// The option or its variable, or `nil` if there is neither.
  func given() throws -> Language? { try language() }

  /// The same, or what the locale says (POSIX, section 8.2), as in `de_DE.UTF-8`; `nil` if it says none.
  func ofPerson() throws -> Language? {
    if let given = try given() { return given }
    let variables = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    let name = locale.prefix { $0 != "." && $0 != "@" }
    return name == "POSIX" ? nil : Language(String(name.replacing("_", with: "-")))
  }
}
