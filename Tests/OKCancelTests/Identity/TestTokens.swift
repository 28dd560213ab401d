import Crypto
import CryptoExtras
import Foundation
import Synchronization
import TestSupport

@testable import MicroHTTP
@testable import OKCancel
@testable import Prompts

/// A private key of an issuer, and what it publishes of it.
enum IssuerKey: Sendable {
  case rsa(_RSA.Signing.PrivateKey)
  case p256(P256.Signing.PrivateKey)
  case ed25519(Curve25519.Signing.PrivateKey)

  // swift-format-ignore: NeverUseForceTry
  static let rsa = IssuerKey.rsa(try! .init(keySize: .bits2048))
  static let p256 = IssuerKey.p256(.init())
  static let ed25519 = IssuerKey.ed25519(.init())
  static let otherP256 = IssuerKey.p256(.init())

  var algorithm: String {
    switch self {
    case .rsa: "RS256"
    case .p256: "ES256"
    case .ed25519: "EdDSA"
    }
  }

  /// The JWK of its public part.
  func jwk(_ id: String? = nil, _ changes: JSON = [:]) -> JSON {
    let parts: JSON
    switch self {
    case .rsa(let key):
      // swift-format-ignore: NeverUseForceTry
      let numbers = try! key.publicKey.getKeyPrimitives()
      parts = ["kty": "RSA", "n": .base64URL(numbers.modulus), "e": .base64URL(numbers.publicExponent)]
    case .p256(let key):
      let point = key.publicKey.rawRepresentation
      parts = ["kty": "EC", "crv": "P-256", "x": .base64URL(point.prefix(32)), "y": .base64URL(point.suffix(32))]
    case .ed25519(let key):
      parts = ["kty": "OKP", "crv": "Ed25519", "x": .base64URL(key.publicKey.rawRepresentation)]
    }
    return (parts + ["kid": id.map(JSON.string)]).with(changes)
  }

  func signature(of text: [UInt8]) throws -> Data {
    switch self {
    case .rsa(let key): try key.signature(for: SHA256.hash(data: text), padding: .insecurePKCS1v1_5).rawRepresentation
    case .p256(let key): try key.signature(for: text).rawRepresentation
    case .ed25519(let key): try key.signature(for: text)
    }
  }
}

extension JSON {
  static func base64URL(_ bytes: some DataProtocol) -> JSON { .string(TestToken.base64URL(bytes)) }

  /// The same object with other members; `null` takes one away.
  func with(_ changes: JSON) -> JSON {
    let kept = members.filter { changes[$0.key] == nil }
    return .object(kept + changes.members.filter { if case .null = $0.value { false } else { true } })
  }

  static func set(_ keys: JSON...) -> JSON { ["keys": .array(keys)] }
}

/// A token as an issuer makes it, or a forger.
enum TestToken {
  static let now = Timestamp(milliseconds: 1_800_000_000_000)

  static let header = "X-Assertion"
  static let issuer = "https://team.example"

  static let claims: JSON = [
    "iss": .string(issuer), "aud": ["other", "our-aud"], "exp": 1_800_000_300, "iat": 1_800_000_000,
    "sub": "7335d417-61da-459d-899c-0a01c76a2f94", "email": "ada@example.com",
  ]

  /// - Parameters:
  ///   - claims: what differs from `claims` above; `null` takes one away.
  ///   - header: what differs from `alg` and `kid`.
  static func signed(
    by key: IssuerKey, _ id: String? = "1", _ claims: JSON = [:], header: JSON = [:]
  ) throws -> String {
    let header = (["alg": .string(key.algorithm), "kid": id.map(JSON.string)] as JSON).with(header)
    return try signed(by: key, header.bytes, Self.claims.with(claims).bytes)
  }

  /// One that the curve's key signed, with exactly this payload.
  static func signed(payload: String) throws -> String {
    try signed(by: .p256, Array(#"{"alg":"ES256","kid":"1"}"#.utf8), Array(payload.utf8))
  }

  static func signed(by key: IssuerKey, _ header: [UInt8], _ payload: [UInt8]) throws -> String {
    let text = base64URL(header) + "." + base64URL(payload)
    return text + "." + base64URL(try key.signature(of: Array(text.utf8)))
  }

  static func base64URL(_ bytes: some DataProtocol) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}

/// A clock that a test sets.
final class SetClock: Sendable {
  private let time = Mutex(TestToken.now)

  var clock: WallClock { WallClock { self.time.withLock { $0 } } }

  func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

extension SignedIdentity {
  /// Of the tokens above.
  init(keys: String) throws {
    self.init(header: TestToken.header, issuer: TestToken.issuer, audience: "our-aud", keys: try KeyLocation(keys))
  }
}

extension TokenChecker {
  /// Why it refuses a token, or whom that names.
  func verdict(on token: String) async -> Verdict {
    do throws(Problem) {
      guard case .person(let person) = try await naming(of: token) else { return .person(nil) }
      return .person(person)
    } catch {
      return .refused(error.status.rawValue, error.detail)
    }
  }

  enum Verdict: Equatable {
    case person(Person?)
    case refused(Int, String)

    static func wrong(_ fault: TokenFault) -> Verdict {
      .refused(401, "The token in \(TestToken.header) is not valid: \(fault.rawValue).")
    }

    static let noKeysYet = Verdict.refused(
      401,
      "The token in \(TestToken.header) cannot be checked: the issuer's keys could not be read yet; try again in a moment."
    )
    static let ada = Verdict.person(Person(id: "ada@example.com"))
  }
}

/// Serves a JWK Set, or what a test sets instead, and counts who comes for it.
final class KeyServer: Sendable {
  private final class Site: Application {
    private let keys: @Sendable () -> Response?

    init(_ keys: @escaping @Sendable () -> Response?) { self.keys = keys }

    func handler(for head: Request) -> Handler {
      Handler { [keys] _ in
        if let keys = keys() { return .now(keys) }
        return .later {
          try? await Task.sleep(for: .seconds(3600))
          return Response(.ok)
        }
      }
    }
  }

  private final class State: Sendable {
    let value: Mutex<(response: Response?, count: Int)>

    init(_ response: Response?) { value = Mutex((response, 0)) }
  }

  private let state: State
  private let server: Server
  let url: String

  /// - Parameter keys: `nil` for a server that takes requests and never responds.
  init(_ keys: JSON?) throws {
    let state = State(keys.map { .json($0.bytes) })
    self.state = state
    server = Server(
      configuration: .init(port: 0, threads: 1),
      application: Site {
        state.value.withLock { state in
          state.count += 1
          return state.response
        }
      })
    try server.start()
    url = "http://127.0.0.1:\(server.port ?? 0)/keys"
  }

  func serve(_ response: Response) { state.value.withLock { $0.response = response } }

  var count: Int { state.value.withLock { $0.count } }
}
