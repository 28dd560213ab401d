import ServedFields
import TestSupport
import Testing

@testable import Prompts

/// What the table of a rule's arguments says is what the schema of definitions says.
@Suite struct `The arguments of a rule` {
  private static let schema: JSON? = {
    let schema = try? JSON(parsing: Repository.bytes("Public/prompt.schema.json"), limits: .file)
    return schema?["$defs"]?["rule"]
  }()

  /// What the schema says of a rule that is written with its name beside the arguments.
  private static func flat(_ name: String) -> JSON? {
    let rules = schema?["else"]?["then"]?["allOf"]?.elements
    return rules?.first { $0["if"]?["properties"]?["rule"]?.text("const") == name }?["then"]
  }

  @Test(arguments: Rule.names) func `are those of the format's schema`(name: String) throws {
    let kind = try #require(Rule.kind(named: name)), schema = try #require(Self.flat(name))
    let keys = try #require(schema["properties"]).members.map(\.key)
    #expect(keys.filter { !["rule", "message", "decidedBy"].contains($0) } == kind.keys)
    #expect(schema.texts("required") == kind.requiredKeys)
  }

  @Test func `may be left out where the schema lets a rule be a word`() {
    let words = Rule.names.filter { Rule.kind(named: $0)?.needsArguments == false }
    #expect(words.sorted() == Self.schema?["then"]?.texts("enum").sorted())
  }
}

extension Condition {
  fileprivate static var requiredKeys: [String] { arguments.filter { $0.needs != nil }.map(\.name) }
}
