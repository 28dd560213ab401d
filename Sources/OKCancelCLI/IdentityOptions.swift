internal import ArgumentParser
internal import OKCancel
internal import Prompts

/// The options of a proxy in front of the server that says who visitors are.
struct IdentityOptions: ParsableArguments {
  @Option(Setting("identity", remedy: .oneOf(Identity.known), read: Identity.init)) var identity
  @Option(Setting("identity-header", read: Self.headerName)) var header
  @Option(Setting("identity-name", read: Self.headerName)) var name
  @Option(Setting("identity-email", read: Self.headerName)) var email
  @Option(Setting("identity-groups", read: Self.headerName)) var groups
  @Option(Setting("identity-groups-separator", remedy: PlainError(row: "separator")) { $0.count == 1 ? $0.first : nil })
  var separator
  @Option(Setting("identity-jwt", read: Self.headerName)) var jwt
  @Option(Setting("identity-issuer", remedy: PlainError(row: "not-empty")) { $0.isEmpty ? nil : $0 }) var issuer
  @Option(Setting("identity-audience", remedy: PlainError(row: "not-empty")) { $0.isEmpty ? nil : $0 }) var audience
  @Option(Setting("identity-jwks", read: KeyLocation.init)) var jwks
  @Option(.text("identity-claim")) var claim
  @Option(.text("identity-groups-claim")) var groupsClaim
  @Option(Setting("sign-in", remedy: PlainError(row: "sign-in"), read: Self.signIn)) var signIn

  /// Which options belong together is judged by those that are given: a value that cannot be read is an error already.
  ///
  /// - Parameter hasProxy: true if `--trust-proxy` is given.
  func apply(to configuration: inout Configuration, hasProxy: Bool) throws {
    let ofHeader = [name.used, email.used, groups.used, separator.used].compactMap(\.self)
    let ofToken = [issuer.used, audience.used, jwks.used, claim.used, groupsClaim.used].compactMap(\.self)
    let ways = [identity.used, header.used, jwt.used].compactMap(\.self)
    if ways.count > 1 { try Failure("together", ["one": ways[0], "other": ways[1]]).collect() }
    if header.used == nil, let other = ofHeader.first {
      try Failure("needs", ["option": other, "other": "--identity-header"]).collect()
    }
    if jwt.used == nil, let other = ofToken.first {
      try Failure("needs", ["option": other, "other": "--identity-jwt"]).collect()
    }
    try checkHeadersDiffer()
    if let given = try identity() {
      configuration.identity = given
    } else if let id = try header() {
      var headers = IdentityHeaders(id: id, name: try name(), email: try email(), groups: try groups())
      headers.separator = try separator() ?? headers.separator
      configuration.identity = .headers(headers)
    } else if jwt.used != nil {
      configuration.identity = try signed()
    }
    configuration.signIn = try signIn()
    if case .headers = configuration.identity, !hasProxy {
      try Failure("needs-proxy", ["option": ways[0]]).collect()
    }
    if let signIn = signIn.used, ways.isEmpty {
      try Failure("needs", ["option": signIn, "other": "--identity"]).collect()
    }
  }

  private func signed() throws -> Identity? {
    let needed = [issuer.used, audience.used, jwks.used]
    if needed.contains(nil) {
      let others = "--identity-issuer, --identity-audience and --identity-jwks"
      try Failure("needs", ["option": "--identity-jwt", "other": others]).collect()
    }
    let given = (try jwt(), try issuer(), try audience(), try jwks())
    guard case (let header?, let issuer?, let audience?, let keys?) = given else { return nil }
    var signed = SignedIdentity(header: header, issuer: issuer, audience: audience, keys: keys)
    signed.claim = claim.text ?? signed.claim
    signed.groupsClaim = groupsClaim.text ?? signed.groupsClaim
    return .signed(signed)
  }

  private func checkHeadersDiffer() throws {
    let given = [header, name, email, groups].filter { $0.used != nil }
    for (place, setting) in given.enumerated() {
      let other = given[..<place].first { $0.text?.lowercased() == setting.text?.lowercased() }
      if let other { try setting.wrong(PlainError(row: "same-header", ["option": other.source])).collect() }
    }
  }

  private static func headerName(_ text: String) throws(PlainError) -> String {
    guard text.consists(of: "0-9A-Za-z-"), text.utf8.count <= 100 else { throw PlainError(row: "header-name") }
    if HeadersInUse.include(text) { throw PlainError(row: "header-in-use") }
    return text
  }

  private static func signIn(_ text: String) -> String? {
    text.contains("{url}") && Rule.url.isValid(text.replacing("{url}", with: "x")) ? text : nil
  }
}

extension Setting {
  /// The name of the option or variable that is given, or `nil` if neither is.
  fileprivate var used: String? { text.map { _ in source } }
}
