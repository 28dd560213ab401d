internal import Asks
internal import Prompts

/// Finds what a visitor may see and answer. No handler gets a prompt or a question in another way.
struct Targets: Sendable {
  let prompts: PromptService
  let asks: AskService
  let admission: Admission

  /// The prompt on offer of this name, in the language that the visitor wants.
  ///
  /// - Throws: `Problem` 404 that suggests the nearest name, 401 or 403 if the visitor may not answer it.
  func prompt(_ name: String, for visit: Visit) throws(Problem) -> OfferedPrompt {
    let published = try prompts.registry.prompt(name).inLanguage(of: visit.request)
    return OfferedPrompt(published, asks, by: try admission.by(visit, to: published.edition.authored))
  }

  /// The prompts on offer that the visitor may answer, by name.
  func prompts(for visit: Visit) -> [PublishedPrompt] {
    prompts.registry.current.sorted.filter { published in
      published.edition.authored.answerers.isEmpty || (try? admission.by(visit, to: published.edition.authored)) != nil
    }
  }

  /// The question that the visitor's link leads to.
  ///
  /// - Throws: `Problem` 404 for an unknown link, 401 or 403 if the visitor may not answer it.
  func ask(for visit: Visit) async throws(Problem) -> LinkedAsk {
    let text = visit.request.segment("token") ?? ""
    guard let token = LinkToken(text), let ask = try await asks.withStore({ try await $0.ask(linkedBy: token) })
    else { throw Problem(.unknownLink) }
    let edition = try await asks.edition(of: ask, for: visit)
    let by = try admission.by(visit, to: edition.authored, of: ask)
    return LinkedAsk(ask, edition, linkedBy: text, by: by, asks, prompts.registry.current)
  }
}
