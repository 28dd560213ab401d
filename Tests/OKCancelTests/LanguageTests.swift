import Foundation
import TestSupport
import Testing

@testable import OKCancel
@testable import Prompts

@Suite struct `A prompt in several languages` {
  private static let trip = Prompt(
    title: "Trip", language: "en",
    translations: [
      "de": Translation(title: "Reise", fields: ["name": .init(label: "Name", messages: ["Wie heißen Sie?"])]),
      "ar": Translation(title: "رحلة"),
    ],
    fields: [Field("name", label: "Your name", rules: [Rule.nonEmpty.saying("What is your name?"), .length(max: 5)])])

  private static let plain = Prompt(title: "Plain", fields: [Field("a", rules: [.nonEmpty])])

  private func server(configure: (inout Configuration) -> Void = { _ in }) throws -> LiveServer {
    try LiveServer(
      [
        Self.trip.named("trip"), Self.plain.named("plain"),
        Prompt(title: "Frage", language: "de", fields: [Field("a", rules: [.nonEmpty])]).named("frage"),
      ], configure: configure)
  }

  @Test(arguments: [
    ("/prompts/trip", "", "en", "Trip"), ("/prompts/trip", "de", "de", "Reise"),
    ("/prompts/trip", "fr, de-CH;q=0.5, en;q=0.1", "de", "Reise"), ("/prompts/trip", "de;q=0, en", "en", "Trip"),
    ("/prompts/trip", "fr, *", "en", "Trip"), ("/prompts/trip?lang=de", "ar", "de", "Reise"),
    ("/prompts/trip?lang=fr", "ar", "ar", "رحلة"), ("/prompts/trip?lang=%00", "", "en", "Trip"),
    ("/prompts/trip?lang=DE-at", "", "de", "Reise"), ("/prompts/frage", "en", "de", "Frage"),
    ("/prompts/plain?lang=de", "de", "en", "Plain"),
  ])
  func `is shown in the one that the person wants`(path: String, accepted: String, language: String, title: String)
    async throws
  {
    let server = try server()
    let headers = accepted.isEmpty ? [:] : ["Accept-Language": accepted]
    let page = try await server.get(path, accept: "text/html", headers: headers)
    #expect(page.text.contains(#"<html lang="\#(language)" dir="\#(language == "ar" ? "rtl" : "ltr")">"#))
    #expect(page.text.contains(">\(title)</h1>"))
    #expect(page.headers["content-language"] == language)
    #expect(page.headers["vary"]?.contains("Accept-Language") == path.contains("trip"))
    let rules = try await server.get(path.replacing("/prompts/trip", with: "/prompts/trip/rules"), headers: headers)
    if path.contains("trip") { #expect(try rules.json().text("language") == language) }
  }

  @Test func `links its pages, and tells their versions apart`() async throws {
    let server = try server()
    let english = try await server.get("/prompts/trip", accept: "text/html", headers: ["Accept-Language": "en"])
    let german = try await server.get("/prompts/trip", accept: "text/html", headers: ["Accept-Language": "de"])
    #expect(english.text.contains(##"<a href="?lang=de" hreflang="de" lang="de" dir="ltr">Deutsch</a>"##))
    #expect(english.text.contains(##"hreflang="ar" lang="ar" dir="rtl">العربية</a>"##))
    #expect(!english.text.contains(##"href="?lang=en""##))
    #expect(english.headers["etag"] != german.headers["etag"])
    let again = try await server.get(
      "/prompts/trip", accept: "text/html",
      headers: ["Accept-Language": "de", "If-None-Match": german.headers["etag"] ?? ""])
    #expect(again.status == 304)
    #expect(try await !server.get("/prompts/plain", accept: "text/html").text.contains("languages"))
  }

  @Test func `keeps its language to the end`() async throws {
    let server = try server()
    let page = try await server.get("/prompts/trip?lang=de", accept: "text/html")
    #expect(page.text.contains(#"action="/prompts/trip?lang=de""#))
    #expect(page.text.contains(#"data-validate="/validate/trip?lang=de""#))
    let refused = try await server.post("/prompts/trip?lang=de", form: "name=", accept: "text/html")
    #expect(refused.status == 422)
    #expect(refused.text.contains("<title>Fehler: Reise</title>"))
    #expect(refused.text.contains("<bdi>Name</bdi>: <bdi>Wie heißen Sie?</bdi>"))
    let done = try await server.post("/prompts/trip?lang=de", form: "name=Ada", accept: "text/html")
    #expect(done.status == 303)
    #expect(done.headers["location"] == "/prompts/trip/done?outcome=ok&lang=de")
    let last = try await server.get("/prompts/trip/done?outcome=ok&lang=de", accept: "text/html")
    #expect(last.text.contains("Vielen Dank"))
    #expect(last.text.contains(#"<html lang="de""#))
    let unread = try await server.post("/prompts/trip?lang=de", form: "nome=Ada", accept: "text/html")
    #expect(unread.status == 400)
    #expect(unread.text.contains("Ihre Antwort wurde nicht angenommen"))
  }

  @Test func `is judged in the language asked for`() async throws {
    let server = try server()
    let german = try await server.post("/validate/trip?lang=de", json: #"{"name":"too long"}"#)
    #expect(try german.json().text("message") == "Geben Sie höchstens 5 Zeichen ein")
    let arabic = try await server.post("/validate/trip", json: "{}", headers: ["Accept-Language": "ar-EG"])
    #expect(try arabic.json().text("message") == "What is your name?")
    #expect(arabic.headers["content-language"] == "ar")
    let english = try await server.post("/validate/plain", json: "{}", headers: ["Accept-Language": "de"])
    #expect(try english.json().text("message") == "Enter a value")
    #expect(english.headers["content-language"] == nil)
    let rules = try await server.post(
      "/validate", json: #"{"rules":["email"],"value":"x"}"#, headers: ["Accept-Language": "fr"])
    #expect(try rules.json().text("message") == "Saisissez une adresse e-mail, par exemple name@example.com")
    let submitted = try await server.post("/prompts/trip?lang=de", json: #"{"outcome":"ok","values":{"name":""}}"#)
    #expect(submitted.status == 422)
    #expect(submitted.text.contains("Wie heißen Sie?"))
  }

  @Test func `may be asked for by an ask, which keeps what was written`() async throws {
    let server = try server { $0.apiTokens = ["token"] }
    let path = try await server.ask(#"{"prompt":"trip","language":"de-AT"}"#).path
    let headers = ["Accept-Language": "ar"]
    let page = try await server.get(path, accept: "text/html", headers: headers)
    #expect(page.text.contains(#"<html lang="de""#))
    #expect(page.text.contains(#"action="\#(path)?lang=de""#))
    #expect(
      try await server.get(path + "?lang=en", accept: "text/html", headers: headers).text.contains(#"<html lang="en""#))
    #expect(try await server.get(path + "/rules").json().text("language") == "de")
    let verdict = try await server.post(path + "/validate", json: #"{"name":""}"#)
    #expect(try verdict.json().text("message") == "Wie heißen Sie?")
    let done = try await server.post(path + "?lang=de", form: "name=Ada", accept: "text/html")
    #expect(done.headers["location"] == path + "/done?outcome=ok&lang=de")
    let ended = try await server.get(path, accept: "text/html", headers: headers)
    #expect(ended.status == 410)
    #expect(ended.text.contains("Bereits beantwortet"))
  }

  @Test(arguments: [
    (#"{"prompt":"trip","language":"deutsch!"}"#, "`language` cannot be `deutsch!`; write a language tag"),
    (#"{"definition":{"title":"T","language":"x"}}"#, "`errors` says where"),
    (#"{"definition":{"title":"T","translations":{"en":{"title":"E"}}}}"#, "own language"),
    (#"{"definition":{"title":"T","translations":{"de":{"kind":1}}}}"#, "`errors` says where"),
    (#"{"definition":{"title":"T","askedIn":"de"}}"#, "`errors` says where"),
  ])
  func `is refused with a language that is none`(body: String, detail: String) async throws {
    let server = try server { $0.apiTokens = ["token"] }
    let refused = try await server.post("/asks", json: body, headers: server.authorized)
    #expect(refused.status == 400)
    #expect(refused.detail.contains(detail), "\(refused.text)")
  }

  @Test func `tells commands of the language`() async throws {
    let directory = try TemporaryDirectory()
    let program = try directory.program(#"echo "$OKCANCEL_LANGUAGE"; exit 1"#)
    let prompt = Prompt(
      title: "T", language: "en", translations: ["de": Translation(title: "D")],
      fields: [Field("a", rules: [.predicate("say")])])
    let server = try LiveServer([prompt.named("said")], commands: ["say": CommandPredicate(program: program)])
    for language in ["de", "en"] {
      let verdict = try await server.post("/validate/said?lang=\(language)", json: #"{"a":"x"}"#)
      #expect(try verdict.json().text("message") == language)
    }
  }

  @Test func `takes the server's language if it names none`() async throws {
    let server = try server { $0.language = "de" }
    let page = try await server.get("/prompts/plain", accept: "text/html")
    #expect(page.text.contains(#"<html lang="de""#))
    #expect(page.text.contains(">Abbrechen<"))
    #expect(
      try await server.get("/nothing", accept: "text/html", headers: ["Accept-Language": "*"]).text.contains(
        "Nicht gefunden"))
    let french = try await server.get("/nothing", accept: "text/html", headers: ["Accept-Language": "fr"])
    #expect(french.text.contains("Introuvable"))
    #expect(!french.text.contains(">There is no"))
    #expect(throws: AskFault.self) { try LiveServer([], configure: { $0.language = "german!" }) }
    #expect(throws: AskFault.self) {
      try LiveServer(
        [Prompt(title: "T", translations: ["de": Translation(title: "D")]).named("t")],
        configure: { $0.language = "de" })
    }
  }
}
