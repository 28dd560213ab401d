import Definitions
import Foundation
import Prompts
import StrictJSON
import Testing

/// The repository's `Examples` directory.
let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples")
  .standardizedFileURL.path

@Suite struct `The examples` {
  @Test func `load without a fault, each under its file's name`() throws {
    let prompts = try NamedPrompt.read(folder: examples)
    #expect(
      prompts.map(\.name) == [
        "delivery", "deploy", "email", "feedback", "login", "maintenance-window", "profile", "quantity",
      ])
  }

  @Test func `are the same prompts after they were written as JSON and read back`() throws {
    for named in try NamedPrompt.read(folder: examples) {
      let json = definition(named.prompt)
      let again = try Definition.prompt(from: JSON(parsing: json, limits: .file))
      #expect(String(decoding: definition(again), as: UTF8.self) == String(decoding: json, as: UTF8.self))
      #expect(rules(again) == rules(named.prompt))
    }
  }

  @Test func `are the same prompts after they were written as JSON Schema and read back`() throws {
    for named in try NamedPrompt.read(folder: examples) {
      let prompt = named.prompt.edition().prompt, schema = schema(prompt)
      var reading = Reading()
      let again = try reading.whole { Prompt(schema: Node(schema), &$0) }
      #expect(rules(again) == rules(prompt))
      #expect(self.schema(again).bytes == schema.bytes)
      // Whoever changes a keyword and not the definition would be misled.
      var changed = Reading()
      _ = Prompt(schema: Node(schema + ["title": "Another"]), &changed)
      #expect(changed.faults.map(\.id) == ["not-as-written"])
    }
  }

  private func schema(_ prompt: Prompt) -> JSON {
    var json = JSONWriter()
    prompt.writeSchema(to: &json, id: "https://ask.example.com/schema")
    return (try? JSON(parsing: json.bytes, limits: .file)) ?? .null
  }

  @Test func `pass the check for prompts made in Swift`() throws {
    for named in try NamedPrompt.read(folder: examples) {
      #expect(throws: Never.self) { try Definition.check(named.prompt) }
    }
  }

  @Test(arguments: [
    ("email", "email", "", "Enter your email address"),
    ("email", "email", "bob@gmail", "That does not look like an email address"),
    ("email", "email", "bob@", "Enter an email address, like name@example.com"),
    ("email", "email", "bob@gmail.com", nil),
    ("quantity", "quantity", "2147483646", nil),
    ("quantity", "quantity", "2147483647", "Enter a number from 0 to 2147483646"),
    ("quantity", "quantity", " 7 ", nil),
    ("quantity", "quantity", "-0", "Use the required format"),
    ("profile", "handle", "ada--l", "Use lower-case letters, digits and single hyphens, beginning with a letter"),
    ("profile", "handle", "root", "This handle is reserved; choose another"),
    ("profile", "dateOfBirth", "", nil),
    ("profile", "dateOfBirth", "2016-01-01", "Enter a date from 1900 to 2015"),
    ("feedback", "rating", "", "Choose how satisfied you are"),
    ("feedback", "rating", "glad", "Choose one of the options"),
    ("feedback", "comment", "line one\nline two", nil),
    ("deploy", "share", "12", "Enter a multiple of 5"),
    ("deploy", "confirmation", "Deploy", "Type deploy"),
    ("maintenance-window", "ticket", "none", nil),
    ("maintenance-window", "ticket", "OPS-0", "Enter a ticket like OPS-1234, or none"),
  ])
  func `judge as their comments say`(name: String, field: String, text: String, message: String?) throws {
    let prompt = try DefinitionFile(path: "\(examples)/\(name).yaml").prompt.prompt
    let judgement = Judge().judge(Inputs([(field, .text(text))]), of: prompt.edition(), only: [field])
    guard case .decided(let verdicts) = judgement else {
      Issue.record("undecided")
      return
    }
    #expect(verdicts.message == message)
  }

  private func definition(_ prompt: Prompt) -> [UInt8] {
    var json = JSONWriter()
    prompt.writeDefinition(to: &json)
    return json.bytes
  }

  private func rules(_ prompt: Prompt) -> String {
    var json = JSONWriter()
    prompt.edition().writeRules(to: &json, name: nil, version: "1")
    return json.text
  }
}
