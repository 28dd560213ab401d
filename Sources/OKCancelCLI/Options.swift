internal import ArgumentParser
internal import Foundation
internal import OKCancel

/// Where a server listens, which clients it trusts, how much each of them may request, and where it calls back.
struct ServerOptions: ParsableArguments {
  @Option("Address to listen on.", .text("host", "address"), default: Configuration().host) var host
  @Option(
    "Port to listen on; 0 for any free one.", .number("port", "port", 0...65_535), default: Configuration.usualPort)
  var port
  @Option("PEM file of the HTTPS certificate and its chain; read at startup and on SIGHUP.", .text("tls-cert", "file"))
  var tlsCertificate
  @Option("PEM file of the certificate's key, without a passphrase.", .text("tls-key", "file")) var tlsKey
  @Option(
    "Whether responses over HTTPS tell browsers to use only HTTPS for a year: on or off.",
    .word("hsts", "on|off", of: Switch.self), default: Configuration().hsts ? .on : .off) var hsts
  @Option(
    "Maximum concurrent connections.", .number("connections", "count", 16...1_000_000),
    default: Configuration().connections) var connections
  @Option(
    "Maximum concurrent connections from one address, except this machine; more are closed.",
    .number("connections-per-client", "count", 1...1_000_000), default: Configuration().connectionsPerClient)
  var connectionsPerClient
  @Option("Threads that serve requests.", .number("threads", "count", 1...1024), inWords: "one per core") var threads
  @Option(
    "Origin, like https://tools.example.com, whose pages may embed dialogs, read rules and post here; repeatable.",
    repeating: Setting("allow-origin", "origin", remedy: .origin, read: Origin.init)) var allowOrigin
  @Option(
    "Name, like ask.example.com, that the server responds to, besides localhost, addresses, this machine's name and the host of --base-url; repeatable.",
    repeating: Setting("allow-host", "name", remedy: .hostName, read: Self.hostName)) var allowHost
  @Option(
    "Address or block, like 10.0.0.0/8, of a proxy whose X-Forwarded-For, -Proto and -Host are believed; repeatable.",
    repeating: Setting("trust-proxy", "address", remedy: .addressBlock, read: AddressBlock.init)) var trustProxy
  @Option(
    "How often one client may validate, submit, create, open links or fail authentication, like submit=60/m (s, m or h), or submit=off; work is milliseconds of CPU for costly requests; repeatable.",
    repeating: Setting("rate-limit", "action=rate", read: Self.rate), inWords: Self.usualRates) var rateLimit
  @Flag(help: "Accept tokens of fewer than 22 characters in OKCANCEL_API_TOKEN, although they can be guessed.")
  var insecureToken = false
  @Option(
    "URL prefix, like https://hooks.example.com/okcancel, that asks may name as their callback; repeatable. Callbacks are signed with OKCANCEL_WEBHOOK_SECRET.",
    repeating: Setting("allow-callback", "prefix", read: Self.prefix)) var allowCallback

  enum Switch: String, CaseIterable { case on, off }

  func apply(to configuration: inout Configuration) throws {
    configuration.host = try host()
    configuration.port = try port()
    configuration.threads = try threads()
    configuration.connections = try connections()
    configuration.connectionsPerClient = try connectionsPerClient()
    configuration.hsts = try hsts() == .on
    switch (tlsCertificate.text, tlsKey.text) {
    case (nil, nil): break
    case (let certificate?, let key?): configuration.tls = (certificate, key)
    case (_?, nil): throw tlsCertificate.wrong(.keyAsWell)
    case (nil, _?): throw tlsKey.wrong(.certificateAsWell)
    }
    configuration.allowedOrigins = try allowOrigin.values()
    configuration.allowedHosts = try allowHost.values()
    configuration.trustedProxies = try trustProxy.values()
    configuration.apiTokens = Variable("api-token").parts ?? []
    if let fault = APITokens.fault(in: configuration.apiTokens, shortAreTaken: insecureToken) {
      throw Failure.tokens(fault)
    }
    for (action, rate) in try rateLimit.byName() { configuration.rateLimits.set(rate, for: action) }
    configuration.allowedCallbacks = try allowCallback.values()
    configuration.webhookSecrets = try Variable("webhook-secret").list().map { text in
      guard let secret = WebhookSecret(text) else { throw Failure.webhookSecret }
      return secret
    }
  }

