internal import ArgumentParser
internal import OKCancel

/// The options of a server's address, of the clients that it trusts, of their limits, and of callbacks.
struct ServerOptions: ParsableArguments {
  @Option(.text("host"), default: Configuration().host) var host
  @Option(.number("port", 0...65_535), default: Configuration.usualPort) var port
  @Option(.text("tls-cert")) var tlsCertificate
  @Option(.text("tls-key")) var tlsKey
  @Option(.word("hsts", of: Switch.self), default: Configuration().hsts ? .on : .off) var hsts
  @Option(.number("connections", 16...1_000_000), default: Configuration().connections) var connections
  @Option(.number("connections-per-client", 1...1_000_000), default: Configuration().connectionsPerClient)
  var connectionsPerClient
  @Option(.number("threads", 1...1024)) var threads
  @Option(repeating: Setting("allow-origin", remedy: PlainError(row: "origin"), read: Origin.init)) var allowOrigin
  @Option(repeating: Setting("allow-host", remedy: PlainError(row: "host-name"), read: Self.hostName)) var allowHost
  @Option(repeating: Setting("trust-proxy", remedy: PlainError(row: "address-block"), read: AddressBlock.init))
  var trustProxy
  @Option(repeating: Setting("rate-limit", read: Self.rate), inWords: RateLimits().text) var rateLimit
  @Flag("insecure-token") var insecureToken
  @Option(Setting("security-contact", remedy: PlainError(row: "security-contact"), read: SecurityContact.init))
  var securityContact
  @Option(repeating: Setting("allow-callback", read: CallbackPrefix.init)) var allowCallback
  @OptionGroup var channels: ChannelOptions

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
    case (_?, nil): try tlsCertificate.wrong(PlainError(row: "key-as-well")).collect()
    case (nil, _?): try tlsKey.wrong(PlainError(row: "certificate-as-well")).collect()
    }
    configuration.allowedOrigins = try allowOrigin.values()
    configuration.allowedHosts = try allowHost.values()
    configuration.securityContact = try securityContact()
    configuration.trustedProxies = try trustProxy.values()
    configuration.apiTokens = Variable("api-token").parts ?? []
    if let fault = APITokenEntry.fault(in: configuration.apiTokens, shortAreTaken: insecureToken) {
      try Failure("tokens", ["why": fault]).collect()
    }
    for (action, rate) in try rateLimit.byName() { configuration.rateLimits.set(rate, for: action) }
    configuration.allowedCallbacks = try allowCallback.values()
    let secrets = Variable("webhook-secret").list().map(WebhookSecret.init)
    if secrets.contains(where: { $0 == nil }) { try Failure("webhook-secret").collect() }
    configuration.webhookSecrets = secrets.compactMap(\.self)
    configuration.channels = try channels.read()
  }

  private static func hostName(_ text: String) -> String? {
    !text.utf8.contains(where: ":[".utf8.contains) && HostNames.canBeSent(text) ? text : nil
  }

  private static func rate(_ text: String) throws(PlainError) -> (name: RateLimits.Action, value: Rate?) {
    let parts = text.cut(at: "=")
    let rate = parts.flatMap { Rate($0.tail) }
    guard let parts, let action = RateLimits.Action(rawValue: parts.head), rate != nil || parts.tail == "off" else {
      let actions = RateLimits.Action.allCases.map(\.rawValue).joined(separator: ", ")
      throw PlainError(row: "rate", ["actions": actions])
    }
    return (action, rate)
  }
}
