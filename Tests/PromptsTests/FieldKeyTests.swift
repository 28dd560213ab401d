import Foundation
import StrictJSON
import Testing

@testable import Prompts

@Suite struct `The table of a field's keys` {
  private static func members(_ json: JSON?) -> [JSON.Member] {
    if case .object(let members)? = json { members } else { [] }
  }

  private static let properties: [JSON.Member] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Public/prompt.schema.json")
    let schema = (try? Data(contentsOf: file.standardizedFileURL)).flatMap {
      try? JSON(parsing: Array($0), limits: .file)
    }
    return members(schema?["$defs"]?["field"]?["properties"])
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
    guard case .array(let listed)? = property["enum"] else { throw CocoaError(.fileReadCorruptFile) }
    #expect(listed.map { if case .string(let word) = $0 { word } else { "" } } == words)
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
      $0.answer = .init(type: nil, omitsEmpty: true, isNullable: true)
    }
    var (written, again, reading) = (JSONWriter(), JSONWriter(), Reading())
    Prompt(title: "T", fields: [field]).writeDefinition(to: &written)
    let read = try #require(Prompt(Node(try JSON(parsing: written.bytes)), &reading))
    read.writeDefinition(to: &again)
    #expect(reading.faults.map(\.description) == [])
    #expect(written.text == again.text)
    #expect(written.text.contains(#""omitEmpty":true"#))
    #expect(written.text.contains(#""unit":"kg""#) == [.number, .integer, .slider].contains(kind))
    #expect(written.text.contains(#"[{"value":"x","title":"X","help":"o"}]"#) == kind.offersOptions)
  }

  @Test func `puts a unit into the schema of the values`() throws {
    var writer = JSONWriter()
    Prompt(title: "T", fields: [Field("a", kind: .number) { $0.unit = "kg" }]).writeSchema(to: &writer, id: "i")
    #expect(writer.text.contains(#""a":{"title":"A","x-okcancel":{"unit":"kg"},"#))
  }

  @Test func `reads a required field as it writes it, and serves it as its rule`() throws {
    var reading = Reading()
    let definition = #"{"title":"T","fields":[{"name":"a","required":true,"rules":[{"length":{"max":9}}]}]}"#
    let read = try #require(Prompt(Node(try JSON(parsing: Array(definition.utf8))), &reading))
    var (kept, shown) = (JSONWriter(), JSONWriter())
    read.writeDefinition(to: &kept)
    read.edition().writeDefinition(to: &shown)
    #expect(kept.text.contains(#""required":true,"optional":false"#))
    #expect(!shown.text.contains("required"))
    #expect(kept.text.contains(#""rules":[{"rule":"length","max":9}]"#))
    for text in [kept.text, shown.text] {
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
