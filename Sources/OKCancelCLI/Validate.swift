internal import ArgumentParser
internal import Definitions
internal import OKCancel

/// `okcancel validate PROMPT.yaml name=value …`
struct Validate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge values by a definition, without a server.",
    discussion: """
      Prints a line a field: “email: valid”, or what to do. A field that is not given is empty.
      Several values of a `choices` field are given one by one.
      Exit codes: 0 valid, 1 invalid, 64 wrong usage, 65 faults in the definition.

      Example: okcancel validate Examples/email.yaml email=bob@gmail
      """)

  @Argument(help: "The definition file.", completion: .file(extensions: ["yaml", "yml", "json"]))
  var file: String
  @Argument(help: "Values of fields, like email=alice@example.com.")
  var values: [String] = []
  @Flag(help: "Print the verdict as JSON, as POST /validate answers it.")
  var json = false
  @OptionGroup var predicates: PredicateOptions

  func run() async throws {
    let prompt: Prompt
    do throws(DefinitionFaults) {
      prompt = try DefinitionFile(path: file).prompt.prompt
    } catch {
      standardError(error.description)
      throw ExitCode.definitionFault
    }
    let registered = Predicates(try predicates.commands().mapValues(\.predicate))
    if let fault = prompt.faults(knowing: registered).first { throw fail(.usage, fault) }
    let verdicts = await Judge(predicates: registered).verdicts(on: try inputs(to: prompt), of: prompt)
    if try Setting("json").flag(json) {
      standardOutput(verdicts.json)
    } else {
      for entry in verdicts.entries { standardOutput("\(entry.field): \(entry.verdict.message ?? "valid")") }
    }
    if !verdicts.isValid { throw ExitCode.invalid }
  }

  private func inputs(to prompt: Prompt) throws -> Inputs {
    var given: [(field: Field, texts: [String])] = []
    for value in values {
      guard let (name, text) = value.cut(at: "=") else {
        throw fail(.usage, "“\(value)” is no value; give NAME=VALUE, like email=alice@example.com")
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
