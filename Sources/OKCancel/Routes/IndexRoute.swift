internal import MicroHTTP
internal import Prompts

/// `GET /`: the standing prompts that the visitor may answer.
struct IndexRoute: Sendable {
  let asks: AskService

  func get(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let offered = asks.prompts(for: visit)
    guard offered.count > 20 else { return .now(list(offered, for: visit.request)) }
    try asks.judging.limiting.admit(visit.payer, as: .work)
    return .later { () throws(Problem) in
      try await asks.judging.inBackground(for: visit.payer) { _ in list(offered, for: visit.request) }
    }
  }

  private func list(_ offered: [PublishedPrompt], for request: Request) -> Response {
    if request.wantsPage {
      let shown = offered.map { ($0.name, $0.inLanguage(of: request).edition, $0.address.page) }
      return .page(asks.registry.pages.index(shown, in: request.sentences(orElse: asks.registry.sentences)))
    }
    let entries = offered.map { published -> JSON in
      [
        "name": .string(published.name), "title": .string(published.inLanguage(of: request).edition.prompt.title),
        "href": .string(published.address.page),
      ]
    }
    return .json(JSON.array(entries).bytes)
  }
}
