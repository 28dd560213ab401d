internal import ArgumentParser
internal import Definitions
internal import Foundation
internal import OKCancel
internal import Prompts

/// `okcancel validate PROMPT.yaml name=value …`
struct Validate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge values by a definition, without a server.",
    discussion: """
      Of one field it prints “email: valid”, or what to do; of several the verdict as JSON. --format
      shell, bash and null give each field its message, which is empty if the value is valid.
      A field that is not given is empty. Give several values of a `choices` field one by one.
      Exit codes: 0 valid, 1 invalid, 64 wrong usage, 65 errors in the definition.

      Example: okcancel validate Examples/email.yaml email=bob@gmail
      """)

  @Argument(help: "The definition file.", completion: .file(extensions: ["yaml", "yml", "json"]))
  var file: String
  @Argument(help: "Values of fields, like email=alice@example.com.")
  var values: [String] = []
  @OptionGroup var output: FieldOutput
  @OptionGroup var predicates: PredicateOptions
  @OptionGroup var language: LanguageOption

  func run() async throws {
    let format = try output.chosen()
    let commands = try predicates.commands()
    let own = try language.given() ?? .english
    let prompt: Prompt
    do throws(DefinitionFaults) {
      prompt = try DefinitionFile(path: file, predicates: Array(commands.keys), in: own).prompt.inLanguage(own).prompt
    } catch { throw fail(error, .definitionFault) }
    let registered = Predicates(
      commands.mapValues { $0.predicate { standardError("okcancel: a text could not be checked: \($0)") } })
    try output.check(prompt.fields.map(\.name), for: format)
    let edition = prompt.edition(in: try language.ofPerson()?.lookup(in: prompt.languages))
    let verdicts = await Judge(predicates: registered).verdicts(on: try inputs(to: prompt), of: edition)
    switch format {
    case .json: standardOutput(verdicts.json)
    case nil where verdicts.entries.count > 1: standardOutput(verdicts.json)
    case nil: for entry in verdicts.entries { standardOutput("\(entry.field): \(entry.verdict.message ?? "valid")") }
    case let format?: try output.print(verdicts.entries.map { ($0.field, .text($0.verdict.message ?? "")) }, as: format)
    }
    if !verdicts.isValid { throw ExitCode.invalid }
  }

  private func inputs(to prompt: Prompt) throws -> Inputs {
    var given: [(field: Field, texts: [String])] = []
    for value in values {
      guard let (name, text) = value.cut(at: "=") else {
        throw fail(.usage, "“\(value)” is not a value; give NAME=VALUE, like email=alice@example.com")
      }
      guard let field = prompt.field(name) else {
        throw fail(
          .usage,
          "the prompt has no field “\(name)”; \(Nearest.remedy(for: name, among: prompt.fields.map(\.name)))")
      }
      if let index = given.firstIndex(where: { $0.field.name == field.name }) {
        guard field.kind == .choices else { throw fail(.usage, "“\(field.name)” is given twice; give it once") }
        given[index].texts.append(text)
      } else {
        given.append((field, [text]))
      }
    }
    return Inputs(given.map { ($0.field.name, $0.field.kind == .choices ? .choices($0.texts) : .text($0.texts[0])) })
  }
}
