@testable import Asks
import Foundation
import Prompts
import TestSupport
import Testing

@Suite struct `Sealing` {
  let box = SecretBox.temporary()

  /// Promise 4.1
  @Test func `opens what it sealed, and only in its own place`() throws {
    let sealed = box.seal(bytes("secret"), context: "here")
    #expect(sealed.isSealed)
    #expect(text(try box.open(sealed)) == "secret")
    #expect(throws: PlainError(row: "sealed.damaged")) {
      try box.open(Sealable(stored: sealed.stored, context: "there"))
    }
    #expect(throws: PlainError(row: "sealed.other-key")) { try SecretBox.temporary().open(sealed) }
    #expect(box.seal(bytes("secret"), context: "here") != sealed)
  }

  /// Promise 4.1
  /// ASVS 11.3.2, 11.3.3 | authenticated encryption | ChaCha20-Poly1305 with the place as associated data
  @Test func `notices every changed and every missing byte`() throws {
    let sealed = box.seal(bytes("secret"), context: "here").stored
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      let kept = Sealable(stored: changed, context: "here")
      if kept.isSealed { #expect(throws: PlainError.self) { try box.open(kept) } }
    }
    for count in Sealable.mark.count..<sealed.count {
      #expect(throws: PlainError.self) { try box.open(Sealable(stored: Array(sealed[..<count]), context: "here")) }
    }
  }

  @Test func `keeps plain what needs no sealing`() throws {
    let kept = box.seal(bytes("{}"), context: "here", if: false)
    #expect(text(kept.stored) == "{}")
    #expect(text(try box.open(Sealable(stored: kept.stored, context: "anywhere"))) == "{}")
  }

  @Test(arguments: ["", "x", "c2hvcnQ=", String(repeating: "A", count: 43)])
  func `refuses keys that are none`(_ key: String) {
    #expect(throws: PlainError.self) {
      try SecretSource(environment: key, file: "/nowhere/key").load(boundTo: [])
    }
  }

  /// Promise 4.4 | Only their owner can read the key file and the database.
  @Test func `makes a key's file once, for only its owner, and refuses one that others can read`() throws {
    let directory = try TemporaryDirectory()
    let source = SecretSource(environment: nil, file: directory.file("key"))
    let first = try source.load(boundTo: [])
    #expect(try source.load(boundTo: []).keyID == first.keyID)
    #expect(try source.load(boundTo: [first.keyID]).keyID == first.keyID)
    #expect(try directory.contents().keys.sorted() == ["key"])
    let mode = try FileManager.default.attributesOfItem(atPath: source.file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    chmod(source.file, 0o640)
    let exposed = PlainError(row: "key.exposed", ["path": source.file, "mode": "640"])
    #expect(throws: exposed) { try source.load(boundTo: []) }
  }
}
