import Foundation
import Testing

@testable import Prompts

/// What the corpus says of patterns beyond their verdicts: who decides, and why one is refused.
@Suite("The corpus of patterns")
struct PatternCorpusTests {
  @Test("agrees who decides")
  func decidedBy() throws {
    let corpus = try Self.read(Accepted.self, "pattern.json")
    #expect(corpus.groups.count > 100)
    for group in corpus.groups {
      for rule in group.fields.flatMap(\.rules) {
        let pattern = try Pattern(rule.pattern, ignoreCase: rule.ignoreCase ?? false)
        #expect(pattern.decidedBy.rawValue == rule.decidedBy ?? "everywhere", "\(group.description)")
      }
    }
  }

  @Test("agrees why and where patterns are refused")
  func refused() throws {
    let corpus = try Self.read(Refused.self, "pattern-refused.json")
    #expect(corpus.refused.count > 100)
    for refused in corpus.refused {
      let fault = #expect(throws: PatternFault.self) {
        try Pattern(refused.pattern, ignoreCase: refused.ignoreCase ?? false)
      }
      #expect(fault?.reason.name == refused.reason, "\(refused.pattern)")
      #expect(fault?.column == refused.column, "\(refused.pattern)")
    }
  }

  private struct Accepted: Decodable {
    let groups: [Group]
    struct Group: Decodable {
      let description: String
      let fields: [Field]
    }
    struct Field: Decodable {
      let rules: [Rule]
    }
    struct Rule: Decodable {
      let pattern: String
      let ignoreCase: Bool?
      let decidedBy: String?
    }
  }

  private struct Refused: Decodable {
    let refused: [Fault]
    struct Fault: Decodable {
      let pattern: String
      let ignoreCase: Bool?
      let column: Int
      let reason: String
    }
  }

  private static func read<Corpus: Decodable>(_ type: Corpus.Type, _ name: String) throws -> Corpus {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Conformance")
    return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: name)))
  }
}
