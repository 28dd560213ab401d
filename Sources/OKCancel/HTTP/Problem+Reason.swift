internal import Asks
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

  /// The reason for a problem, with its details. All messages to programs about refused requests are in this file.
  enum Reason {
    // A body, its keys and its values
    case noBody
    case unreadBody(String, headers: [(name: String, value: String)] = [])
    case onlyJSON(route: String, remedy: String? = nil)
    /// Errors of JSON and forms.
    case malformed(Fault), malformedJSON(JSONFault), malformedForm(Form.ParseError)
    /// Of the body's keys, parameters and headers: what it must be, and what it is if that helps.
    case wrongValue(String, mustBe: String, not: String? = nil)
    case noPromptName(String), unknownOutcome(String), unknownAction(remedy: String), actionDoesNotApply(Prompt.Button)
    case unknownField(String, of: [Field]), unknownParameter(String, known: [String])
    /// A name in quotes, perhaps with what it is; and `in the query`, or `nil` if that is clear.
    case sentTwice(String, place: String?)
    case invalidValues(count: Int, first: Detail?)
    // What an ask is made of
    case noQuestion, onlyWithSchema(key: String), translatedIntoItself(Language)
    /// The body's key, and the one it belongs under.
    case misplacedQuestion(key: String, right: String)
    /// The body's key: `definition`, `schema` or `context`. What is wrong with its parts stands in `errors`.
    case unusableParts(String)
    case unusableRule(String), unusableRules(String)
    /// A key of a body that has rules, too.
    case goesWithPrompt(key: String, remedy: String)
    case nothingToChange(remedy: String)
    case metadataWouldChange, metadataTooLong(limit: Int)
    case wrongCallback(CallbackURLFault), noCallbacks, callbackNotAllowed
    case unknownChannel(String, known: [String]), personIsTold
    // What costs too much
    case readingTooCostly(what: String, WorkBudget, why: String), judgingTooCostly(Cost, WorkBudget)
    case responseTooLarge(Int)
    // Who may not
    case missingToken, wrongToken, missingScope(Token.Scope), crossSite, embedderNotAllowed(Origin), unknownHost(String)
    case tooManyRequests(what: String, seconds: Int)
    /// A header that says who somebody is, and why that is not believed.
    case identityHeader(String, why: String)
    /// A header that says who somebody is, and what is wrong with its value.
    case identityValue(String, String)
    case wrongAssertion(header: String, TokenFault)
    /// A token comes in this header, and the keys of its issuer could not be read yet.
    case noKeysYet(header: String)
    case unnamed, nameless, notForYou
    /// The body's key that names people on a server that knows nobody.
    case nobodyIsKnown(key: String)
    /// A group under this key, on a server where nothing says who belongs to one.
    case noGroups(key: String)
    /// An empty list of people under this key.
    case namesNobody(key: String)
    case personMayNotAnswer, nobodyMayAnswer(Answerers.Nobody)
    case unknownAskToKeepApart(String)
    // What there is not, or not any more
    case unknownPrompt(String, nearest: String?), unknownPromptOfTool(String, nearest: String?), unknownAsk,
      unknownAskOfTool(String), unknownLink, unknownReceipt
    case promptChanged
    case noAnswerYet(page: String), ended(Outcome.Kind), alreadyEnded(Outcome.Kind), keyReused, keyReusedByTool
    // What the server cannot do
    /// Errors that every route of the server can have.
    case http(HTTPError)
    case unreadableAsk(any Error), unreadableOutcome(any Error), databaseUnavailable(String), notReady(String)
    case tooManyWatch(limit: Int), tooMuchWaits, tooManyQuestions
  }
}

