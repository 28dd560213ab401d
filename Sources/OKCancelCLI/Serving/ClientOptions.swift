internal import ArgumentParser
internal import MicroHTTP
internal import OKCancel

/// Who clients are, and how much each of them may ask for.
struct ClientOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Address or block, like 10.0.0.0/8, of a proxy whose X-Forwarded-For, -Proto and -Host are believed; repeatable.",
      valueName: "address"))
  var trustProxy: [String] = []
  @Option(
    help: ArgumentHelp(
      "How often one client may validate, submit, create, open links or show a wrong token, like submit=60/m (s, m or h), or submit=off; work counts milliseconds of CPU of costly requests; repeatable. (default: validate=1200/m, submit=300/m, create=600/m, open=600/m, work=2000/m, and no limit for clients on this machine, but token=10/m for all)",
      valueName: "action=rate"))
  var rateLimit: [String] = []
  @Flag(help: "Take tokens of fewer than 22 characters in OKCANCEL_API_TOKEN, which can be guessed.")
  var insecureToken = false

  func apply(to configuration: inout Configuration) throws {
    configuration.trustedProxies = try Setting("trust-proxy").list(trustProxy).map { text in
      guard let block = AddressBlock(text) else {
        throw Setting("trust-proxy").wrong(
          text, flag: trustProxy.first, "give an address, or a block by its first address, like 10.0.0.0/8")
      }
      return block
    }
    configuration.apiTokens = try tokens()
    var given: Set<RateLimits.Action> = []
    for text in Setting("rate-limit").list(rateLimit) {
      let parts = text.cut(at: "=")
      let rate = parts.flatMap { Rate($0.tail) }
      guard let parts, let action = RateLimits.Action(rawValue: parts.head), rate != nil || parts.tail == "off" else {
        throw Setting("rate-limit").wrong(
          text, flag: rateLimit.first,
          "give one of \(RateLimits.Action.allCases.map(\.rawValue).joined(separator: ", ")) and a rate, like submit=60/m, or submit=off for no limit"
        )
      }
      guard given.insert(action).inserted else {
        throw Setting("rate-limit").wrong(text, flag: rateLimit.first, "“\(action.rawValue)” is given twice; keep one")
      }
      configuration.rateLimits.set(rate, for: action)
    }
  }

  /// Those of `OKCANCEL_API_TOKEN`, or none if it is not set.
  private func tokens() throws -> [String] {
    let shortAreTaken = try Setting("insecure-token").flag(insecureToken)
    let setting = Setting("api-token")
    let tokens = setting.parts ?? []
    guard let fault = APITokens.fault(in: tokens, shortAreTaken: shortAreTaken) else { return tokens }
    throw fail(.usage, "\(setting.variable) cannot be used: \(fault)")
  }
}
