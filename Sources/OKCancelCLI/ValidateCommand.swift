internal import ArgumentParser
internal import OKCancel
internal import Prompts

/// `okcancel validate PROMPT.yaml name=value …`
struct ValidateCommand: Command {
  @Argument(help: .of("validate.file"), completion: .file(extensions: ["yaml", "yml", "json"])) var file: String
  @Argument(help: .of("validate.values")) var values: [String] = []
  @OptionGroup var output: FieldOutput
  @OptionGroup var predicates: PredicateOptions
  @OptionGroup var language: LanguageOption

  func run() async throws {
    let (format, commands, authorLanguage) = try Failure.Collected().reading {
      (try output.chosen(), try predicates.commands(), try language.language() ?? .english)
    }
    let definition = try DefinitionFile(path: file, predicates: Array(commands.keys), in: authorLanguage)
    let prompt = definition.prompt.inLanguage(authorLanguage).prompt
    let registered = Predicates(
      commands.mapValues { $0.predicate { standardError("okcancel: a value could not be checked: \($0)") } })
    try output.check(prompt.fields.map(\.name), for: format)
    let edition = prompt.edition(in: try language.ofPerson()?.lookup(in: prompt.languages))
    let inputs = try Inputs(values, of: prompt.fields.map { ($0.name, $0.kind) })
    let verdicts = await Judge(predicates: registered).verdicts(on: inputs, of: edition)
    switch format {
    case .json: try standardOutput(verdicts.json)
    case nil where verdicts.entries.count > 1: try standardOutput(verdicts.json)
    case nil:
      for entry in verdicts.entries { try standardOutput("\(entry.field): \(entry.verdict.message ?? "valid")") }
    case let format?: try output.print(verdicts.entries.map { ($0.field, .text($0.verdict.message ?? "")) }, as: format)
    }
    if !verdicts.isValid { throw ExitCode.invalid }
  }
}
