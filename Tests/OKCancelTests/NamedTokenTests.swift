import Foundation
import Testing

@testable import MicroHTTP
@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `A token with a name` {
  private static let one = "one-token-of-22-letters", two = "two-token-of-22-letters", bare = "bare"
  private static let again = "another-token-of-one-22"
  private let live: LiveServer

  init() throws {
    live = try LiveServer(Sample.all) {
      $0.apiTokens = ["one=\(Self.one)", "two:ask+answers=\(Self.two)", "one:ask=\(Self.again)", Self.bare]
    }
  }

  private static func authorized(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

  private func make(_ token: String, key: String? = nil) async throws -> LiveServer.MadeAsk {
    var headers = Self.authorized(token)
    headers["Idempotency-Key"] = key
    return try await live.ask(headers: headers)
  }

  private func tool(_ name: String, _ arguments: String, _ token: String) async throws -> String {
    let headers = Self.authorized(token).merging(["Mcp-Session-Id": "s"]) { $1 }
    return try await live.call(name, arguments, headers: headers).text
  }

  // MARK: What it is

  @Test(
    arguments: [
      ("bot=\(one)", one, "bot", nil), ("a:ask=\(one)", one, "a", ["ask"]),
      ("a-1:ask+metrics=\(one)", one, "a-1", ["ask", "metrics"]), ("a:metric=\(one)", one, "a", ["metric"]),
      ("a:=\(one)", one, "a", [""]),
      // What no name stands before, or not enough behind.
      (one, one, nil, nil), ("bot=short", "bot=short", nil, nil), ("Bot=\(one)", "Bot=\(one)", nil, nil),
      ("1a=\(one)", "1a=\(one)", nil, nil), ("=\(one)", "=\(one)", nil, nil),
      ("qrstuvwxyzabcdefghijklmnop==", "qrstuvwxyzabcdefghijklmnop==", nil, nil),
      ("bot=\(one)=", "\(one)=", "bot", nil),
    ] as [(String, String, String?, [String]?)])
  func `is told from a bare one`(entry: String, text: String, name: String?, scopes: [String]?) {
    let token = APITokenEntry(entry)
    #expect(token.text == text)
    #expect(token.name == name)
    #expect(token.scopeWords == scopes)
  }

  private static let noScope = "which there is not; the scopes are ask, answers, metrics, vouch"
  private static let unnamed =
    "a token has scopes between “:” and “=”, and no name before them; write a to z, 0 to 9 and hyphens there, beginning with a letter"
  private static let short =
    "a token with scopes has fewer than 22 characters after “=”; give it more, as “openssl rand -hex 16” prints"
  private static func unsendable(_ what: String) -> String {
    "a token has \(what), and no header can carry that; remove it"
  }
  private static let twice = "two entries have the same token and another name or scope; give each a token of its own"

  @Test(
    arguments: [
      (["a:metric=\(one)"], "the token “a” has the scope “metric”, \(noScope)"),
      (["a:=\(one)"], "the token “a” has the scope “”, \(noScope)"),
      (["release_bot:ask=\(one)"], unnamed), (["Bot:ask=\(one)"], unnamed), (["re bot:ask+metrics=\(one)"], unnamed),
      ([":ask=\(one)"], unnamed), (["1a:ask=\(one)"], unnamed), (["bot:ask=short"], short),
      (["X:bot:Ask=\(one)"], unnamed),
      (["bot:ask+metric=short"], short), (["\(one)\n"], unsendable("a line break")),
      (["bot=\(one)\r\n"], unsendable("a line break")),
      (["bot:ask= \(one)"], unsendable("a space before it")),
      (["bot=\(one)\u{7F}"], unsendable("a control character")), (["a\tb\(one)"], unsendable("a control character")),
      (["A:b=\(one)=", "AbCdEf:Gh=="], nil),
      (["a=\(one)", "b=\(one)"], twice), (["a:ask=\(one)", "a=\(one)"], twice), (["a=\(one)", one], twice),
      (["a=\(one)", ""], "there is an empty token; put one comma between two, and none at the ends"),
      (["a=\(one)", "a:ask=\(two)", "b=\(again)", bare, bare, "x:ask+ask=\(bare)\(one)"], nil),
    ] as [([String], String?)])
  func `is refused at the start if it cannot be used`(entries: [String], fault: String?) throws {
    #expect(APITokenEntry.fault(in: entries, shortAreTaken: true) == fault)
    guard let fault else { return }
    #expect { try LiveServer([]) { $0.apiTokens = entries } } throws: {
      "\($0)" == "an API token cannot be used: \(fault)"
    }
  }

  // MARK: What it may do

  /// Promise 2.3 | A token whose scopes do not include what a route needs is refused by it, at every route.
  @Test(arguments: `Every route`.rows)
  func `with scopes opens only the routes that need one of them`(row: `Every route`.Row) async throws {
    let scopes = APIToken.Scope.allCases
    let tokens =
      scopes.map { "only-\($0.rawValue)-token-of-22-characters" }
      + scopes.map { "all-but-\($0.rawValue)-token-of-22-characters" }
    let live = try LiveServer(Sample.all) {
      $0.apiTokens = [`Every route`.token]
      for (index, scope) in scopes.enumerated() {
        $0.apiTokens.append("a:\(scope.rawValue)=\(tokens[index])")
        let others = scopes.filter { $0 != scope }.map(\.rawValue).joined(separator: "+")
        $0.apiTokens.append("b:\(others)=\(tokens[scopes.count + index])")
      }
    }
    let path = try await `Every route`.path(row, on: live)
    for (index, token) in tokens.enumerated() {
      let isOnly = index < scopes.count, scope = scopes[index % scopes.count]
      let isAllowed = row.scope == nil || (row.scope == scope) == isOnly
      let answer = try await `Every route`.send(row, path, on: live, headers: Self.authorized(token))
      #expect((answer.status == 403) != isAllowed, "\(token)")
      guard !isAllowed, let needed = row.scope?.rawValue else { continue }
      #expect(try answer.json().text("code") == "missing-scope")
      #expect(answer.text.contains("does not have the scope `\(needed)`"))
      #expect(answer.headers["www-authenticate"] == #"Bearer error="insufficient_scope", scope="\#(needed)""#)
    }
  }

  // MARK: Whose asks it sees

  /// Promise 2.4 | A program with a name sees, awaits and withdraws only its own asks, at every door, and nobody's
  /// keys are another's.
  @Test func `sees only its own asks, at every route of an ask`() async throws {
    let routes = `Every route`.rows.filter { $0.pattern.hasPrefix("/asks/:id") }
    #expect(routes.count == 5)
    for row in routes {
      let own = try await make(Self.one)
      let path = row.pattern.replacing(":id", with: own.id)
      func send(_ path: String, _ token: String) async throws -> LiveServer.Answer {
        let isChange = ["PATCH", "PUT"].contains(row.method)
        var headers = Self.authorized(token)
        if isChange { headers["Content-Type"] = "application/json" }
        let change = #"{"expiresAt":"\#((Date.now + 60).formatted(.iso8601))"}"#
        let body = isChange ? Array((row.method == "PUT" ? #"{"status":"done"}"# : change).utf8) : nil
        return try await live.send(row.method, path, headers: headers, body: body)
      }
      let refused = try await send(path, Self.two)
      #expect(refused.status == 404, "\(row)")
      // Nothing tells it from an ask that never was.
      let unknown = try await send(row.pattern.replacing(":id", with: "00000000000000000000000000"), Self.two)
      #expect(refused.bytes == unknown.bytes)
      #expect(try await live.get("/asks/\(own.id)", headers: Self.authorized(Self.one)).json().text("status") == "open")
      // Tokens of one name are one program's, and one without a name sees all. Events end with the ask.
      for token in [Self.one, Self.again, Self.bare] {
        _ = try await live.send("DELETE", "/asks/\(own.id)", headers: Self.authorized(Self.one))
        // What has ended does not change.
        #expect(
          try await send(path, token).status == (["PATCH", "PUT"].contains(row.method) ? 409 : 200), "\(row) \(token)")
      }
      let later = try await send(path, Self.two)
      #expect(later.bytes == unknown.bytes)
    }
  }

  @Test func `finds only its own asks in lists`() async throws {
    let asks = try await (make(Self.one), make(Self.two), make(Self.bare), make(Self.again))
    _ = try await live.post(asks.1.path, json: #"{"outcome":"cancel"}"#)
    _ = try await live.post(asks.3.path, json: #"{"outcome":"cancel"}"#)
    for query in ["", "?prompt=email", "?status=open", "?status=closed&prompt=email", "?limit=1", "?prompt=login"] {
      func ids(_ token: String) async throws -> Set<String> {
        let answer = try await live.get("/asks" + query, headers: Self.authorized(token))
        #expect(answer.status == 200)
        // What is absent does not count as a further page.
        #expect(answer.headers["link"] == nil || query == "?limit=1" && token != Self.two)
        return Set(
          try answer.text.split(separator: "\n").map { line in
            let ask = try JSON(parsing: Array(line.utf8), limits: .file)
            if token != Self.bare { #expect(ask.text("askedBy") == (token == Self.one ? "one" : "two")) }
            return ask.text("id") ?? ""
          })
      }
      let open: [String: Set<String>] = [Self.one: [asks.0.id], Self.two: [], Self.bare: [asks.0.id, asks.2.id]]
      let closed =
        [Self.one: [asks.3.id], Self.two: [asks.1.id], Self.bare: [asks.1.id, asks.3.id]] as [String: Set<String>]
      for token in [Self.one, Self.two, Self.bare] {
        let all = open[token, default: []].union(closed[token, default: []])
        switch query {
        case "?status=open": #expect(try await ids(token) == open[token])
        case "?status=closed&prompt=email": #expect(try await ids(token) == closed[token])
        case "?limit=1": #expect(try await ids(token).isSubset(of: all))
        case "?prompt=login": #expect(try await ids(token).isEmpty)
        default: #expect(try await ids(token) == all)
        }
      }
    }
    // A cursor of another's ask tells nothing.
    let cursor = try #require(
      try await live.get("/asks?prompt=email&limit=1", headers: Self.authorized(Self.two)).text
        .firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
    #expect(try await live.get("/asks?after=\(cursor)&status=open", headers: Self.authorized(Self.one)).text == "")
  }

  /// Promise 2.4
  @Test func `has keys of its own, also over the Model Context Protocol`() async throws {
    let first = try await make(Self.one, key: "order-7")
    #expect(try await make(Self.one, key: "order-7").id == first.id)
    #expect(try await make(Self.again, key: "order-7").id == first.id)
    #expect(try await make(Self.two, key: "order-7").id != first.id)
    #expect(try await make(Self.bare, key: "order-7").id != first.id)

    for arguments in [#"{"prompt":"email","wait":0}"#, #"{"prompt":"email","wait":0,"key":"k"}"#] {
      let ids = try await [Self.one, Self.two, Self.one, Self.again, Self.bare].asyncMap { token -> String in
        let text = try await tool("ask_person", arguments, token)
        return String(try #require(text.firstMatch(of: #/"structuredContent":\{"status":"open","id":"(\w+)"/#)?.1))
      }
      #expect(ids[0] == ids[2] && ids[0] == ids[3] && Set(ids).count == 3)
      for name in ["ask_outcome", "withdraw_ask"] {
        let refused = try await tool(name, #"{"id":"\#(ids[0])"}"#, Self.two)
        let unknown = try await tool(name, #"{"id":"00000000000000000000000000"}"#, Self.two)
        #expect(refused == unknown && refused.contains("There is no ask with this id"), "\(refused)")
      }
      #expect(try await tool("ask_outcome", #"{"id":"\#(ids[0])","wait":0}"#, Self.one).contains(#""askedBy":"one""#))
      let withdrawn = try await tool("withdraw_ask", #"{"id":"\#(ids[0])"}"#, Self.again)
      #expect(withdrawn.contains(#""outcome":"withdrawn""#) && withdrawn.contains(#""askedBy":"one""#))
    }
  }

  // MARK: What is said of it

  @Test func `is named wherever the ask is, and on the dialog`() async throws {
    let named = try await make(Self.one), bare = try await make(Self.bare)
    #expect(named.json.text("askedBy") == "one")
    #expect(bare.json["askedBy"] == nil)
    let open = try await live.get("/asks/\(named.id)", headers: Self.authorized(Self.one)).json()
    #expect(open.text("askedBy") == "one" && open.text("status") == "open")
    for (language, sentence) in [("en", "Asked by \u{2068}one\u{2069}"), ("ja", "oneからの質問")] {
      let headers = ["Accept-Language": language]
      let page = try await live.get(named.path, accept: "text/html", headers: headers).text
      #expect(page.contains(#" aria-describedby="message asker""#))
      #expect(
        page.replacing("\u{2068}", with: "").replacing("\u{2069}", with: "").contains(
          #"<p id="asker" dir="auto">\#(sentence.replacing("\u{2068}", with: "").replacing("\u{2069}", with: ""))</p>"#)
          || language == "ja")
      #expect(!(try await live.get(bare.path, accept: "text/html", headers: headers).text.contains("asker")))
    }
    let refused = try await live.post(named.path, form: "email=x", accept: "text/html")
    #expect(refused.status == 422 && refused.text.contains(#"<p id="asker""#))
    #expect(try await live.get(named.path, accept: "application/json").json().text("askedBy") == "one")
    #expect(try await live.get(bare.path, accept: "application/json").json()["askedBy"] == nil)
    #expect(try await live.post(named.path, form: "email=a%40b.c").status == 200)
    let closed = try await live.get("/asks/\(named.id)", headers: Self.authorized(Self.one)).json()
    #expect(closed.text("askedBy") == "one" && closed.text("outcome") == "ok")
    let events = try await live.get("/asks/\(named.id)/events", headers: Self.authorized(Self.one)).text
    #expect(events.contains(#""askedBy":"one""#))
    // Nobody can say it of themselves.
    let forged = try await live.post(
      "/asks", json: #"{"definition":{"title":"T","askedBy":"cfo"}}"#, headers: Self.authorized(Self.two))
    #expect(forged.status == 400)
  }

  @Test func `is what a Swift client learns`() async throws {
    let client = Client(url: String(live.server.url.dropLast()), token: Self.one)
    #expect(try await client.create(Question(promptNamed: "email")).askedBy == "one")
    #expect(try await live.server.create(Question(promptNamed: "email")).askedBy == nil)
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async throws -> [T] {
    var result: [T] = []
    for element in self { result.append(try await transform(element)) }
    return result
  }
}