  private static let usualRates: String = {
    let rates = RateLimits()
    let (remote, all) = (rates.text(coversLoopback: false), rates.text(coversLoopback: true))
    return "\(remote), and no limit for clients on this machine; \(all) for all"
  }()

  private static func hostName(_ text: String) -> String? {
    text.wholeMatch(of: #/[0-9A-Za-z._-]{1,253}/#.matchingSemantics(.unicodeScalar)).map { String($0.output) }
  }

  private static func rate(_ text: String) throws(Remedy) -> (name: RateLimits.Action, value: Rate?) {
    let parts = text.cut(at: "=")
    let rate = parts.flatMap { Rate($0.tail) }
    guard let parts, let action = RateLimits.Action(rawValue: parts.head), rate != nil || parts.tail == "off" else {
      throw .rate(of: RateLimits.Action.allCases.map(\.rawValue))
    }
    return (action, rate)
  }

  private static func prefix(_ text: String) throws(Remedy) -> CallbackPrefix {
    do throws(CallbackURLFault) { return try CallbackPrefix(text) } catch { throw Remedy("\(error)") }
  }
}

/// Files that replace the built-in ones.
struct FileOptions: ParsableArguments {
  @Option("Folder of page templates that replace the built-in ones, file by file.", .text("templates", "dir"))
  var templates
  @Option(
    "Folder of static files that replace the built-in ones, file by file, or are served beside them.",
    .text("public", "dir")) var `public`

  func apply(to configuration: inout Configuration) {
    configuration.templates = templates.text
    configuration.public = `public`.text
  }
}

/// Programs that decide `predicate` rules.
struct PredicateOptions: ParsableArguments {
  @Option(
    "Program that decides a predicate: it reads the text on its standard input and exits 0 for valid, 1 for invalid (its first line is the message); repeatable.",
    repeating: Setting("predicate", "name=program", read: Self.command)) var predicate

  func commands() throws -> [String: CommandPredicate] { try predicate.byName() }

  private static func command(_ text: String) throws(Remedy) -> (name: String, value: CommandPredicate) {
    guard let (name, program) = text.cut(at: "="), !name.isEmpty, !program.isEmpty else {
      throw .namedProgram
    }
    let command = CommandPredicate(program: program)
    guard command.isRunnable else { throw .notRunnable(program) }
    return (name, command)
  }
}

extension Setting<Language?> {
  static let language = Setting("language", "tag", remedy: .language, read: Language.init)
}

/// The language of prompts that name none, for commands that speak to nobody.
struct AuthorLanguage: ParsableArguments {
  @Option(
    "Language of prompts that name none: a tag like de or pt-BR.", .language, inWords: Configuration().language)
  var language
}

/// In which language to speak to the person on this command line.
struct LanguageOption: ParsableArguments {
  @Option(
    "The language of prompts that name none and, on this command line, of the person: a tag like de or pt-BR.",
    .language, inWords: "\(Configuration().language); for the person LC_ALL, LC_MESSAGES or LANG") var language

  /// The option or its variable, else what the locale says (POSIX, section 8.2), as in `de_DE.UTF-8`; `nil` if it says
  /// none.
  func ofPerson() throws -> Language? {
    if let given = try language() { return given }
    let variables = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    let name = locale.prefix { $0 != "." && $0 != "@" }
    return name == "POSIX" ? nil : Language(String(name.replacing("_", with: "-")))
  }
}

/// Whose certificates a client of a server trusts.
struct TrustOptions: ParsableArguments {
  @Option(
    "PEM file of the authorities whose certificates are trusted.",
    Setting("cacert", "file", remedy: .readableFile) { FileManager.default.isReadableFile(atPath: $0) ? $0 : nil },
    inWords: "SSL_CERT_FILE, else the system's") var cacert
}
