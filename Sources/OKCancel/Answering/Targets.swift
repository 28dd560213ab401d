internal import Asks
internal import Prompts

/// Finds what a visitor may see and answer. No handler gets a prompt or a question in another way.
struct Targets: Sendable {
  let prompts: PromptService
  let asks: AskService

  /// The prompt on offer of this name, in the language that the visitor wants.
  ///
  /// - Throws: `Problem` 404 that suggests the nearest name.
  func prompt(_ name: String, for visit: Visit) throws(Problem) -> OfferedPrompt {
    OfferedPrompt(try prompts.registry.prompt(name).inLanguage(of: visit.request), asks)
  }

  /// The question that the visitor's link leads to.
  ///
  /// - Throws: `Problem` 404 for an unknown link.
  func ask(for visit: Visit) async throws(Problem) -> LinkedAsk {
    let text = visit.request.segment("token") ?? ""
    guard let token = LinkToken(text), let ask = try await asks.withStore({ try await $0.ask(linkedBy: token) })
    else { throw Problem(.unknownLink) }
    let edition = try await asks.edition(of: ask, for: visit)
    return LinkedAsk(ask, edition, linkedBy: text, asks, prompts.registry.current)
  }
}
