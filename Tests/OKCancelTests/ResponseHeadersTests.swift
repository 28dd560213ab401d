import Foundation
import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Every response` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) { $0.apiTokens = ["one"] } }

  private func expectHeaders(
    _ answer: LiveServer.Answer, _ what: String, caching: Set<String> = ["no-store", "no-cache"],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let policy = answer.headers["content-security-policy"] ?? ""
    for (isRight, header) in [
      (policy.contains("default-src 'none'"), "default-src"), (policy.contains("frame-ancestors"), "frame-ancestors"),
      (!policy.contains("unsafe"), "unsafe"), (answer.headers["x-content-type-options"] == "nosniff", "nosniff"),
      (answer.headers["referrer-policy"] == "no-referrer", "referrer-policy"),
      (caching.contains(answer.headers["cache-control"] ?? "none"), "cache-control"),
      ((answer.headers["x-request-id"] != nil) == (answer.status >= 400), "x-request-id"),
    ] {
      #expect(isRight, "\(what) \(answer.status): \(header)", sourceLocation: sourceLocation)
    }
  }

  /// Promise 2.21
  /// ASVS 3.2.1 | no wrong context | correct types and `nosniff` on every response, a policy on all but scripts and
  /// style sheets
  /// ASVS 3.4.3 to 3.4.6 | CSP, nosniff, referrer, framing | on every response; scripts and style sheets have only
  /// nosniff
  @Test func `of every route, by every method, has the security headers and says who may keep it`() async throws {
    let ask = try await live.ask()
    for route in live.server.routes.requests.names
    where !route.pattern.hasSuffix("/events") && route.pattern.hasPrefix("/") {
      let target = route.pattern.replacing("{name}", with: "email").replacing("{id}", with: ask.id)
        .replacing("{token}", with: ask.path.dropFirst(3)).replacing(#/\{[a-z]+\}/#, with: "none")
      for method in Set([route.method, "GET", "HEAD", "POST", "PUT", "OPTIONS"]) where method != "DELETE" {
        for accept in ["text/html", "application/json"] {
          for headers in [[:], live.authorized] {
            let all = headers.merging(["Accept": accept, "Content-Type": "application/json"]) { $1 }
            let answer = try await live.send(
              method, target, headers: all, body: method == "POST" ? Array("{".utf8) : nil)
            expectHeaders(
              answer, "\(method) \(target)", caching: target.hasPrefix("/a/") ? ["no-store"] : ["no-store", "no-cache"])
            #expect(answer.status != 500)
          }
        }
      }
    }
  }

  /// Promise 2.21
  @Test func `to a refused request has them too`() async throws {
    for path in ["/nowhere", "/%FF", "/a%2Fb", "/prompts/none", "/?a=%FF", "/" + String(repeating: "x", count: 8200)] {
      let answer = try await live.get(path)
      #expect(answer.status >= 400)
      // Where the head could not be read nobody knows an id.
      if answer.status == 404 { expectHeaders(answer, path) }
      #expect(answer.headers["content-security-policy"] != nil, "\(path)")
      #expect(answer.headers["cache-control"] == "no-store", "\(path)")
    }
    expectHeaders(try await live.post("/validate/email", form: "x=%zz"), "form")
    expectHeaders(
      try await live.send("POST", "/validate/email", headers: ["Content-Type": "text/plain"], body: []), "415")
    expectHeaders(try await live.post("/validate/email", form: "a=b", headers: ["Sec-Fetch-Site": "cross-site"]), "403")
    let large = String(repeating: "x", count: 66_000)
    expectHeaders(try await live.post("/validate/email", form: large), "413")
  }

  /// Promise 2.21 | Every response has `nosniff`; all but scripts and style sheets have a Content Security Policy
  /// without `unsafe-` and `no-referrer`, and the pages obey them.
  @Test(arguments: ["/rules.js", "/okcancel.css"])
  func `from a script or a style sheet has only those that browsers obey there`(path: String) async throws {
    let full = try await live.get(path)
    let again = try await live.get(path, headers: ["If-None-Match": try #require(full.headers["etag"])])
    #expect(full.status == 200 && again.status == 304)
    let ofDocuments = [
      "content-security-policy", "referrer-policy", "cross-origin-opener-policy", "cross-origin-embedder-policy",
    ]
    for answer in [full, again] {
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      #expect(answer.headers["cross-origin-resource-policy"] == "cross-origin")
      #expect(answer.headers["access-control-allow-origin"] == "*")
      #expect(answer.headers["cache-control"] == "no-cache")
      #expect(!answer.headers.keys.contains { ofDocuments.contains($0) })
    }
  }

  @Test(arguments: ["/openapi.json", "/okcancel.d.ts", "/prompts/email"])
  func `from a file, and to who has it already, has them too`(path: String) async throws {
    let full = try await live.get(path)
    expectHeaders(full, path, caching: ["no-cache"])
    let again = try await live.get(path, headers: ["If-None-Match": try #require(full.headers["etag"])])
    #expect(again.status == 304)
    expectHeaders(again, path, caching: ["no-cache"])
  }
}
