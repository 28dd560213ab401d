import CryptoExtras
import Foundation
import Glibc
import TestSupport
import Testing

@testable import MicroHTTP
@testable import OKCancel
@testable import Platform
@testable import Prompts

@Suite(.timeLimit(.minutes(1))) struct `The keys of tokens` {
  private let time = SetClock()
  private let log = LogLines()

  private func checker(_ keys: String) throws -> TokenChecker {
    TokenChecker(try SignedIdentity(keys: keys), clock: time.clock, logger: log.logger)
  }

  /// Signed with the first key, and with the one after it.
  private let old: String
  private let new: String

  init() throws {
    old = try TestToken.signed(by: .p256)
    new = try TestToken.signed(by: .ed25519, "2")
  }

  fileprivate static let both = JSON.set(IssuerKey.p256.jwk("1"), IssuerKey.ed25519.jwk("2"))

  @Test func `are read at the start, and once for all who come meanwhile`() async throws {
    let server = try KeyServer(.set(IssuerKey.p256.jwk("1")))
    let checker = try checker(server.url)
    checker.start()
    await withDiscardingTaskGroup { group in
      for _ in 0..<50 { group.addTask { [old] in #expect(await checker.verdict(on: old) == .ada) } }
    }
    #expect(server.count == 1)
    #expect(log.all == [])
  }

  @Test func `are read again for an unknown key, once a minute at most`() async throws {
    let server = try KeyServer(.set(IssuerKey.p256.jwk("1")))
    let checker = try checker(server.url)
    #expect(await checker.verdict(on: old) == .ada)
    server.serve(.json(JSON.set(IssuerKey.ed25519.jwk("2")).bytes))
    for id in 0..<50 {
      #expect(try await checker.verdict(on: TestToken.signed(by: .rsa, "\(id)-unknown")) == .wrong(.unknownKey))
    }
    time.advance(by: .milliseconds(59_999))
    #expect(await checker.verdict(on: new) == .wrong(.unknownKey))
    #expect(server.count == 1)
    time.advance(by: .milliseconds(1))
    #expect(await checker.verdict(on: new) == .ada)
    #expect(server.count == 2)
    // It is not published any more.
    #expect(await checker.verdict(on: old) == .wrong(.unknownKey))
    // A clock that is set back is no reason to wait for it.
    time.advance(by: .seconds(-1))
    server.serve(.json(Self.both.bytes))
    #expect(await checker.verdict(on: old) == .ada)
    #expect(server.count == 3)
  }

  @Test func `are read again if the only key has no name, and signed nothing of this`() async throws {
    let server = try KeyServer(.set(IssuerKey.p256.jwk()))
    let checker = try checker(server.url)
    #expect(try await checker.verdict(on: TestToken.signed(by: .p256, nil)) == .ada)
    server.serve(.json(JSON.set(IssuerKey.otherP256.jwk()).bytes))
    let token = try TestToken.signed(by: .otherP256, nil)
    #expect(await checker.verdict(on: token) == .wrong(.unknownKey))
    time.advance(by: .seconds(60))
    #expect(await checker.verdict(on: token) == .ada)
  }

  /// What a server sends in place of its keys, in few words, since the test prints it.
  struct Reply: Sendable {
    var status = Status.ok
    /// `nil` for keys.
    var body: String?
    /// Bytes of white space after the body, and of another header.
    var padding = 0
    var header = 0
    var location: String?

    var response: Response {
      let headers = ["Location": location, "X-Long": header > 0 ? String(repeating: "x", count: header) : nil]
      let bytes = (body.map { Array($0.utf8) } ?? both.bytes) + [UInt8](repeating: 0x20, count: padding)
      return Response(
        status, headers: headers.compactMap { name, value in value.map { (name, $0) } }, body: .bytes(bytes))
    }
  }

  @Test(arguments: [
    (Reply(body: ""), "this is not valid JSON: there is no JSON here; send a value (byte 0)"),
    (Reply(body: "<html>"), "this is not valid JSON: "),
    (Reply(body: #"{"keys":[],"keys":[]}"#), #"this is not valid JSON: the key "keys" appears twice"#),
    (Reply(body: String(repeating: "[", count: 10_000)), "this is not valid JSON: nested too deeply"),
    (Reply(body: "{}"), "this is not a JWK Set; it needs a list “keys”"),
    (Reply(body: #"{"keys":{"1":{}}}"#), "this is not a JWK Set"),
    (Reply(body: #"{"keys":[]}"#), "none of its keys can be used"),
    (Reply(body: #"{"keys":[null,7,"x",{},{"kty":"oct","k":"c2VjcmV0","kid":"2"}]}"#), "none of its keys can be used"),
    (Reply(padding: 10 << 20), "there are more than 256 KiB, which no JWK Set needs"),
    (Reply(padding: 256 << 10), "there are more than 256 KiB"),
    (Reply(header: 400_000), ""),
    (Reply(status: .notFound), "it responded with 404"),
    (Reply(status: .serviceUnavailable), "it responded with 503"),
    (Reply(status: .seeOther, location: "/elsewhere"), "it redirects to another address; give that one"),
  ])
  func `stay as they are if others cannot be read`(reply: Reply, why: String) async throws {
    let server = try KeyServer(.set(IssuerKey.p256.jwk("1")))
    let checker = try checker(server.url)
    #expect(await checker.verdict(on: old) == .ada)
    server.serve(reply.response)
    time.advance(by: .seconds(60))
    #expect(await checker.verdict(on: new) == .wrong(.unknownKey))
    #expect(await checker.verdict(on: old) == .ada)
    #expect(server.count == 2)
    let line = try #require(log.all.first)
    let origin = server.url.dropLast("/keys".count)
    #expect(line.hasPrefix("the keys of tokens at \(origin) cannot be read: \(why)") && log.all.count == 1, "\(line)")
    server.serve(.json(Self.both.bytes))
    time.advance(by: .seconds(60))
    #expect(await checker.verdict(on: new) == .ada)
  }

  @Test func `let nobody in while they cannot be read, for 5 seconds at most`() async throws {
    let server = try KeyServer(nil)
    let checker = try checker(server.url)
    checker.start()
    let start = ContinuousClock.now
    async let first = checker.verdict(on: old)
    async let second = checker.verdict(on: new)
    #expect(await [first, second] == [.noKeysYet, .noKeysYet])
    #expect((Duration.seconds(4)...Duration.seconds(40)).contains(.now - start))
    #expect(log.all.count == 1)
    // No second wait.
    let again = ContinuousClock.now
    #expect(await checker.verdict(on: old) == .noKeysYet)
    #expect(.now - again < .seconds(4))
  }

  @Test func `are read again every 5 seconds while there are none`() async throws {
    let server = try KeyServer([:])
    let checker = try checker(server.url)
    #expect(await checker.verdict(on: old) == .noKeysYet)
    server.serve(.json(Self.both.bytes))
    time.advance(by: .milliseconds(4_999))
    #expect(await checker.verdict(on: old) == .noKeysYet)
    #expect(server.count == 1)
    time.advance(by: .milliseconds(1))
    #expect(await checker.verdict(on: old) == .ada)
    #expect(server.count == 2)
    #expect(log.all.count == 1 && log.all[0].hasSuffix("; nobody gets in with a token until they can"))
  }

  @Test func `are not waited for when the server stops`() async throws {
    let server = try KeyServer(nil)
    let checker = try checker(server.url)
    checker.start()
    async let verdict = checker.verdict(on: old)
    checker.stop()
    #expect(await verdict == .noKeysYet)
    #expect(await checker.verdict(on: old) == .noKeysYet)
    #expect(log.all == [])
  }

  @Test func `can be in a file`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("keys.json")
    let checker = try checker(path)
    checker.start()
    #expect(await checker.verdict(on: old) == .noKeysYet)
    #expect(log.all.count == 1 && log.all[0].hasPrefix("the keys of tokens at \(path) cannot be read: No such file"))
    try directory.write(Data(JSON.set(IssuerKey.p256.jwk("1")).bytes), to: "keys.json")
    time.advance(by: .seconds(5))
    #expect(await checker.verdict(on: old) == .ada)
    try directory.write(Data(Self.both.bytes), to: "keys.json")
    #expect(await checker.verdict(on: new) == .wrong(.unknownKey))
    time.advance(by: .seconds(60))
    #expect(await checker.verdict(on: new) == .ada)
    // Another file that is none.
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    time.advance(by: .seconds(60))
    #expect(try await checker.verdict(on: TestToken.signed(by: .p256, "3")) == .wrong(.unknownKey))
    #expect(log.all.count == 2 && log.all[1].contains("this is not an ordinary file"))
    #expect(await checker.verdict(on: old) == .ada)
  }

  @Test func `are of three kinds, long enough and for signatures`() throws {
    guard case .rsa(let key) = IssuerKey.rsa else { return }
    let (n, e) = try (key.publicKey.getKeyPrimitives().modulus, key.publicKey.getKeyPrimitives().publicExponent)
    let short = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024)).publicKey.getKeyPrimitives().modulus
    func rsa(_ n: Data, _ e: Data) -> JSON { ["kty": "RSA", "n": .base64URL(n), "e": .base64URL(e)] }
    let (p256, ed25519) = (IssuerKey.p256.jwk("1"), IssuerKey.ed25519.jwk("1"))
    let unusable: [JSON] = [
      rsa(short, e), rsa(Data(repeating: 0, count: 200) + short, e), rsa(n, Data([1])), rsa(n, Data([2])),
      rsa(n, Data()),
      rsa(n, Data([0])), rsa(n, Data(repeating: 0xFF, count: 9)), rsa(Data(), e),
      rsa(Data(repeating: 0xFF, count: 1025), e),
      rsa(n, e).with(["n": 7]), rsa(n, e).with(["e": .null]), rsa(n, e).with(["n": "AQAB="]),
      rsa(n, e).with(["kty": "oct"]),
      rsa(n, e).with(["alg": "RS512"]), rsa(n, e).with(["alg": "PS256"]), rsa(n, e).with(["alg": "HS256"]),
      rsa(n, e).with(["use": "enc"]), rsa(n, e).with(["use": 7]), rsa(n, e).with(["key_ops": ["sign"]]),
      rsa(n, e).with(["key_ops": "verify"]), rsa(n, e).with(["kty": .null]),
      p256.with(["crv": "P-384"]), p256.with(["crv": "secp256k1"]), p256.with(["crv": .null]),
      p256.with(["y": p256["x"] ?? .null]),
      p256.with(["x": .base64URL([UInt8](repeating: 0, count: 32)), "y": .base64URL([UInt8](repeating: 0, count: 32))]),
      p256.with(["x": .base64URL([UInt8](repeating: 1, count: 31))]), p256.with(["y": .null]),
      p256.with(["kty": "OKP"]),
      p256.with(["alg": "EdDSA"]), p256.with(["alg": .null, "use": "enc"]), p256.with(["alg": 256]),
      ed25519.with(["crv": "X25519"]), ed25519.with(["crv": "Ed448"]), ed25519.with(["x": "AQAB"]),
      ed25519.with(["x": .null]),
      ed25519.with(["alg": "ES256"]), ["kty": "oct", "k": "c2VjcmV0"], [:], 7, "x", [],
    ]
    for jwk in unusable {
      #expect(throws: PlainError.self, "\(String(decoding: jwk.bytes, as: UTF8.self))") {
        try KeySet(parsing: JSON.set(jwk).bytes)
      }
      _ = try KeySet(parsing: JSON.set(jwk, p256).bytes)
    }
    let usable: [JSON] = [
      rsa(n, e), rsa(n, e).with(["alg": "RS256", "use": "sig", "key_ops": ["verify"], "x5c": ["?"], "kid": 7]),
      p256.with(["alg": "ES256"]), ed25519.with(["alg": "EdDSA"]), ed25519.with(["alg": "Ed25519", "use": "sig"]),
    ]
    for jwk in usable { _ = try KeySet(parsing: JSON.set(jwk).bytes) }
  }

  @Test(
    arguments: [
      ("https://team.example/certs", nil), ("HTTPS://team.example:8443/a?b=c", nil), ("http://127.0.0.1:9/k", nil),
      ("http://[::1]/k", nil), ("http://localhost:80/k", nil), ("keys.json", nil), ("/etc/keys", nil),
      ("http://team.example/certs", "anybody between here and there could replace the keys; use https://"),
      ("http://127.0.0.1.example/", "anybody between here and there could replace the keys; use https://"),
      ("http://localhost.example/", "anybody between here and there could replace the keys; use https://"),
      ("http://10.0.0.1/", "anybody between here and there could replace the keys; use https://"),
      ("http://[::2]/", "anybody between here and there could replace the keys; use https://"),
      ("", "give the path of a file, or a URL with https://"),
      ("file:///etc/passwd", "it does not begin with https:// or http://; give a whole URL"),
      ("ftp://team.example/", "it does not begin with https:// or http://; give a whole URL"),
      (
        "https://u@team.example/",
        "it has a user name or an “@” before its path; leave that out, the signature says who sends"
      ),
      ("https:///certs", "its host is neither a name nor an address; write it like hooks.example.com or [2001:db8::1]"),
      ("https://team.example/a#b", "it has a “#”, and what follows is never sent; leave it out"),
    ] as [(String, String?)])
  func `come from a file, or from a URL that nobody on the way can change`(text: String, fault: String?) {
    do throws(PlainError) {
      _ = try KeyLocation(text)
      #expect(fault == nil)
    } catch { #expect(error.description == fault) }
  }
}
