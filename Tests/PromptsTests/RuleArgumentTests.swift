import Foundation
import Pattern
import StrictJSON
import Testing

@testable import Prompts

/// What the table of a rule's arguments says is what the schema of definitions says.
@Suite struct `The arguments of a rule` {
  private static let schema: JSON? = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Public/prompt.schema.json")
    let bytes = try? Data(contentsOf: file.standardizedFileURL)
    return bytes.flatMap { try? JSON(parsing: Array($0), limits: .file) }?["$defs"]?["rule"]
  }()

  private static func texts(_ json: JSON?) -> [String] {
    guard case .array(let elements)? = json else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// What the schema says of a rule that is written with its name beside the arguments.
  private static func flat(_ name: String) -> JSON? {
    guard case .array(let rules)? = schema?["else"]?["then"]?["allOf"] else { return nil }
    return rules.first { rule in
      if case .string(name)? = rule["if"]?["properties"]?["rule"]?["const"] { true } else { false }
    }?["then"]
  }

  @Test(arguments: Rule.names) func `are those of the format's schema`(name: String) throws {
    let kind = try #require(Rule.kind(named: name)), schema = try #require(Self.flat(name))
    guard case .object(let members)? = schema["properties"] else { throw CocoaError(.fileReadCorruptFile) }
    #expect(members.map(\.key).filter { !["rule", "message", "decidedBy"].contains($0) } == kind.keys)
    #expect(Self.texts(schema["required"]) == kind.requiredKeys)
  }

  @Test func `may be left out where the schema lets a rule be a word`() {
    let words = Rule.names.filter { Rule.kind(named: $0)?.needsArguments == false }
    #expect(words.sorted() == Self.texts(Self.schema?["then"]?["enum"]).sorted())
  }
}

extension Condition {
  fileprivate static var requiredKeys: [String] { arguments.filter { $0.needs != nil }.map(\.name) }
}
