internal import ArgumentParser
internal import OKCancel
internal import Prompts

/// `okcancel answers NAME`
struct AnswersCommand: Command {
  @Argument(help: .of("answers.name")) var name: String
  @Flag("asks") var asks
  @OptionGroup var source: ListingOptions

  func run() async throws {
    let client = try Failure.Collected().reading { try source.client(toRead: "answers") }
    guard NamedPrompt.isName(name) else { throw Failure("prompt-name", ["name": name]) }
    let path = asks ? "/asks?prompt=\(name)&status=closed&" : "/prompts/\(name)/answers?"
    let table = try await source.print(path, of: client) {
      let fields = try await columns(path, of: client)
      return AnswerTable(
        AnswerTable.ofAnswers, fields: fields,
        asks ? ["id", "createdAt", "askedBy", "metadata"] + AnswerTable.afterwards : [])
    }
    if let table, !table.leftOut.isEmpty {
      standardError(
        "okcancel: the prompt no longer has \(table.leftOut.sorted().joined(separator: ", ")), which older answers do; --format json prints them"
      )
    }
  }
}

extension AnswersCommand {
  /// The prompt's fields or, if it cannot be read, as when it is no longer on offer, those that its answers have.
  private func columns(_ path: String, of client: Client) async throws -> [AnswerTable.Column] {
    do throws(AskFault) { return try await client.fields(ofPromptNamed: name).map { ($0.name, $0.path) } } catch {
      switch error {
      // Or this token is not one that may read definitions.
      case .unknownPrompt, .refused, .notUnderstood: break
      default: throw error
      }
    }
    var columns: [AnswerTable.Column] = []
    try await client.lines(of: path) { lines in
      for line in lines {
        let values = try JSON(parsing: Array(line.utf8), limits: .file)["values"]
        columns += AnswerTable.columns(of: values).filter { new in !columns.contains { $0.name == new.name } }
      }
    }
    return columns
  }
}
