import Definitions
import Foundation
import TestSupport
import Testing

@Suite struct `A file with a slip of the hand` {
  /// Bytes that mean something to YAML, JSON or UTF-8.
  private static let bytes =
    Array("\n\t\r -:,[]{}#&*!|>'\"%@`?\\~<=aé".utf8) + [0, 0x7F, 0xC2, 0x85, 0xE2, 0xED, 0xF4, 0xFF]

  @Test(arguments: ["email", "login", "quantity", "profile", "feedback", "deploy", "maintenance-window"])
  func `is read or refused with places in the file and remedies`(name: String) throws {
    let original = Array(try Data(contentsOf: URL(filePath: "\(examples)/\(name).yaml")))
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(Self.bytes.randomElement(using: &random) ?? 0, at: place)
        case 2: bytes[place] = Self.bytes.randomElement(using: &random) ?? 0
        default: bytes.removeSubrange(place..<min(place + 40, bytes.count))
        }
      }
      check(bytes, name)
    }
  }

  private func check(_ bytes: [UInt8], _ name: String) {
    do {
      _ = try DefinitionFile(path: name + ".yaml", bytes: bytes)
    } catch {
      let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!error.faults.isEmpty)
      for fault in error.faults {
        let isPlaced = (1...lines).contains(fault.line ?? 0) && (fault.column ?? 0) >= 1
        let parts = fault.sentence.split(separator: "; ")
        if !isPlaced || parts.count < 2 { Issue.record("\(fault) in\n\(text)") }
        // A complaint of libyaml that has no sentence of its own yet.
        if fault.sentence.hasPrefix("this is not YAML (") { Issue.record("\(fault) in\n\(text)") }
      }
      // In the order of the file.
      let places = error.faults.map { [$0.line ?? 0, $0.column ?? 0] }
      if zip(places, places.dropFirst()).contains(where: { $1.lexicographicallyPrecedes($0) }) {
        Issue.record("out of order: \(error) in\n\(text)")
      }
    }
  }
}