extension Problem.Reason {
  /// The code, and what is wrong and what to do.
  var words: (code: Problem.Code, detail: String) {
    switch self {
    case .unreadBody(let what, _):
      let remedy = "send application/json or application/x-www-form-urlencoded in UTF-8."
      return (.unsupportedMediaType, "\(what) is not supported here; \(remedy)")
    case .noBody:
      return (.unsupportedMediaType, #"There is no body; send JSON, like {"outcome":"ok"} to a dialog, or a form."#)
    case .onlyJSON(let route, let remedy):
      return (.unsupportedMediaType, "\(route) only accepts application/json" + (remedy.map { "; \($0)." } ?? "."))
    case .malformed(let fault):
      return (Self.code(of: fault.kind), fault.sentence.prefix(1).uppercased() + fault.sentence.dropFirst())
    case .malformedJSON(let fault): return (.malformedBody, "The body is not valid JSON: \(fault)")
    case .malformedForm(let fault): return (.malformedBody, "The form cannot be read: \(fault)")
    case .wrongValue(let name, let rule, let found):
      return (.wrongValue, "“\(name)” must be \(rule)" + (found.map { ", not \($0)." } ?? "."))
    case .noPromptName(let name): return (.wrongValue, "“\(name)” cannot name a prompt.")
    case .unknownOutcome(let outcome):
      return (.wrongValue, "“outcome” cannot be “\(Self.shortened(outcome))”; send “ok”, “cancel” or “action”.")
    case .unknownAction(let remedy): return (.wrongAction, "`action` must name an action of this prompt; \(remedy)")
    case .actionDoesNotApply(let button):
      return (.wrongAction, "“\(button.title)” does not apply to what was entered; choose another button.")
    case .unknownField(let name, let fields):
      let names = fields.map(\.name)
      // What a client sends if it leaves out the type of its JSON, or follows another server's convention.
      let remedy =
        name.hasPrefix("{")
        ? "to send JSON, add the header `Content-Type: application/json`"
        : names.isEmpty
          ? "it has no fields" : Nearest.remedy(for: name.replacing("[]", with: ""), among: names)
      return (.unknownField, "The prompt has no field `\(name)`; \(remedy)")
    case .unknownParameter(let name, let known):
      let remedy = known.isEmpty ? "this route has none." : Nearest.remedy(for: name, among: known)
      return (.unknownParameter, "There is no query parameter `\(name)` here; \(remedy)")
    case .sentTwice(let what, let place):
      return (.sentTwice, "\(what) appears twice" + (place.map { " \($0)" } ?? "") + "; send it once.")
    case .invalidValues(1, let first):
      return (.invalidValues, "The field “\(first?.field ?? "")” is not valid: \(first?.message ?? "").")
    case .invalidValues(let count, _):
      return (.invalidValues, "\(count) fields are not valid; `errors` says what to do in each.")

    case .noQuestion:
      return (.missingKey, "An ask needs the name of a “prompt”, a “definition” or a “schema”; send one of them.")
    case .misplacedQuestion(let key, let right):
      // To a tool, `title` and `fields` are arguments of their own.
      let remedy = right == "definition" ? "send its “title” and “fields” as a definition" : "send it as “\(right)”"
      let what = ["prompt": "the name of a prompt", "schema": "a JSON Schema"][right] ?? "a definition"
      return (.wrongType, "“\(key)” holds \(what); \(remedy).")
    case .onlyWithSchema(let key):
      return (.unknownKey, "“\(key)” goes with a “schema”; a prompt and a definition have their own.")
    case .translatedIntoItself(let language):
      let remedy = "name the “language” that it is written in."
      return (.wrongValue, "“\(language)” is the definition's own language; \(remedy)")
    case .unusableParts(let part):
      let what = part == "context" ? "cannot be shown" : "cannot be used"
      return (Self.code(ofPart: part), "This \(part) \(what); `errors` says where and what to do.")
    case .unusableRule(let why): return (.unusableRules, why)
    case .unusableRules(let why): return (.unusableRules, "These rules cannot be used: \(why)")
    case .goesWithPrompt(let key, let remedy):
      return (.unknownKey, "“\(key)” does not go with “rules” and “value”; \(remedy).")
    case .nothingToChange(let remedy): return (.missingKey, "There is nothing to change; \(remedy).")
    case .metadataWouldChange:
      return (.wrongValue, "“metadata” would not come back as it was sent; `errors` says where.")
    case .metadataTooLong(let limit):
      return (.wrongValue, "“metadata” is longer than \(limit) bytes of JSON; keep a reference in it instead.")
    case .wrongCallback(let fault): return (.wrongValue, "“callback” cannot be called: \(fault).")
    case .noCallbacks:
      let remedy = "Leave “callback” out, and wait with GET /asks/{id}?wait=25."
      return (.callbackNotAllowed, "This server sends no callbacks: it was started without --allow-callback. \(remedy)")
    case .callbackNotAllowed:
      let why = "it is not under any prefix given with --allow-callback."
      return (.callbackNotAllowed, "This server may not call this URL: \(why)")

    case .unknownChannel(let name, let known):
      let remedy =
        known.isEmpty ? "it has none: okcancel serve has --channel." : "it has \(known.joined(separator: ", "))."
      return (.unknownChannel, "“notify” names “\(name)”, which is no channel of this server; \(remedy)")
    case .personIsTold:
      let why = "the link is that person's, and whoever is told would have it"
      return (.wrongValue, "“person” and “notify” cannot be given together: \(why).")

    case .readingTooCostly(let what, let budget, let why):
      return (.tooCostly, "\(what) too much work to read (\(budget.description) of CPU are allowed)\(why)")
    case .judgingTooCostly(let cost, let budget):
      let what = cost.mostExpensive.map { part in
        part.rule.inWords + (part.field.map { " of the field `\($0)`" } ?? "")
          + " may take up to \(WorkBudget.milliseconds(part.work)) of CPU for this text"
      }
      let limits = "in all \(WorkBudget.milliseconds(cost.work)), and \(budget.description) are allowed"
      let remedy = "shorten the text, or make the rule simpler."
      return (.tooCostly, "This takes too much work to judge: \(what ?? "it") (\(limits)); \(remedy)")
    case .responseTooLarge(let count):
      let remedy = "ask for less at a time, as with ?only=."
      return (.responseTooLarge, "The response would have \(count) bytes, more than \(Response.limit); \(remedy)")

    case .missingToken:
      return (.missingToken, "This needs the API token; send it as “Authorization: Bearer TOKEN”.")
    case .wrongToken:
      let remedy = "send one of those in its OKCANCEL_API_TOKEN."
      return (.wrongToken, "This API token is not one of the server's; \(remedy)")
    case .missingScope(let scope):
      let remedy = "give it that in the server's OKCANCEL_API_TOKEN, or use another token."
      return (.missingScope, "This API token does not have the scope `\(scope.rawValue)`; \(remedy)")
    case .crossSite:
      let remedy = "only origins named with --allow-origin may send such requests."
      return (.crossSite, "This request came from another site's page; \(remedy)")
    case .embedderNotAllowed(let origin):
      let remedy = "to allow them, start it with --allow-origin \(origin)."
      return (.embedderNotAllowed, "This server does not let pages of \(origin) show its dialogs; \(remedy)")
    // An honest client has a name that could be one.
    case .unknownHost(let name) where name.isEmpty || name.utf8.count > 253:
      let remedy = "Ask for it by a name that it was given with --allow-host or --base-url."
      return (.unknownHost, "This server does not answer to that name. \(remedy)")
    case .unknownHost(let name):
      let remedy = "start it with --allow-host \(name), or with the --base-url that people use."
      return (.unknownHost, "This server does not answer to the name “\(name)”. If it should, \(remedy)")
    case .tooManyRequests(let what, let seconds):
      let remedy = "try again in \(seconds) second\(seconds == 1 ? "" : "s")."
      return (.tooManyRequests, "There were too many \(what) from your address; \(remedy)")

    case .identityHeader(let name, let why):
      let remedy = "only the proxy in front of this server may say who somebody is, once."
      return (.wrongIdentity, "The header \(name) \(why); \(remedy)")
    case .identityValue(let name, let fault): return (.wrongIdentity, "The header \(name) \(fault).")
    case .wrongAssertion(let header, let fault):
      return (fault == .expired ? .signInNeeded : .wrongIdentity, "The token in \(header) is not valid: \(fault).")
    case .noKeysYet(let header):
      let why = "the issuer's keys could not be read yet"
      return (.wrongIdentity, "The token in \(header) cannot be checked: \(why); try again in a moment.")
    case .unnamed: return (.signInNeeded, "This question is for certain people; sign in, then open it again.")
    case .nameless:
      let why = "you are signed in, but the sign-in does not say who you are in a way that can be checked"
      let remedy = "it needs an id, such as a verified mail address; ask whoever runs it."
      return (.signInNeeded, "This question is for certain people, and \(why): \(remedy)")
    case .notForYou: return (.notForYou, "This question is for somebody else.")
    case .nobodyIsKnown(let key):
      let remedy = "start it with --identity, or say who has the link with “person”."
      return (.identityUnknown, "“\(key)” cannot be kept to: this server does not know who its visitors are; \(remedy)")
    case .noGroups(let key):
      let remedy = "start it with --identity-groups or --identity-groups-claim, or name people."
      return (
        .identityUnknown,
        "“\(key)” names a group, which cannot be kept to: nothing tells this server who belongs to one; \(remedy)"
      )
    case .namesNobody(let key):
      return (.wrongValue, "“\(key)” names nobody; write who it is, or leave it out.")
    case .personMayNotAnswer:
      let remedy = "look at “for”, “notBy” and “requestedBy”, also those of the prompt."
      return (.wrongValue, "Nobody could answer this: the “person” whose link it is may not; \(remedy)")
    case .nobodyMayAnswer(.inCommon(let lists)):
      let (own, given) = (Self.listed(lists.first ?? []), Self.listed(lists.last ?? []))
      let what = "“for” only names \(given), and the prompt's own “for” only \(own)"
      return (.wrongValue, "Nobody could answer this: \(what); name somebody from the prompt's.")
    case .nobodyMayAnswer(.allExcluded(let ids)):
      let what = "“notBy” or “requestedBy” excludes everybody in “for” (\(Self.listed(ids)))"
      return (.wrongValue, "Nobody could answer this: \(what); name somebody else, or look at those of the prompt.")
    case .unknownAskToKeepApart(let id):
      return (.unknownAsk, "“notBy” names the ask “\(Self.shortened(id))”, which is not there, or no longer.")

    case .unknownPrompt(let name, let nearest):
      let remedy = nearest.map { "did you mean `\($0)`?" } ?? "GET / lists the prompts there are."
      return (.unknownPrompt, "There is no prompt `\(name)`; \(remedy)")
    case .unknownPromptOfTool(let name, let nearest):
      let remedy = nearest.map { "did you mean `\($0)`?" } ?? "list_prompts returns those there are."
      return (.unknownPrompt, "There is no prompt `\(Self.shortened(name))`; \(remedy)")
    case .unknownAsk: return (.unknownAsk, "There is no ask with this id; POST /asks makes one.")
    case .unknownAskOfTool(let text):
      return (.unknownAsk, "There is no ask “\(Self.shortened(text))”; use the `id` that ask_person returned.")
    case .unknownLink:
      return (.unknownLink, "There is no question at this address; check the link, or ask for a new one.")
    case .unknownReceipt:
      return (.unknownReceipt, "Unknown receipt. Treat the request that carried it as forged.")
    case .promptChanged:
      let remedy = "read it again, and answer what it asks now, with the “version” of its rules."
      return (.promptChanged, "The prompt has changed since this version of it; \(remedy)")
    case .noAnswerYet(let page): return (.notFound, "This page follows an answer; open \(page) to give one.")
    case .ended(.expired): return (.ended, "This question has expired.")
    case .ended(.withdrawn): return (.ended, "This question was withdrawn.")
    case .ended(.ok), .ended(.cancel), .ended(.action): return (.ended, "This question has already been answered.")
    case .alreadyEnded(let outcome): return (.ended, "This ask has already ended, with “\(outcome.rawValue)”.")
    case .keyReused: return (.keyReused, "This Idempotency-Key was used with another body; use a new key.")
    case .keyReusedByTool:
      let what = "another question, which is open or whose answer you have not read"
      return (.keyReused, "This `key` belongs to \(what); use another key, or the same arguments.")

    case .http(let error): return (Self.codes[error.status] ?? .internalError, error.description)
    case .unreadableAsk(let error): return (.internalError, "This ask cannot be read: \(error)")
    case .unreadableOutcome(let error): return (.internalError, "The outcome cannot be opened: \(error)")
    case .databaseUnavailable(let why):
      return (.databaseUnavailable, "The server cannot use its database now: \(why)")
    case .notReady(let obstacle): return (.databaseUnavailable, obstacle)
    case .tooManyWatch(let limit): return (.busy, "\(limit) pages watch this server already; close some.")
    case .tooMuchWaits: return (.busy, "Too many costly requests are waiting; try again in a moment.")
    case .tooManyQuestions: return (.busy, "Too many questions are being asked; try again in a moment.")
    }
  }

  /// What its page says instead of what is common to all with its status, or `nil`.
  var note: PageNote? {
    switch self {
    case .unnamed, .wrongAssertion(_, .expired): .signInFirst
    case .nameless: .nameless
    case .notForYou: .notForYou
    default: nil
    }
  }

  /// Nearly always the one of the code.
  func status(_ code: Problem.Code) -> Status {
    switch self {
    case .http(let error): error.status
    case .alreadyEnded: .conflict
    case .wrongAssertion, .noKeysYet: .unauthorized
    case .unknownAskToKeepApart, .namesNobody, .personMayNotAnswer, .nobodyMayAnswer, .personIsTold:
      .unprocessableContent
    default: Self.statuses[code] ?? .badRequest
    }
  }

  private static let statuses: [Problem.Code: Status] = [
    .missingToken: .unauthorized, .wrongToken: .unauthorized, .missingScope: .forbidden, .crossSite: .forbidden,
    .embedderNotAllowed: .forbidden,
    .signInNeeded: .unauthorized, .notForYou: .forbidden, .identityUnknown: .unprocessableContent,
    .unknownChannel: .unprocessableContent,
    .notFound: .notFound, .unknownPrompt: .notFound, .unknownAsk: .notFound, .unknownLink: .notFound,
    .unknownReceipt: .notFound, .promptChanged: .conflict,
    .keyReused: .conflict, .ended: .gone, .unsupportedMediaType: .unsupportedMediaType,
    .unknownHost: .misdirectedRequest, .invalidValues: .unprocessableContent, .tooManyRequests: .tooManyRequests,
    .internalError: .internalServerError, .databaseUnavailable: .serviceUnavailable, .busy: .serviceUnavailable,
  ]

  var headers: [(name: String, value: String)] {
    switch self {
    case .noBody: [("Accept", "application/json, application/x-www-form-urlencoded")]
    case .unreadBody(_, let more): [("Accept", "application/json, application/x-www-form-urlencoded")] + more
    case .onlyJSON: [("Accept", "application/json")]
    case .missingToken, .wrongToken: [("WWW-Authenticate", "Bearer")]
    case .missingScope(let scope):
      [("WWW-Authenticate", "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\"")]
    // No scheme for which a browser would open a window of its own.
    case .noKeysYet:
      [("WWW-Authenticate", "Proxy-Identity"), ("Cache-Control", "private, no-store"), ("Retry-After", "5")]
    case .unnamed, .nameless, .wrongAssertion:
      [("WWW-Authenticate", "Proxy-Identity"), ("Cache-Control", "private, no-store")]
    case .notForYou: [("Cache-Control", "private, no-store")]
    case .tooManyRequests(_, let seconds): [("Retry-After", String(seconds))]
    case .databaseUnavailable, .notReady, .tooManyWatch: [("Retry-After", "5")]
    case .tooMuchWaits, .tooManyQuestions: [("Retry-After", "1")]
    case .http(let error): error.headers
    default: []
    }
  }

  private static let codes: [Status: Problem.Code] = [
    .badRequest: .malformedRequest, .notFound: .notFound, .methodNotAllowed: .methodNotAllowed,
    .requestTimeout: .requestTimeout, .contentTooLarge: .contentTooLarge, .targetTooLong: .targetTooLong,
    .headersTooLarge: .headersTooLarge, .notImplemented: .codingNotSupported, .serviceUnavailable: .stopping,
    .versionNotSupported: .versionNotSupported,
  ]

  private static func code(of kind: Fault.Kind) -> Problem.Code {
    switch kind {
    case .missingKey: .missingKey
    case .unknownKey: .unknownKey
    case .unknownField: .unknownField
    case .wrongType: .wrongType
    case .wrongValue: .wrongValue
    }
  }

  private static func code(ofPart part: String) -> Problem.Code {
    ["schema": .unusableSchema, "context": .unusableContext][part] ?? .unusableDefinition
  }

  /// The first of these names, and how many more there are.
  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(3).map(shortened).joined(separator: ", ")
    return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
  }

  /// It may be as long as a body.
  private static func shortened(_ text: String) -> String {
    text.unicodeScalars.count <= 64 ? text : String(text.unicodeScalars.prefix(64)) + "…"
  }
}
