import Testing

@testable import OKCancel
@testable import Prompts

@Suite struct `The file of the tools` {
  private static func list(tasks: Bool = false) -> [JSON] { Tool.list(tasks: tasks).elements }

  private static func keys(_ json: JSON?) -> [String] {
    guard case .object(let members)? = json else { return [] }
    return members.map(\.key)
  }

  @Test func `has each tool, with all that a model reads of it`() {
    #expect(Self.list().map { $0.text("name") } == Tool.allCases.map(\.rawValue))
    #expect(Tool.instructions.hasPrefix("Ask a person when a decision or a value has to come from a human"))
    for tool in Self.list() {
      #expect(
        Self.keys(tool) == ["name", "title", "description", "inputSchema", "outputSchema", "annotations"],
        "\(tool.text("name") ?? "")")
      #expect(tool["inputSchema"]?.text("type") == "object")
    }
  }

  @Test func `leaves no place for a schema without its schema`() {
    for tool in Self.list() { #expect(tool["outputSchema"]?.text("type") == "object", "\(tool.text("name") ?? "")") }
    #expect(Self.keys(Self.list(tasks: true)[0]).last == "execution")
  }

  @Test func `names the arguments that are read`() {
    let known = AskArguments.ofDefinition + AskArguments.ofTheCall
    #expect(Set(known).isSubset(of: Tool.askPerson.arguments))
    #expect(Tool.askOutcome.arguments == ["id", "wait"])
    #expect(Tool.withdrawAsk.arguments == ["id"])
    #expect(Tool.listPrompts.arguments == [])
  }

  @Test func `describes fields with keys and kinds that definitions have`() throws {
    let field = try #require(Self.list()[0]["inputSchema"]?["properties"]?["fields"]?["items"])
    let keys = Self.keys(field["properties"])
    #expect(keys.count > 5)
    #expect(Set(keys).subtracting(FieldKey.names) == [])
    let kinds: [String] =
      field["properties"]?["kind"]?["enum"]?.elements.compactMap {
        if case .string(let kind) = $0 { kind } else { nil }
      } ?? []
    #expect(kinds == Field.Kind.allCases.map(\.rawValue))
  }
}
