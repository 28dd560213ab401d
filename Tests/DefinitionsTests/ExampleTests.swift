import Foundation
import ServedFields
import TestSupport
import Testing

@testable import Prompts

/// The repository's `Examples` directory.
let examples = Repository.root.appending(path: "Examples").path

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
      let json = try JSON(parsing: Array(named.prompt.definition.utf8), limits: .file)
      let again = try Definition.prompt(from: json)
      #expect(again.definition == named.prompt.definition)
      #expect(again.servedRules == named.prompt.servedRules)
    }
  }

  @Test func `are the same prompts after they were written as JSON Schema and read back`() throws {
    for named in try NamedPrompt.read(folder: examples) {
      let prompt = named.prompt.edition().prompt
      let schema = try JSON(parsing: Array(prompt.schema.utf8), limits: .file)
      var reading = Reading()
      let again = try reading.whole { Prompt(schema: Node(schema), &$0) }
      #expect(again.servedRules == prompt.servedRules)
      #expect(again.schema == prompt.schema)
      // Whoever changes a keyword and not the definition would be misled.
      var changed = Reading()
      _ = Prompt(schema: Node(schema + ["title": "Another"]), &changed)
      #expect(changed.faults.map(\.id) == ["not-as-written"])
    }
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
    #expect(try #require(judgement.verdicts).message == message)
  }
}
