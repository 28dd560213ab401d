import Crypto
import CryptoExtras
import Foundation
import TestSupport
import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(1))) struct `A signed token` {
  /// Checks tokens with the keys in a file.
  private final class Checking: Sendable {
    let checker: TokenChecker
    private let directory: TemporaryDirectory

    init(_ keys: JSON = .set(IssuerKey.p256.jwk("1")), _ change: (inout SignedIdentity) -> Void = { _ in }) throws {
      directory = try TemporaryDirectory()
      try directory.write(Data(keys.bytes), to: "keys.json")
      var identity = try SignedIdentity(keys: directory.file("keys.json"))
      change(&identity)
      checker = TokenChecker(identity, clock: SetClock().clock, logger: LogLines().logger)
    }

    func verdict(on token: String) async -> TokenChecker.Verdict { await checker.verdict(on: token) }
  }

  private static func signed(_ claims: JSON, header: JSON = [:]) throws -> String {
    try TestToken.signed(by: .p256, "1", claims, header: header)
  }

  // MARK: Who it is

  @Test(arguments: [
    (IssuerKey.rsa, "RS256"), (.p256, "ES256"), (.ed25519, "EdDSA"), (.ed25519, "Ed25519"),
  ])
  func `names a person, whatever kind of key signed it`(key: IssuerKey, algorithm: String) async throws {
    let checking = try Checking(.set(IssuerKey.otherP256.jwk("other"), key.jwk("1")))
    let token = try TestToken.signed(by: key, header: ["alg": .string(algorithm), "typ": "JWT"])
    #expect(await checking.verdict(on: token) == .ada)
    // Now without a wait, since the keys are there.
    guard case .right(.person(let person)) = try checking.checker.finding(in: token) else {
      Issue.record("the key is not known")
      return
    }
    #expect(person == Person(id: "ada@example.com"))
  }

  @Test(arguments: [
    ("{}", Person(id: "ada@example.com")),
    (#"{"name":"Ada L.","groups":["a","b"]}"#, Person(id: "ada@example.com", name: "Ada L.", groups: ["a", "b"])),
    (#"{"name":7,"groups":"release"}"#, Person(id: "ada@example.com", name: nil, groups: ["release"])),
    (#"{"name":"two\nlines"}"#, Person(id: "ada@example.com")),
    (#"{"groups":["",7,null,["x"],"a\u0000","b"]}"#, Person(id: "ada@example.com", name: nil, groups: ["b"])),
    (#"{"groups":{"release":true}}"#, Person(id: "ada@example.com")),
    // Shown as they are, by whoever shows them.
    (#"{"email":"a\u202Eda\u200b@example.com"}"#, Person(id: "a\u{202E}da\u{200B}@example.com")),
    (#"{"email":"\#(String(repeating: "é", count: 320))"}"#, Person(id: String(repeating: "é", count: 320))),
    (#"{"email":null}"#, nil), (#"{"email":""}"#, nil),
  ])
  func `says what they are called and where they belong, or names nobody`(claims: String, person: Person?) async throws
  {
    let claims = try JSON(parsing: Array(claims.utf8))
    #expect(try await Checking().verdict(on: Self.signed(claims)) == .person(person))
  }

  @Test func `names nobody if the claim is null`() async throws {
    let claims = #"{"iss":"https://team.example","aud":"our-aud","exp":1800000300,"email":null}"#
    #expect(try await Checking().verdict(on: TestToken.signed(payload: claims)) == .person(nil))
  }

  @Test func `is read by the claims that are configured`() async throws {
    let checking = try Checking {
      $0.claim = "sub"
      $0.groupsClaim = "https://example.com/roles"
    }
    let token = try Self.signed(["sub": "42", "https://example.com/roles": ["a"], "groups": ["b"]])
    #expect(await checking.verdict(on: token) == .person(Person(id: "42", name: nil, groups: ["a"])))
  }

  @Test(
    arguments: [
      (#"{"custom":{"groups":["a"]}}"#, ["a"]), (#"{"custom.groups":["b"],"custom":{"groups":["a"]}}"#, ["b"]),
      (#"{"custom.groups":"b"}"#, ["b"]), (#"{"custom":["groups"]}"#, []), (#"{"groups":["a"]}"#, []),
    ])
  func `is read by a claim's name, or else by its path`(claims: String, groups: [String]) async throws {
    let checking = try Checking {
      $0.claim = "user.id"
      $0.groupsClaim = "custom.groups"
    }
    let token = try Self.signed(JSON(parsing: Array(claims.utf8)) + ["user": ["id": "42"]])
    #expect(await checking.verdict(on: token) == .person(Person(id: "42", name: nil, groups: groups)))
  }

  @Test(
    arguments: [
      7, true, [], ["ada@example.com", "bob@example.com"], [7], ["ada": 1], .illFormedString, " \u{3000}",
      "ada\n@example.com", "ada\u{85}",
      "a\u{2028}b",
      "\u{200B}", "\u{2800} \u{E0041}",
      .string(String(repeating: "a", count: 321)),
    ] as [JSON])
  func `names nobody if its claim is no id`(value: JSON) async throws {
    var token = try Self.signed(["email": value])
    if case .illFormedString = value {
      token = try TestToken.signed(
        payload: #"{"iss":"https://team.example","aud":"our-aud","exp":1800000300,"email":"\ud800"}"#)
    }
    #expect(try await Checking().verdict(on: token) == .person(nil))
  }

  @Test(
    arguments: [
      // As `notBy` would have them, they are somebody else than the one whom they mean.
      (#"{"email":"ada@example.com "}"#, nil), (#"{"email":"\u00a0ada@example.com"}"#, nil),
      (#"{"email":"ada@example.com\u3000"}"#, nil), (#"{"email":"ada@example.com\u200b"}"#, nil),
      (#"{"email":"mailto:ada@example.com"}"#, nil), (#"{"email":"group:release"}"#, nil),
      (#"{"email":"null"}"#, nil), (#"{"email":"(null)"}"#, nil), (#"{"email":"-"}"#, nil),
      (#"{"email":"undefined"}"#, nil), (#"{"email":"Anonymous"}"#, nil),
      (#"{"email":"ada@example.com,bob@example.com"}"#, nil), (#"{"email":["ada@example.com"]}"#, "ada@example.com"),
      (#"{"email":"zoe\u0308@example.com"}"#, "zo\u{EB}@example.com"),
      (#"{"email":"CORP\\ada"}"#, #"CORP\ada"#),
      // An address that nobody verified.
      (#"{"email_verified":false}"#, nil), (#"{"email_verified":"false"}"#, nil), (#"{"email_verified":"FALSE"}"#, nil),
      (#"{"email_verified":0}"#, nil), (#"{"email_verified":"no"}"#, nil), (#"{"email_verified":{}}"#, nil),
      (#"{"email_verified":true}"#, "ada@example.com"), (#"{"email_verified":"true"}"#, "ada@example.com"),
      (#"{"email_verified":"True"}"#, "ada@example.com"),
    ] as [(String, String?)])
  func `names a person only by an id that can be told from others`(claims: String, id: String?) async throws {
    let claims = try JSON(parsing: Array(claims.utf8))
    let verdict = try await Checking().verdict(on: Self.signed(claims))
    #expect(verdict == .person(id.map { Person(id: $0) }))
    if let id, case .person(let person?) = verdict { #expect(person.id.utf8.elementsEqual(id.utf8)) }
  }

  @Test func `names a person by another claim whatever is said of an address`() async throws {
    let checking = try Checking { $0.claim = "sub" }
    #expect(
      try await checking.verdict(on: Self.signed(["sub": "42", "email_verified": false])) == .person(Person(id: "42")))
  }

  @Test(
    arguments: [
      ("JWT", true), ("jwt", true), ("application/jwt", true), ("logout+jwt", false), ("at+jwt", false),
      ("application/AT+JWT", false),
    ])
  func `names nobody if it is for something else than a sign-in`(type: String, names: Bool) async throws {
    let verdict = try await Checking().verdict(on: Self.signed([:], header: ["typ": .string(type)]))
    #expect(verdict == (names ? .ada : .person(nil)))
  }

  // MARK: For whom, by whom and when

  @Test(
    arguments: [
      "https://team.example/", "HTTPS://team.example", "https://team.exampl", "", 7, ["https://team.example"],
      "https://team.example\u{0}", .illFormedString,
    ] as [JSON])
  func `is wrong if another issuer made it`(issuer: JSON) async throws {
    for claims in [["iss": issuer], ["iss": .null]] as [JSON] {
      #expect(try await Checking().verdict(on: Self.signed(claims)) == .wrong(.issuer))
    }
  }

  @Test(
    arguments: [
      "our-aud2", "our-au", "OUR-AUD", "", 7, [], ["other"], [["our-aud"]], ["our-aud": true], ["our-aud ", 7, true],
    ] as [JSON])
  func `is wrong if it is for another audience`(audience: JSON) async throws {
    for claims in [["aud": audience], ["aud": .null]] as [JSON] {
      #expect(try await Checking().verdict(on: Self.signed(claims)) == .wrong(.audience))
    }
  }

  @Test(arguments: ["our-aud", ["our-aud"], [7, "our-aud"]] as [JSON])
  func `is right if its audience is ours, or ours too`(audience: JSON) async throws {
    #expect(try await Checking().verdict(on: Self.signed(["aud": audience])) == .ada)
  }

  @Test func `compares issuers byte by byte`() async throws {
    let checking = try Checking { $0.issuer = "é" }
    #expect(try await checking.verdict(on: Self.signed(["iss": "e\u{301}"])) == .wrong(.issuer))
    #expect(try await checking.verdict(on: Self.signed(["iss": "é"])) == .ada)
  }

  @Test(
    arguments: [
      // A minute of leeway.
      ("exp", "1799999941", nil), ("exp", "1799999940.001", nil), ("exp", "1.8e9", nil), ("exp", "253402300799", nil),
      ("nbf", "1800000060", nil), ("iat", "1800000060.0", nil), ("nbf", "0", nil), ("iat", "1E9", nil),
      ("exp", "1799999940", .expired), ("exp", "0", .expired), ("exp", "1e-400", .expired),
      ("nbf", "1800000060.001", .early), ("iat", "1800000061", .early),
      ("exp", "9e99", .noExpiry), ("exp", "1e400", .noExpiry), ("exp", "-1e400", .noExpiry), ("exp", "-1", .noExpiry),
      ("exp", "99999999999999999999999999999999999999999", .noExpiry), ("exp", #""1800000300""#, .noExpiry),
      ("exp", "null", .noExpiry), ("exp", "true", .noExpiry), ("exp", "[1800000300]", .noExpiry),
      ("exp", "{}", .noExpiry),
      ("nbf", "253402300799", .early),
      ("nbf", "1e400", .notBefore), ("nbf", "9e99", .notBefore), ("nbf", #""1800000000""#, .notBefore),
      ("nbf", "null", .notBefore), ("iat", "1e400", .issuedAt), ("iat", "-1", .issuedAt),
      ("iat", "false", .issuedAt), ("iat", "9223372036854775808", .issuedAt),
    ] as [(String, String, TokenFault?)])
  func `counts in its time only`(claim: String, literal: String, fault: TokenFault?) async throws {
    let others = #""iss":"https://team.example","aud":"our-aud","email":"ada@example.com""#
    let expiry = claim == "exp" ? "" : #""exp":1800000300,"#
    let claims = #"{\#(others),\#(expiry)"\#(claim)":\#(literal)}"#
    let verdict = try await Checking().verdict(on: TestToken.signed(payload: claims))
    #expect(verdict == fault.map { .wrong($0) } ?? .ada)
  }

  @Test func `is wrong if it never expires`() async throws {
    #expect(try await Checking().verdict(on: Self.signed(["exp": .null])) == .wrong(.noExpiry))
  }

  // MARK: The signature

  @Test(arguments: [IssuerKey.rsa, .p256, .ed25519])
  func `is wrong if its algorithm is not its key's`(key: IssuerKey) async throws {
    let checking = try Checking(.set(key.jwk("1")))
    let names = [
      "none", "None", "nOnE", "", "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "ES256", "ES384",
      "ES256K",
      "EdDSA", "Ed25519", "Ed448", "rs256", "es256", "eddsa", "RS256 ", "ES256\u{0}", "dir", "RSA-OAEP", "A256KW",
    ]
    let right = ["RS256": ["RS256"], "ES256": ["ES256"], "EdDSA": ["EdDSA", "Ed25519"]][key.algorithm] ?? []
    for name in names where !right.contains(name) {
      let signed = try TestToken.signed(by: key, header: ["alg": .string(name)])
      let parts = signed.split(separator: ".")
      for token in [signed, "\(parts[0]).\(parts[1])."] {
        #expect(await checking.verdict(on: token) == .wrong(.algorithm), "\(name)")
      }
    }
  }

  /// What a library signs with that takes a public key for the secret of an HMAC.
  @Test(arguments: ["HS256", "HS384", "HS512"])
  func `is wrong if it is signed with the public key as a secret`(algorithm: String) async throws {
    guard case .rsa(let key) = IssuerKey.rsa, case .p256(let point) = IssuerKey.p256 else { return }
    let secrets: [(IssuerKey, [Data])] = [
      (
        .rsa,
        [
          Data(key.publicKey.pemRepresentation.utf8), Data(key.publicKey.pkcs1PEMRepresentation.utf8),
          key.publicKey.derRepresentation, Data(IssuerKey.rsa.jwk("1").bytes),
          try key.publicKey.getKeyPrimitives().modulus,
        ]
      ),
      (
        .p256,
        [
          Data(point.publicKey.pemRepresentation.utf8), point.publicKey.x963Representation,
          point.publicKey.rawRepresentation,
        ]
      ),
    ]
    for (key, secrets) in secrets {
      let checking = try Checking(.set(key.jwk("1")))
      for secret in secrets {
        let header: JSON = ["alg": .string(algorithm), "kid": "1"]
        let text = TestToken.base64URL(header.bytes) + "." + TestToken.base64URL(TestToken.claims.bytes)
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: secret))
        let token = text + "." + TestToken.base64URL(Data(code))
        #expect(await checking.verdict(on: token) == .wrong(.algorithm))
      }
    }
  }

  @Test(arguments: [IssuerKey.rsa, .p256, .ed25519])
  func `is wrong if its signature is another's, cut, empty or zeros`(key: IssuerKey) async throws {
    let checking = try Checking(.set(key.jwk("1")))
    let right = try TestToken.signed(by: key), other = try TestToken.signed(by: key, "1", ["email": "eve@example.com"])
    let (parts, others) = (right.split(separator: "."), other.split(separator: "."))
    let signature = try #require([UInt8](base64URL: parts[2].utf8))
    var bent = signature
    bent[signature.count / 2] ^= 1
    let signatures: [[UInt8]] = [
      [], [0], bent, Array(signature.dropLast()), signature + [0], [0] + signature,
      [UInt8](repeating: 0, count: signature.count), [UInt8](repeating: 0xFF, count: signature.count),
      [UInt8](repeating: 1, count: 10_000),
    ]
    for signature in signatures {
      let token = "\(parts[0]).\(parts[1]).\(TestToken.base64URL(signature))"
      #expect(await checking.verdict(on: token) == .wrong(.signature), "\(signature.count) bytes")
    }
    #expect(await checking.verdict(on: "\(parts[0]).\(others[1]).\(parts[2])") == .wrong(.signature))
  }

  @Test func `is wrong if a curve's signature is in DER`() async throws {
    guard case .p256(let key) = IssuerKey.p256 else { return }
    let parts = try TestToken.signed(by: .p256).split(separator: ".")
    let signature = try key.signature(for: Data("\(parts[0]).\(parts[1])".utf8)).derRepresentation
    let token = "\(parts[0]).\(parts[1]).\(TestToken.base64URL(signature))"
    #expect(try await Checking().verdict(on: token) == .wrong(.signature))
  }

  // MARK: The header

  @Test(
    arguments: [
      ["zip": "DEF"], ["crit": ["exp"]], ["crit": []], ["crit": 7], ["b64": false], ["b64": true],
      ["crit": ["b64"], "b64": false],
    ] as [JSON])
  func `is wrong if it needs an extension`(header: JSON) async throws {
    #expect(try await Checking().verdict(on: Self.signed([:], header: header)) == .wrong(.extended))
  }

  @Test func `never brings its own key`() async throws {
    let server = try KeyServer(.set(IssuerKey.otherP256.jwk("1")))
    let own: JSON = [
      "jwk": IssuerKey.otherP256.jwk("1"), "jku": .string(server.url), "x5u": .string(server.url), "x5c": ["MAo="],
    ]
    let checking = try Checking()
    for (id, fault) in [("1", .signature), ("2", .unknownKey), (nil, .unknownKey)] as [(String?, TokenFault)] {
      #expect(try await checking.verdict(on: TestToken.signed(by: .otherP256, id, header: own)) == .wrong(fault))
    }
    // Nor does it harm if the issuer signed it.
    #expect(try await checking.verdict(on: Self.signed([:], header: own)) == .ada)
    #expect(server.count == 0)
  }

  @Test func `chooses among the keys at hand by a name, and by nothing else`() async throws {
    let server = try KeyServer(.set(IssuerKey.p256.jwk("1")))
    let checking = try Checking()
    let names = [
      "", "0", "1 ", "1\u{0}", "../../../../dev/null", "/proc/self/environ", "keys.json", "file:///dev/null",
      server.url,
      "1' OR '1'='1", "1|/bin/true", "%2e%2e%2f", "\u{202E}1", String(repeating: "1", count: 256),
    ]
    for name in names {
      #expect(try await checking.verdict(on: TestToken.signed(by: .p256, name)) == .wrong(.unknownKey), "\(name)")
    }
    for name in [.string(String(repeating: "1", count: 257)), 1, true, ["1"], ["1": 1]] as [JSON] {
      #expect(try await checking.verdict(on: Self.signed([:], header: ["kid": name])) == .wrong(.keyID))
    }
    #expect(server.count == 0)
    let accented = try Checking(.set(IssuerKey.p256.jwk("é")))
    #expect(try await accented.verdict(on: TestToken.signed(by: .p256, "e\u{301}")) == .wrong(.unknownKey))
    #expect(try await accented.verdict(on: TestToken.signed(by: .p256, "é")) == .ada)
  }

  @Test func `needs no name of a key if there is only one`() async throws {
    let unusable: JSON = ["kty": "oct", "k": "c2VjcmV0"]
    for keys in [.set(IssuerKey.p256.jwk()), .set(IssuerKey.p256.jwk("1"), unusable)] as [JSON] {
      #expect(try await (try Checking(keys)).verdict(on: TestToken.signed(by: .p256, nil)) == .ada)
    }
    let two = try Checking(.set(IssuerKey.p256.jwk("1"), IssuerKey.ed25519.jwk("2")))
    #expect(try await two.verdict(on: TestToken.signed(by: .p256, nil)) == .wrong(.noKeyID))
    // Of two with one name, the signer is meant.
    let twins = try Checking(.set(IssuerKey.otherP256.jwk("1"), IssuerKey.rsa.jwk("1"), IssuerKey.p256.jwk("1")))
    #expect(try await twins.verdict(on: TestToken.signed(by: .p256)) == .ada)
    #expect(try await twins.verdict(on: TestToken.signed(by: .ed25519)) == .wrong(.algorithm))
  }

  // MARK: What is no token

  @Test func `is three parts in base64url, with JSON in two of them`() async throws {
    let checking = try Checking()
    let right = try TestToken.signed(by: .p256)
    #expect(await checking.verdict(on: right) == .ada)
    let parts = right.split(separator: ".").map(String.init)
    let wrong = [
      "", ".", "..", "...", "a.b.c", parts[0], "\(parts[0]).\(parts[1])", right + ".", right + ".x", "." + right,
      right + "=", right + "\n", " " + right, "Bearer " + right, right.replacing(".", with: "。"),
      "\(parts[0])=.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])+/.\(parts[2])", right + "é", "\u{0}" + right,
      "eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA",
    ]
    for token in wrong { #expect(await checking.verdict(on: token) == .wrong(.malformed), "\(token)") }

    let (header, claims) = (#"{"alg":"ES256","kid":"1"}"#, String(decoding: TestToken.claims.bytes, as: UTF8.self))
    let deep = String(repeating: "[", count: 6000) + String(repeating: "]", count: 6000)
    let headers = [
      "", "7", "null", "[]", "{}", #"{"kid":"1"}"#, #"{"alg":7}"#, #"{"alg":null}"#, #"{"alg":["ES256"]}"#,
      "\u{FEFF}" + header,
      #"{"alg":"none","alg":"ES256","kid":"1"}"#, #"{"alg":"ES256","kid":"2","kid":"1"}"#, header + "x", deep,
    ]
    for text in headers {
      let token = try TestToken.signed(by: .p256, Array(text.utf8), Array(claims.utf8))
      #expect(await checking.verdict(on: token) == .wrong(.malformed), "\(text)")
    }
    let payloads = [
      "", "7", "null", "[\(claims)]", "\u{FEFF}" + claims, claims + claims,
      claims.dropLast() + #","email":"eve@example.com"}"#,
      claims.dropLast() + #","n":1e}"#, claims.dropLast() + #","n":\#(deep)}"#,
    ].map { Array("\($0)".utf8) }
    for payload in payloads + [Array(claims.utf8) + [0xFF], [0xFF]] {
      let token = try TestToken.signed(by: .p256, Array(header.utf8), payload)
      #expect(await checking.verdict(on: token) == .wrong(.malformed), "\(payload.count) bytes")
    }
  }

  @Test func `is at most 16 KiB`() async throws {
    let checking = try Checking()
    for (length, fault) in [(11_000, nil), (12_100, .tooLong), (1 << 20, .tooLong)] as [(Int, TokenFault?)] {
      let token = try Self.signed(["padding": .string(String(repeating: "x", count: length))])
      #expect(await checking.verdict(on: token) == fault.map { .wrong($0) } ?? .ada)
    }
    #expect(await checking.verdict(on: String(repeating: ".", count: 1 << 20)) == .wrong(.tooLong))
  }

  @Test func `is refused, and nothing traps, whatever is changed in it`() async throws {
    let checking = try Checking(.set(IssuerKey.rsa.jwk("1"), IssuerKey.p256.jwk("2"), IssuerKey.ed25519.jwk("3")))
    var random = SeededGenerator(seed: 46)
    for (key, id) in [(IssuerKey.rsa, "1"), (.p256, "2"), (.ed25519, "3")] {
      let right = Array(try TestToken.signed(by: key, id).utf8)
      for _ in 0..<300 {
        var token = right
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<token.count, using: &random)
          token[place] = UInt8.random(in: 0...127, using: &random)
        }
        if token == right { continue }
        let verdict = await checking.verdict(on: String(decoding: token, as: UTF8.self))
        if case .refused(401, _) = verdict { continue }
        Issue.record("\(verdict): \(String(decoding: token, as: UTF8.self))")
      }
    }
  }
}
