import Foundation
import Testing

@testable import MicroHTTP
@testable import OKCancel
@testable import Prompts

/// A question that is for some people only, from outside: who sees it, and who does not.
@Suite(.timeLimit(.minutes(5))) struct `A question for some people` {
  private static let token = `Every route`.token
  /// Stands in everything that can be seen of the question.
  private static let canary = "kanarienvogel"
  private static let definition = """
    {"title": "T \(canary)", "message": "M \(canary)", "ok": "O \(canary)",
     "context": [{"text": "C \(canary)"}],
     "fields": [
       {"name": "\(canary)", "label": "L \(canary)", "placeholder": "P \(canary)", "value": "V \(canary)",
        "rules": [{"nonEmpty": true, "message": "R \(canary)"}]},
       {"name": "choice", "kind": "choice", "options": [{"value": "one", "title": "X \(canary)"}]}]}
    """

  private let log = LogLines()
  private let live: LiveServer

  init() throws {
    var offered = Prompt(
      title: "T \(Self.canary)", message: "M \(Self.canary)", fields: [Field("text", label: "L \(Self.canary)")])
    offered.answerers.only = [.person("ada@example.com"), .group("release")]
    var ours = Prompt(title: "Ours")
    ours.for = ["ada", "dan"]
    live = try LiveServer(Sample.all + [offered.named("offered"), ours.named("ours")], logger: log.logger) {
      $0.apiTokens = [Self.token]
      $0.trustedProxies = [AddressBlock("127.0.0.1")!]
      $0.identity = .headers(.init(id: "Remote-Email", groups: "Remote-Groups"))
      $0.signIn = "https://auth.example.com/?rd={url}"
    }
  }

  private func make(_ members: String) async throws -> LiveServer.MadeAsk {
    try await live.ask(#"{"definition":\#(Self.definition),\#(members)}"#)
  }

  private func visit(_ path: String, as person: String?, _ json: String? = nil) async throws -> LiveServer.Answer {
    let headers = ["Accept": "application/json"].merging(person.map { ["Remote-Email": $0] } ?? [:]) { $1 }
    guard let json else { return try await live.get(path, headers: headers) }
    return try await live.post(path, json: json, headers: headers)
  }

  private static let ok = #"{"outcome":"ok","values":{"kanarienvogel":"x","choice":"one"}}"#

  // MARK: What others see

  private enum Visitor: CaseIterable {
    case wrongPerson, nobody, wrongToken

    var headers: [String: String] {
      switch self {
      case .wrongPerson: ["Remote-Email": "bob@example.com", "Remote-Groups": "releases,Release"]
      case .nobody: [:]
      case .wrongToken: ["Remote-Email": "ada@example.com", "Authorization": "Bearer wrong"]
      }
    }
  }

  @Test(arguments: `Every route`.rows)
  func `shows nothing of itself at any route, to others or to nobody`(row: `Every route`.Row) async throws {
    let ask = try await make(#""for":["ada@example.com","group:release"]"#)
    for visitor in Visitor.allCases {
      // A program's token is all that its routes ask for, and the right person sees a prompt that is on offer.
      let isMeant = visitor == .wrongToken && row.scope == nil
      if isMeant, row.pattern == "/" { continue }
      let link = isMeant ? "/a/" + String(ask.path.dropFirst(3).reversed()) : ask.path
      let path = row.pattern.replacing("/a/:token", with: link).replacing(":id", with: ask.id)
        .replacing(":name", with: isMeant ? "email" : "offered").replacing(":receipt", with: "none")
      let bodies: [String?] =
        ["GET", "DELETE"].contains(row.method) ? [nil] : ["{}", #"{"outcome":"cancel"}"#, isMeant ? "[]" : Self.ok]
      for accept in ["text/html", "application/json", "application/schema+json", "text/csv", "text/event-stream"] {
        for body in bodies {
          var headers = visitor.headers.merging(["Accept": accept, "Accept-Language": "de"]) { $1 }
          if body != nil { headers["Content-Type"] = "application/json" }
          let answer = try await live.send(row.method, path, headers: headers, body: body.map { Array($0.utf8) })
          let isSeen = "\(answer.text) \(answer.headers)".contains(Self.canary)
          #expect(!isSeen, "\(visitor) \(accept) \(body ?? "") \(answer.status)")
          guard row.pattern.hasPrefix("/a/"), !isMeant else { continue }
          #expect(answer.status == (visitor == .wrongPerson ? 403 : 401), "\(visitor) \(accept) \(body ?? "")")
          #expect(answer.headers["cache-control"] == "private, no-store")
          #expect(answer.headers["www-authenticate"] == (visitor == .nobody ? "Proxy-Identity" : nil))
        }
      }
    }
    #expect(!log.all.joined().contains(Self.canary))
    #expect(try await live.get("/asks/\(ask.id)", headers: live.authorized).json().text("status") == "open")
  }

  @Test func `stands in the list of what is on offer for those it is for`() async throws {
    for (person, isShown) in [("ada@example.com", true), ("bob@example.com", false), (nil, false)] {
      let answer = try await visit("/", as: person)
      #expect(answer.text.contains("offered") == isShown)
      #expect(answer.text.contains("email"))
    }
  }

  @Test func `is suggested to those only to whom it is listed`() async throws {
    for path in ["/prompts/offere", "/prompts/offere/rules", "/prompts/offere/schema", "/prompts/offere/done"] {
      for (person, isShown) in [("ada@example.com", true), ("bob@example.com", false), (nil, false)] {
        let answer = try await visit(path, as: person)
        #expect(answer.status == 404 && answer.text.contains("`offered`") == isShown, "\(answer.text)")
      }
    }
    for path in ["/prompts/offere", "/validate/offere"] {
      let (theirs, bobs) = try await (visit(path, as: "ada@example.com", "{}"), visit(path, as: nil, "{}"))
      #expect(theirs.status == 404 && theirs.text.contains("`offered`"))
      #expect(bobs.status == 404 && !bobs.text.contains("offered"))
    }
    // One for everybody is suggested to everybody.
    #expect(try await visit("/prompts/emai", as: nil).text.contains("`email`"))
  }

  @Test func `has a button in focus at first only if it is for everybody`() async throws {
    for (members, hasFocus) in [(#""for":["ada@example.com"]"#, false), (#""metadata":{}"#, true)] {
      let ask = try await live.ask(#"{"definition":{"title":"Deploy?"},\#(members)}"#)
      let page = try await live.get(ask.path, headers: ["Accept": "text/html", "Remote-Email": "ada@example.com"])
      #expect(page.status == 200 && page.text.contains(" data-autofocus>") == hasFocus)
    }
  }

  @Test func `says where to sign in, and how to come back`() async throws {
    let ask = try await make(#""for":["ada@example.com"]"#)
    for suffix in ["", "/rules", "/done"] {
      let page = "http%3A%2F%2F127.0.0.1%3A\(live.server.port ?? 0)%2Fa%2F\(ask.path.dropFirst(3))"
      let answer = try await visit(ask.path + suffix, as: nil)
      #expect(try answer.json().text("signIn") == "https://auth.example.com/?rd=\(page)")
      let shown = try await live.get(ask.path + suffix, accept: "text/html")
      #expect(shown.status == 401)
      #expect(suffix == "/rules" || shown.text.contains("href=\"https://auth.example.com/?rd=\(page)\""))
    }
  }

  @Test(
    arguments: [
      ("POST", #"{"prompt":"email","for":[]}"#, "“for” names nobody"),
      ("POST", #"{"prompt":"email","for":["a"],"notBy":[]}"#, "“notBy” names nobody"),
      ("PATCH", #"{"for":[]}"#, "“for” names nobody"),
      ("POST", #"{"prompt":"offered","person":{"id":"bob@example.com"}}"#, "Nobody could answer"),
      ("POST", #"{"prompt":"email","for":["ada"],"person":{"id":"bob"}}"#, "Nobody could answer"),
      ("POST", #"{"prompt":"email","notBy":["BOB"],"person":{"id":"bob"}}"#, "Nobody could answer"),
      ("POST", #"{"prompt":"email","requestedBy":{"id":"bob"},"person":{"id":"bob"}}"#, "Nobody could answer"),
      (
        "POST", #"{"prompt":"ours","for":["bob","eve"]}"#,
        "“for” only names bob, eve, and the prompt's own “for” only ada, dan; name somebody from the prompt's"
      ),
      ("PATCH", #"{"for":["bob"]}"#, "“for” only names bob, and the prompt's own “for” only ada, dan"),
      ("PATCH", #"{"for":["cal","DAN"]}"#, "excludes everybody in “for” (dan)"),
      ("POST", #"{"prompt":"ours","notBy":["group:release","DAN"],"requestedBy":{"id":"Ada"}}"#, "excludes everybody"),
      ("POST", #"{"prompt":"email","for":["a","b","c","d"],"notBy":["d","c","b","a"]}"#, "(a, b, c and 1 more)"),
    ])
  func `is refused if nobody could answer it`(method: String, body: String, detail: String) async throws {
    let answer = try await send(method, body)
    #expect(answer.status == 422)
    #expect(answer.detail.contains(detail), "\(answer.text)")
  }

  /// Makes a question with this body, or changes one.
  private func send(_ method: String, _ body: String) async throws -> LiveServer.Answer {
    let ask = try await live.ask(#"{"prompt":"ours","notBy":["dan"]}"#)
    let path = method == "POST" ? "/asks" : "/asks/\(ask.id)"
    return try await live.send(
      method, path, headers: live.authorized.merging(["Content-Type": "application/json"]) { $1 },
      body: Array(body.utf8))
  }

  @Test(
    arguments: [
      ("POST", #"{"prompt":"email","for":[" "]}"#, "wrong-value", "`for` names nobody; write who it is, like"),
      ("PATCH", #"{"for":["ada","\t"]}"#, "wrong-value", "`for` names nobody; write who it is, like"),
      ("PATCH", #"{"for":["group: "]}"#, "wrong-value", "“group: ” in `for` names nothing; write who it is"),
      ("PATCH", "{}", "missing-key", "There is nothing to change; send {"),
      ("PATCH", #"{"until":"now"}"#, "unknown-key", "The body has no key `until`"),
    ])
  func `is refused if it does not say for whom`(
    method: String, body: String, code: String, detail: String
  ) async throws {
    let answer = try await send(method, body)
    #expect((answer.status, try answer.json().text("code")) == (400, code))
    #expect(answer.detail.hasPrefix(detail), "\(answer.text)")
  }

  @Test(arguments: [
    #""for":["ada","bob"]"#, #""for":["group:release"]"#, #""for":["bob","group:release"],"notBy":["bob"]"#,
    #""notBy":["ada","group:release"]"#, #""requestedBy":{"id":"ada"}"#,
  ]) func `is asked if somebody may be left`(members: String) async throws {
    _ = try await live.ask(#"{"prompt":"ours",\#(members)}"#)
  }

  @Test func `may have many groups`() async throws {
    let ask = try await make(#""for":["group:g16000"]"#)
    let groups = (0..<5_000).map { "g\($0)" }.joined(separator: ",")
    for (more, status) in [(",g16000", 200), ("", 403)] {
      for accept in ["text/html,application/xhtml+xml", "application/json"] {
        let answer = try await live.get(
          ask.path, headers: ["Accept": accept, "Remote-Email": "eve@example.com", "Remote-Groups": groups + more])
        #expect(answer.status == status)
        #expect(answer.headers["content-type"]?.hasPrefix("text/html") == accept.hasPrefix("text/html"))
        #expect(status == 200 || !answer.text.contains(Self.canary))
      }
    }
  }

  // MARK: How people are named

  private static let id = "01h455vb4pex5vsknk084sn02q"

  /// What somebody writes by mistake, and the nearest right form; `nil` if none is near.
  private static let slips: [(text: String, nearest: String?)] = [
    ("Ask:\(id)", "`ask:\(id)`"), (" ask:\(id)", "`ask:\(id)`"), ("asks:\(id)", "`ask:\(id)`"),
    ("ask: \(id)", "`ask:\(id)`"), ("Group:release", "`group:release`"), (" group:release", "`group:release`"),
    ("group: release", "`group:release`"), ("group:release ", "`group:release`"), ("groups:release", "`group:release`"),
    ("group：release", "`group:release`"), ("ada@example.com ", "`ada@example.com`"),
    ("\u{A0}ada@example.com", "`ada@example.com`"), ("ada@example.com\u{200B}", "`ada@example.com`"),
    ("ada@example.com,bob@example.com", "`ada@example.com`, `bob@example.com`"),
    ("ada@example.com; bob@example.com", "`ada@example.com`, `bob@example.com`"),
    ("ada@example.com,group:release", "`ada@example.com`, `group:release`"),
    ("mailto:ada@example.com", "`ada@example.com`"), ("MAILTO:ada@example.com", "`ada@example.com`"),
    ("Ada <ada@example.com>", "`ada@example.com`"), ("*", nil), ("-", nil), ("null", nil), ("(null)", nil),
    ("undefined", nil), ("Anonymous", nil), ("ada\u{1}", nil), (String(repeating: "a", count: 321), nil),
  ]

  private static func json(_ text: String) -> String { String(decoding: JSON.string(text).bytes, as: UTF8.self) }

  @Test(arguments: slips) func `is refused for what names nobody, with the nearest right form`(
    text: String, nearest: String?
  ) async throws {
    let (entry, ask) = (Self.json(text), try await live.ask(#"{"prompt":"ours","notBy":["dan"]}"#))
    let prompt = #"{"title":"T","notBy":[\#(entry)]}"#
    for (method, path, body) in [
      ("POST", "/asks", #"{"prompt":"email","for":[\#(entry)]}"#),
      ("POST", "/asks", #"{"prompt":"email","notBy":["bob",\#(entry)]}"#),
      ("POST", "/asks", #"{"prompt":"email","requestedBy":{"id":\#(entry)}}"#),
      ("POST", "/asks", #"{"prompt":"email","person":{"id":\#(entry)}}"#),
      ("POST", "/asks", #"{"definition":\#(prompt)}"#), ("PATCH", "/asks/\(ask.id)", #"{"for":[\#(entry)]}"#),
    ] {
      let answer = try await live.send(
        method, path, headers: live.authorized.merging(["Content-Type": "application/json"]) { $1 },
        body: Array(body.utf8))
      #expect(answer.status == 400, "\(body) \(answer.text)")
      // A group or an ask is no person, so there is no right form of it.
      let isOfPerson = body.contains(#""id""#), isPerson = nearest?.contains(":") != true
      guard let nearest, !isOfPerson || isPerson else { continue }
      let remedy = nearest.contains(", ") ? "write each by itself: \(nearest)" : "write \(nearest)"
      #expect(answer.text.contains(remedy), "\(answer.text)")
    }
    // A standing prompt keeps the server from starting.
    var offered = Prompt(title: "T")
    offered.notBy = [text]
    #expect(!offered.faults.isEmpty)
    #expect(throws: AskFault.self) { try LiveServer([offered.named("locked")]) { $0.identity = Identity("iap:a") } }
  }

  @Test(arguments: [
    #"CORP\ada"#, "user|123", "a_b#EXT#@c", "CN=Ada,OU=x", "CN=Ada,E=ada@example.com,OU=b@x", "ada", "Lovelace, Ada",
    "group:CN=release,OU=x", "group:" + String(repeating: "g", count: 320), String(repeating: "é", count: 320),
    "urn:uuid:7335d417", "a\u{200B}b",
  ])
  func `names whom a directory names`(text: String) async throws {
    let ask = try await live.ask(#"{"prompt":"email","for":[\#(Self.json(text))]}"#)
    #expect(ask.json.texts("for") == [text])
  }

  @Test(arguments: ["cloudflare:team:aud", "tailscale", "iap:aud"])
  func `names a group only where something says who belongs to one`(identity: String) async throws {
    let live = try LiveServer(Sample.all) {
      $0.apiTokens = [Self.token]
      $0.trustedProxies = [AddressBlock("127.0.0.1")!]
      $0.identity = Identity(identity)
    }
    let hasGroups = identity.hasPrefix("cloudflare")
    for body in [
      #"{"prompt":"email","for":["group:release"]}"#, #"{"prompt":"email","notBy":["ada","group:release"]}"#,
      #"{"definition":{"title":"T","for":["group:release"]}}"#,
      #"{"prompt":"email","for":["group:release"],"person":{"id":"ada"}}"#,
    ] where !hasGroups || !body.contains("person") {
      let answer = try await live.post("/asks", json: body, headers: live.authorized)
      #expect(answer.status == (hasGroups ? 201 : 422), "\(answer.text)")
      #expect(hasGroups || answer.detail.contains("--identity-groups"), "\(answer.text)")
    }
    var prompt = Prompt(title: "T")
    prompt.notBy = ["group:release"]
    let offered = [prompt.named("locked")]
    let change = { (configuration: inout Configuration) in
      configuration.trustedProxies = [AddressBlock("127.0.0.1")!]
      configuration.identity = Identity(identity)
    }
    if hasGroups {
      _ = try LiveServer(offered, configure: change)
    } else {
      #expect(throws: AskFault.self) { try LiveServer(offered, configure: change) }
    }
  }

  // MARK: Who it is for

  @Test(
    arguments: [
      (#""for":["ada@example.com"]"#, "ADA@Example.COM", 200), (#""for":["ADA@EXAMPLE.COM"]"#, "ada@example.com", 200),
      (#""notBy":["ADA@EXAMPLE.COM"]"#, "ada@example.com", 403),
      (#""notBy":["ada@example.com"]"#, "Ada@example.com", 403),
      (#""requestedBy":{"id":"Ada@Example.com"}"#, "ada@example.com", 403),
      (#""requestedBy":{"id":"ada@example.com"}"#, "bob@example.com", 200),
      // Composed and decomposed are the same; letters that look alike, and case beyond ASCII, are not.
      (#""for":["zo\u00eb@example.com"]"#, "zoe\u{308}@example.com", 200),
      (#""for":["zo\u00eb@example.com"]"#, "zo\u{CB}@example.com", 403),
      (#""for":["ada@example.com"]"#, "\u{430}da@example.com", 403),
      (#""for":["ada@example.com"]"#, "ada@example.com\u{200B}", 401),
      (#""for":["ada@example.com"]"#, "\u{202E}ada@example.com", 401),
      (#""for":["ada@example.com"]"#, "ada@example.co", 403),
      (#""for":["ada@example.com"]"#, "ada@example.com, bob@example.com", 401),
      // A name or a mail address is no id, and an id is no group.
      (#""for":["group:ada@example.com"]"#, "ada@example.com", 403),
      (#""for":["release"]"#, "ada@example.com", 403),
      (#""for":["ada@example.com"],"notBy":["group:release"]"#, "ada@example.com", 403),
      (#""for":["group:RELEASE"]"#, "ada@example.com", 403), (#""for":["group:release"]"#, "eve@example.com", 200),
    ])
  func `admits who it names, by their id or group`(members: String, person: String, status: Int) async throws {
    let ask = try await make(members)
    let headers = ["Remote-Email": person, "Remote-Groups": "ops, release", "Accept": "application/json"]
    for path in [ask.path, ask.path + "/rules"] {
      let answer = try await live.get(path, headers: headers)
      #expect(answer.status == status, "\(path) \(answer.text)")
    }
    let answered = try await live.post(ask.path, json: Self.ok, headers: headers)
    #expect(answered.status == status, "\(answered.text)")
    let by = try await live.get("/asks/\(ask.id)", headers: live.authorized).json()["by"]
    // Said as the proxy said it.
    #expect(by?.text("id") == (status == 200 ? person : nil))
  }

  @Test(
    arguments: [
      ("Z\u{FC}rich", 200), ("ops, Z\u{FC}rich ", 200), ("=?utf-8?q?Z=C3=BCrich?=", 200),
      ("ops, =?UTF-8?B?WsO8cmljaA==?=", 200),
      // One word is one group.
      ("=?utf-8?q?ops=2CZ=C3=BCrich?=", 403), ("Zu\u{308}rich", 403), ("\u{200B}, ", 403),
      (String(repeating: "ops,", count: 200) + "Z\u{FC}rich", 200),
      (String(repeating: "a", count: 321) + ",Z\u{FC}rich", 400), ("a\tb,Z\u{FC}rich", 400),
      ("=?utf-8?q?a=0Ab?=,Z\u{FC}rich", 400),
    ])
  func `admits the group that a header names, encoded or not`(groups: String, status: Int) async throws {
    let ask = try await make(#""for":["group:Z\u00fcrich"]"#)
    let answer = try await live.get(
      ask.path, headers: ["Remote-Email": "eve@example.com", "Remote-Groups": groups, "Accept": "application/json"])
    #expect(answer.status == status, "\(answer.text)")
  }

  @Test(arguments: [#"{"outcome":"cancel"}"#, ok])
  func `is closed to a person who may no longer answer while their page is open`(answer: String) async throws {
    let ask = try await make(#""for":["ada@example.com","bob@example.com"]"#)
    for path in ["", "/rules"] { #expect(try await visit(ask.path + path, as: "ada@example.com").status == 200) }
    let changed = try await live.send(
      "PATCH", "/asks/\(ask.id)", headers: live.authorized.merging(["Content-Type": "application/json"]) { $1 },
      body: Array(#"{"for":["bob@example.com"]}"#.utf8))
    #expect(changed.status == 200)
    for (path, body) in [("", nil), ("/rules", nil), ("/validate", "{}"), ("", answer), ("/done", nil)] {
      let refused = try await visit(ask.path + path, as: "ada@example.com", body)
      #expect(refused.status == 403, "\(path)")
      #expect(!refused.text.contains(Self.canary))
    }
    #expect(try await visit(ask.path, as: "bob@example.com", answer).status == 200)
    // Nor is what came of it shown to them.
    #expect(try await visit(ask.path + "/done?outcome=ok", as: "ada@example.com").status == 403)
    #expect(
      try await visit(ask.path + "/done?outcome=\(answer.contains("cancel") ? "cancel" : "ok")", as: "bob@example.com")
        .status == 200)
  }

  @Test func `is refused if the proxy says nonsense, and names nobody if it says nothing`() async throws {
    let ask = try await make(#""for":["ada@example.com"]"#)
    let tooLong = String(repeating: "a", count: 321)
    for (value, status) in [
      (tooLong, 401), ("ada\t@example.com", 401), ("ada@example.com\u{2028}", 401), (" ", 401), ("\u{200B}", 401),
      ("\u{A0}ada@example.com", 401), ("ada@example.com\u{200B}", 401), ("(null)", 401), ("-", 401),
      ("mailto:ada@example.com", 401), ("Ada <ada@example.com>", 401),
      ("=?utf-8?q?_=E2=80=8B?=", 401), ("=?utf-8?q?ada=40example.com?=", 200),
    ] {
      #expect(try await visit(ask.path, as: value).status == status, "\(value)")
    }
    for (header, value, detail) in [
      ("Remote-Groups", tooLong, "The header Remote-Groups is longer than 320 characters; let the proxy send less."),
      (
        "Remote-Groups", "a\tb",
        "The header Remote-Groups contains a control character or a line break; let the proxy send it without."
      ),
    ] {
      let answer = try await live.get(
        ask.path, headers: ["Remote-Email": "ada", "Accept": "application/json"].merging([header: value]) { $1 })
      #expect(answer.detail == detail)
    }
    for length in [9_000, 70_000, 1_048_576] {
      let answer = try? await visit(ask.path, as: String(repeating: "a", count: length))
      #expect(answer.map { $0.status >= 400 && !$0.text.contains(Self.canary) } ?? true)
    }
    #expect(try await visit(ask.path, as: "ada@example.com").status == 200)
  }

  @Test func `is one person's if a program vouches for them`() async throws {
    let ask = try await make(#""for":["ada@example.com"],"person":{"id":"ada@example.com","name":"Ada"}"#)
    for (people, status) in [("bob@example.com", 422), ("ada@example.com", 200)] {
      let changed = try await live.send(
        "PATCH", "/asks/\(ask.id)", headers: live.authorized.merging(["Content-Type": "application/json"]) { $1 },
        body: Array(#"{"for":["\#(people)"]}"#.utf8))
      #expect(changed.status == status, "\(changed.text)")
    }
    #expect(try await visit(ask.path, as: "bob@example.com").status == 403)
    #expect(try await visit(ask.path, as: "bob@example.com", Self.ok).status == 403)
    #expect(try await visit(ask.path, as: nil, Self.ok).status == 200)
    let by = try await live.get("/asks/\(ask.id)", headers: live.authorized).json()["by"]
    #expect(by?.text("via") == "program" && by?.text("id") == "ada@example.com")
  }

  @Test(
    arguments: [
      ("", #""for":["bob@example.com"]"#, nil), ("?for=ada@example.com", nil, "ada@example.com"),
      ("?for=group:release&for=ada%40example.com", #""for":["ada@example.com"]"#, "ada@example.com"),
      ("?for=ada@example.com", #""for":["ada@example.com"]"#, "ada@example.com"),
      ("?for=ada@example.com", #""for":["bob@example.com"]"#, "some of ada@example.com"),
      ("?for=ada@example.com", #""for":["ada@example.com","bob@example.com"]"#, "some of ada@example.com"),
      ("?for=ada@example.com", #""for":[]"#, "names nobody"), ("?for=", nil, "`for`"),
      ("?for=ask:x", nil, "cannot name an ask"),
    ] as [(String, String?, String?)])
  func `of an agent is for those whom its host names, whatever the model says`(
    query: String, people: String?, expected: String?
  ) async throws {
    let question = #"{"title":"Go?"\#(people.map { ",\($0)" } ?? "")}"#
    let answer = try await live.call("ask_person", question, at: "/mcp" + query, headers: live.authorized)
    let result = try #require(answer.json()["result"])
    guard let link = result["structuredContent"]?.text("link") else {
      #expect(expected.map(answer.text.contains) == true, "\(answer.text)")
      return
    }
    let path = "/a/" + link.split(separator: "/").last!
    let statuses = try await (
      visit(path, as: "ada@example.com").status, visit(path, as: "bob@example.com").status, visit(path, as: nil).status
    )
    #expect(statuses == (expected == nil ? (403, 200, 401) : (200, 403, 401)))
  }
}
