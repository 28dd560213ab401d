internal import MicroHTTP
internal import Prompts

extension Problem {
  /// The codes by which programs tell problems apart. `Documentation/api.md` lists them. Clients rely on them, so they
  /// never change.
  package enum Code: String, CaseIterable, Sendable {
    case malformedRequest = "malformed-request", malformedBody = "malformed-body", unknownKey = "unknown-key"
    case missingKey = "missing-key", wrongType = "wrong-type", wrongValue = "wrong-value"
    case unknownParameter = "unknown-parameter", sentTwice = "sent-twice", unknownField = "unknown-field"
    case wrongAction = "wrong-action", unusableDefinition = "unusable-definition", unusableSchema = "unusable-schema"
    case unusableContext = "unusable-context", unusableRules = "unusable-rules"
    case callbackNotAllowed = "callback-not-allowed", unknownChannel = "unknown-channel", tooCostly = "too-costly"
    case responseTooLarge = "response-too-large", missingToken = "missing-token", wrongToken = "wrong-token"
    case wrongIdentity = "wrong-identity", signInNeeded = "sign-in-needed", notForYou = "not-for-you"
    case notAnswered = "not-answered", hasResult = "has-result"
    case identityUnknown = "identity-unknown", missingScope = "missing-scope", crossSite = "cross-site"
    case embedderNotAllowed = "embedder-not-allowed", notFound = "not-found"
    case unknownPrompt = "unknown-prompt", unknownAsk = "unknown-ask", unknownLink = "unknown-link"
    case unknownReceipt = "unknown-receipt", methodNotAllowed = "method-not-allowed"
    case requestTimeout = "request-timeout", ended, promptChanged = "prompt-changed", keyReused = "key-reused"
    case contentTooLarge = "content-too-large", targetTooLong = "target-too-long"
    case unsupportedMediaType = "unsupported-media-type", unknownHost = "unknown-host"
    case invalidValues = "invalid-values", tooManyRequests = "too-many-requests"
    case headersTooLarge = "headers-too-large", internalError = "internal-error"
    case codingNotSupported = "coding-not-supported", busy, stopping, databaseUnavailable = "database-unavailable"
    case versionNotSupported = "version-not-supported"
  }

  private static let table = SentenceTable("Sources/OKCancel/HTTP/problems.txt", columns: 3)

  /// - Parameters:
  ///   - id: of a row of `problems.txt`.
  ///   - headers: besides those that all problems of this kind have, or in their place.
  init(_ id: String, _ facts: SentenceTable.Facts = [:], headers: [(name: String, value: String)] = []) {
    let row = Self.table.fields(of: id, facts)
    guard let code = Code(rawValue: String(Substring(id.utf8.prefix { $0 != UInt8(ascii: ".") }))),
      let status = Int(row[0]).flatMap(Status.init)
    else { preconditionFailure("problems.txt has no code or no status for \(id)") }
    self.init(code, status, row[1], headers: headers)
    heading = Self.table.has("\(id)/listed") ? Self.table.fields(of: "\(id)/listed", facts)[1] : nil
    note =
      switch id {
      case "sign-in-needed", "sign-in-needed.expired": .signInFirst
      case "sign-in-needed.nameless": .nameless
      case "not-for-you": .notForYou
      default: nil
      }
  }

  /// The sentence of the same row that stands before a list of the errors; `nil` if there is none, or the detail is not
  /// this row's.
  static func heading(of detail: String, code: String) -> String? {
    guard table.has("\(code)/listed") else { return nil }
    let problem = Problem(code)
    return problem.detail == detail ? problem.heading : nil
  }

  /// An error that every route of the server can have.
  init(_ error: HTTPError) {
    self.init(Self.codes[error.status] ?? .internalError, error.status, error.description, headers: error.headers)
  }

  /// A fault of JSON or a form.
  init(_ fault: Fault) {
    let code: Code =
      switch fault.kind {
      case .missingKey: .missingKey
      case .unknownKey: .unknownKey
      case .unknownField: .unknownField
      case .wrongType: .wrongType
      case .wrongValue: .wrongValue
      }
    self.init(code, .badRequest, fault.sentence.prefix(1).uppercased() + fault.sentence.dropFirst())
  }

  init(unknownField name: String, of fields: [Field]) {
    let names = fields.map(\.name)
    // What a client sends if it leaves out the type of its JSON, or follows another server's convention.
    if name.hasPrefix("{") {
      self = Problem("unknown-field.json", ["name": name])
    } else if names.isEmpty {
      self = Problem("unknown-field.none", ["name": name])
    } else {
      let nearest = Nearest(to: name.replacing("[]", with: ""), among: names)
      self = Problem("unknown-field", ["name": name, "nearest": nearest])
    }
  }

  init(_ nobody: Answerers.Nobody) {
    switch nobody {
    case .inCommon(let lists):
      let (own, given) = (Self.listed(lists.first ?? []), Self.listed(lists.last ?? []))
      self = Problem("wrong-value.in-common", ["given": given, "own": own])
    case .allExcluded(let ids): self = Problem("wrong-value.all-excluded", ["people": Self.listed(ids)])
    }
  }

  init(missing scope: APIToken.Scope) {
    let challenge = "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""
    self = Problem("missing-scope", ["scope": scope.rawValue], headers: [("WWW-Authenticate", challenge)])
  }

  init(unreadableOutcome error: any Error) { self = Problem("internal-error.outcome", ["why": "\(error)"]) }

  /// The headers that all problems of a kind have.
  static func headers(_ code: Code, _ status: Status) -> [(name: String, value: String)] {
    // No scheme for which a browser would open a window of its own.
    let signIn = [(name: "WWW-Authenticate", value: "Proxy-Identity"), ("Cache-Control", "private, no-store")]
    return switch code {
    case .missingToken, .wrongToken: [("WWW-Authenticate", "Bearer")]
    case .signInNeeded: signIn
    case .wrongIdentity where status == .unauthorized: signIn
    case .notForYou: [("Cache-Control", "private, no-store")]
    case .databaseUnavailable: [("Retry-After", "5")]
    case .busy: [("Retry-After", "1")]
    case .unsupportedMediaType: [("Accept", "application/json, application/x-www-form-urlencoded")]
    default: []
    }
  }

  private static let codes: [Status: Problem.Code] = [
    .badRequest: .malformedRequest, .notFound: .notFound, .methodNotAllowed: .methodNotAllowed,
    .requestTimeout: .requestTimeout, .contentTooLarge: .contentTooLarge, .targetTooLong: .targetTooLong,
    .headersTooLarge: .headersTooLarge, .notImplemented: .codingNotSupported, .serviceUnavailable: .stopping,
    .versionNotSupported: .versionNotSupported,
  ]

  /// The first of these names, and how many more there are.
  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(3).map(\.excerpt).joined(separator: ", ")
    return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
  }
}

extension String {
  /// Its beginning, if it is as long as a body may be.
  var excerpt: String { unicodeScalars.count <= 64 ? self : String(unicodeScalars.prefix(64)) + "…" }
}
