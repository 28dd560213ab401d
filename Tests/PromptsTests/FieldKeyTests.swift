import ServedFields
import TestSupport
import Testing

@testable import Prompts

@Suite struct `The table of a field's keys` {
  private static let properties: [JSON.Member] = {
    let schema = try? JSON(parsing: Repository.bytes("Public/prompt.schema.json"), limits: .file)
    return schema?["$defs"]?["field"]?["properties"]?.members ?? []
  }()

  @Test func `has the keys of the format's schema, which the page about definitions is held against`() {
    #expect(FieldKey.names.sorted() == Self.properties.map(\.key).sorted())
  }

  @Test(arguments: [
    ("keyboard", Field.Typing.Keyboard.allCases.map(\.rawValue)),
    ("capitalize", Field.Typing.Capitals.allCases.map(\.rawValue)),
    ("enterKey", Field.Typing.EnterKey.allCases.map(\.rawValue)),
    ("valueType", Field.ValueType.allCases.map(\.rawValue)),
  ])
  func `has the words of the format's schema`(key: String, words: [String]) throws {
    let property = try #require(Self.properties.first { $0.key == key }?.value)
    #expect(property.texts("enum") == words)
  }

  @Test(arguments: Field.Kind.allCases)
  func `reads what it writes, of every kind`(kind: Field.Kind) throws {
    let range = Rule.range(min: Quantity("0"), max: Quantity("9"))
    let field = Field(
      "a", label: "A", kind: kind, placeholder: kind.isTyped ? "p" : nil, help: "h", optional: true,
      rules: kind == .slider ? [range] : [], options: kind.offersOptions ? [.init("x", title: "X", help: "o")] : []
    ) {
      if kind.quantity == .number { $0.unit = "kg" }
      $0.trim = true
      $0.validate = [.whileEditing]
      if kind.isTyped {
        $0.typing = .init(keyboard: .url, capitalize: .words, autocomplete: "off", enterKey: .go, spellcheck: true)
      }
      $0.answer = .init(omitsEmpty: true, isNullable: true)
    }
    let written = Prompt(title: "T", fields: [field]).definition
    var reading = Reading()
    let read = try #require(Prompt(Node(try JSON(parsing: Array(written.utf8))), &reading))
    #expect(reading.faults.map(\.description) == [])
    #expect(written == read.definition)
    #expect(written.contains(#""omitEmpty":true"#))
    #expect(written.contains(#""unit":"kg""#) == [.number, .integer, .slider].contains(kind))
    #expect(written.contains(#"[{"value":"x","title":"X","help":"o"}]"#) == kind.offersOptions)
  }

  @Test func `puts a unit into the schema of the values`() throws {
    let prompt = Prompt(title: "T", fields: [Field("a", kind: .number) { $0.unit = "kg" }])
    #expect(prompt.schema.contains(#""a":{"title":"A","x-okcancel":{"unit":"kg"},"#))
  }

  @Test func `reads a required field as it writes it, and serves it as its rule`() throws {
    var reading = Reading()
    let definition = #"{"title":"T","fields":[{"name":"a","required":true,"rules":[{"length":{"max":9}}]}]}"#
    let read = try #require(Prompt(Node(try JSON(parsing: Array(definition.utf8))), &reading))
    var shown = JSONWriter()
    read.edition().writeDefinition(to: &shown)
    #expect(read.definition.contains(#""required":true,"optional":false"#))
    #expect(!shown.text.contains("required"))
    #expect(read.definition.contains(#""rules":[{"rule":"length","max":9}]"#))
    for text in [read.definition, shown.text] {
      let again = try #require(Prompt(Node(try JSON(parsing: Array(text.utf8))), &reading))
      #expect(again.fields[0].rules.map(\.name) == ["notBlank", "length"])
    }
  }

  @Test func `reads a required field of a stored ask as it was when it was stored`() throws {
    let fields = #""fields":[{"name":"a","required":true},{"name":"b","kind":"date","required":true}]"#
    for (end, first) in [("", "nonEmpty"), (#","requires":"notBlank""#, "notBlank")] {
      var reading = Reading(isKept: true)
      let json = try JSON(parsing: Array(#"{"title":"T",\#(fields)\#(end)}"#.utf8))
      let kept = try #require(Prompt(Node(json), &reading))
      #expect(kept.fields.map { $0.rules[0].name } == [first, "nonEmpty"])
    }
    var written = JSONWriter()
    Prompt(title: "T").writeDefinition(to: &written, isKept: true)
    #expect(written.text.contains(#""requires":"notBlank""#))
  }
}
