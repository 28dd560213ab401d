import ServedFields
import TestSupport
import Testing

@testable import OKCancel
@testable import Prompts

/// What is kept of a question is read back, and what its author wrote for people is seen by them.
@Suite struct `A question that is taken` {
  private func file(_ path: String) throws -> JSON {
    try JSON(parsing: Repository.bytes(path), limits: JSONLimits(depth: 64, keys: 100_000, string: 1 << 20))
  }

  /// The prompt and its warnings, or `nil` if it is refused.
  private func read(_ json: JSON, isSchema: Bool = false) -> (prompt: Prompt, warnings: [Fault])? {
    var reading = Reading()
    let prompt = try? reading.whole {
      isSchema ? Prompt(schema: Node(json), title: json.text("title") ?? "T", &$0) : Prompt(Node(json), &$0)
    }
    return prompt.map { ($0, reading.warnings) }
  }

  private func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    write(&json)
    return json.bytes
  }

  /// What is wrong with the stored form of a prompt, or with what its readers get in one of its languages.
  private func fault(of prompt: Prompt, isServed: Bool = true) -> String? {
    do {
      let stored = written { prompt.writeDefinition(to: &$0, isKept: true) }
      var reading = Reading(isKept: true)
      let again = try reading.whole { [json = try JSON(parsing: stored, limits: .kept)] in Prompt(Node(json), &$0) }
      if written({ again.writeDefinition(to: &$0, isKept: true) }) != stored { return "it is written in another way" }
      guard isServed else { return nil }
      // What people and programs get in the language of whoever asks.
      let edition = again.languages.last.map { again.edition(in: $0) } ?? again.edition()
      let served = try JSON(parsing: written { edition.writeDefinition(to: &$0) }, limits: .kept)
      _ = try JSON(parsing: written { edition.writeRules(to: &$0, name: nil, version: "") }, limits: .kept)
      reading = Reading()
      _ = try reading.whole { Prompt(Node(served), &$0) }
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `is read back in all languages, at every limit`() {
    var (definitions, taken) = (RandomDefinition(seed: 39), 0)
    for number in 0..<2_000 {
      let definition = definitions.definition()
      guard let prompt = read(definition)?.prompt else { continue }
      taken += 1
      let fault = fault(of: prompt, isServed: number.isMultiple(of: 5))
      #expect(fault == nil, "definition \(number): \(String(decoding: definition.bytes, as: UTF8.self).prefix(2000))")
      if fault != nil { break }
    }
    #expect(taken > 1_000)
  }

  @Test func `is read back if it is one of the corpus, or a schema`() throws {
    var (definitions, schemas) = ([JSON](), [JSON]())
    definitions = try file("Tests/Schema/cases.json")["cases"]?.elements.compactMap { $0["definition"] } ?? []
    for name in ["zod", "typebox", "openapi"] { schemas.append(try file("Tests/Schema/Printed/\(name).json")) }
    var random = RandomDefinition(seed: 40)
    for _ in 0..<300 { schemas.append(random.schema()) }
    let prompts = definitions.compactMap { read($0)?.prompt } + schemas.compactMap { read($0, isSchema: true)?.prompt }
    #expect(prompts.count > 350)
    for _ in 0..<300 { definitions.append(random.definition()) }
    for prompt in prompts { #expect(fault(of: prompt) == nil) }
    var tried = 0
    for prompt in prompts + definitions.suffix(300).compactMap({ read($0)?.prompt }) {
      // So is its schema, as the same prompt.
      let prompt = prompt.edition().prompt
      // Deeper than any file: rules in rules, as deep as they may be.
      guard let json = try? JSON(parsing: Array(prompt.schema.utf8), limits: .file) else { continue }
      tried += 1
      var reading = Reading()
      let again = try reading.whole { Prompt(schema: Node(json), &$0) }
      #expect(again.definition == prompt.definition)
      #expect(again.schema == prompt.schema)
    }
    #expect(tried > 600)
  }

  /// The marks of texts for people in a part of a definition or schema, with where they are.
  private func marks(_ json: JSON, at pointer: String = "", under keys: Set<String>) -> [(
    mark: String, pointer: String
  )] {
    switch json {
    case .object(let members):
      members.flatMap { member -> [(String, String)] in
        let place = "\(pointer)/\(member.key)"
        guard keys.contains(member.key), case .string(let text) = member.value, text.hasPrefix("Q"),
          let end = text.firstIndex(of: "x")
        else { return marks(member.value, at: place, under: keys) }
        return [(String(text[...end]), place)]
      }
    case .array(let elements):
      elements.enumerated().flatMap { marks($1, at: "\(pointer)/\($0)", under: keys) }
    default: []
    }
  }

  @Test(arguments: [false, true])
  func `hides no text of its author, unless a warning says so`(isSchema: Bool) throws {
    let keys: Set = [
      "title", "message", "description", "label", "help", "placeholder", "unit", "section", "ok", "cancel",
    ]
    var (random, taken) = (RandomDefinition(seed: 41), 0)
    for _ in 0..<400 {
      let json = isSchema ? random.schema() : random.definition()
      guard let (prompt, warnings) = read(json, isSchema: isSchema) else { continue }
      taken += 1
      let page = try page(prompt)
      let own = JSON.object(json.members.filter { $0.key != "translations" })
      let told = Set(warnings.map(\.pointer))
      for (mark, pointer) in marks(own, under: keys) where !page.contains(mark) && !told.contains(pointer) {
        // Nobody refers to it.
        if pointer.hasPrefix("/$defs"), !String(decoding: json.bytes, as: UTF8.self).contains("$ref") { continue }
        Issue.record("\(pointer) is lost: \(String(decoding: json.bytes, as: UTF8.self).prefix(3000))")
        return
      }
    }
    #expect(taken > 200)
  }
}
