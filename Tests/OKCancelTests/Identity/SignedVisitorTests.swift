import Foundation
import TestSupport
import Testing

@testable import MicroHTTP
@testable import OKCancel
@testable import Prompts

/// What a visitor with a signed token gets, from outside.
@Suite(.timeLimit(.minutes(1))) struct `A visitor with a signed token` {
  private func live(keys: String) throws -> LiveServer {
    let identity = try SignedIdentity(keys: keys)
    return try LiveServer(Sample.all) {
      $0.identity = .signed(identity)
      $0.signIn = "https://auth.example.com/?rd={url}"
    }
  }

  @Test func `is led to the sign-in page once the token has expired`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Data(JSON.set(IssuerKey.p256.jwk("1")).bytes), to: "keys.json")
    let live = try live(keys: directory.file("keys.json"))
    let token = try TestToken.signed(by: .p256, "1", ["exp": 1, "iat": 1])
    let headers = [TestToken.header: token, "Accept-Language": "de"]
    let link = "https://auth.example.com/?rd=http%3A%2F%2F127.0.0.1%3A\(live.server.port ?? 0)%2Fprompts%2Femail"
    for path in ["/prompts/email", "/prompts/email/rules"] {
      let answer = try await live.get(path, headers: headers.merging(["Accept": "application/json"]) { $1 })
      #expect(answer.status == 401 && answer.detail.contains("it has expired"))
      #expect(try answer.json().text("code") == "sign-in-needed")
      #expect(try answer.json().text("signIn") == link)
    }
    let page = try await live.get("/prompts/email", headers: headers.merging(["Accept": "text/html"]) { $1 })
    #expect(page.status == 401 && page.text.contains("href=\"\(link)\"") && page.text.contains("Melden Sie sich an"))
  }

  @Test func `is to try again while no keys could be read`() async throws {
    let live = try live(keys: KeyServer([:]).url)
    let answer = try await live.get(
      "/prompts/email", headers: [TestToken.header: TestToken.signed(by: .p256), "Accept": "application/json"])
    #expect(answer.status == 401 && answer.headers["retry-after"] == "5")
    #expect(try answer.json().text("code") == "wrong-identity")
  }

  @Test(arguments: [
    ("none.json", "No such file or directory; check its path and rights"), (".", "this is not an ordinary file"),
    ("empty.json", "this is not valid JSON"), ("other.json", "none of its keys can be used"),
  ])
  func `cannot come to a server that cannot read its file of keys`(name: String, why: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write(Data(), to: "empty.json")
    try directory.write(Data(#"{"keys":[]}"#.utf8), to: "other.json")
    var configuration = Configuration()
    configuration.identity = .signed(try SignedIdentity(keys: directory.file(name)))
    do throws(AskFault) {
      _ = try OKCancelServer(configuration: configuration)
      Issue.record("the server can start")
    } catch {
      #expect("\(error)".contains("(--identity-jwks) in \(directory.file(name)) cannot be read: \(why)"))
    }
  }
}
