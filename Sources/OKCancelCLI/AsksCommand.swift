internal import ArgumentParser
internal import Prompts

/// `okcancel asks`
struct AsksCommand: Command {
  @Option(.word("status", of: Status.self)) var status
  @Option(help: .of("asks.prompt")) var prompt: String?
  @OptionGroup var source: ListingOptions

  enum Status: String, CaseIterable { case open, closed }

  func run() async throws {
    let (status, client) = try Failure.Collected().reading { (try self.status(), try source.client(toRead: "asks")) }
    if let prompt, !NamedPrompt.isName(prompt) { throw Failure("prompt-name", ["name": prompt]) }
    let filters = [prompt.map { "prompt=\($0)&" }, status.map { "status=\($0)&" }]
    _ = try await source.print("/asks?" + filters.compactMap(\.self).joined(), of: client) {
      AnswerTable(AnswerTable.ofAsks)
    }
  }
}
