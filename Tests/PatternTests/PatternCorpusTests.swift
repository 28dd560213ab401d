import Foundation
import TestSupport
import Testing

@testable import Prompts

/// What the corpus says of patterns beyond their verdicts: why one is refused.
@Suite struct `The corpus of patterns` {
  @Test func `agrees why and where patterns are refused`() throws {
    let bytes = try Repository.bytes("Tests/Conformance/pattern-refused.json")
    let corpus = try JSONDecoder().decode(Refused.self, from: Data(bytes))
    #expect(corpus.refused.count > 100)
    for refused in corpus.refused {
      let fault = #expect(throws: PatternFault.self) {
        try Pattern(refused.pattern, ignoreCase: refused.ignoreCase ?? false)
      }
      #expect(fault?.row.id == refused.reason, "\(refused.pattern)")
      #expect(fault?.column == refused.column, "\(refused.pattern)")
      if let others = refused.others { #expect(fault?.otherFaults.map(\.column) == others, "\(refused.pattern)") }
    }
  }

  private struct Refused: Decodable {
    let refused: [Fault]
    struct Fault: Decodable {
      let pattern: String
      let ignoreCase: Bool?
      let column: Int
      let reason: String
      let others: [Int]?
    }
  }
}
