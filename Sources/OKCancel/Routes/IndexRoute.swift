internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// `GET /`: the prompts this server offers.
struct IndexRoute: Sendable {
  let service: PromptService

  func get(_ request: Request) throws(Problem) -> Route.Reply {
    let prompts = service.registry.current.sorted
    if request.wantsPage {
      let entries = prompts.map { (name: $0.name, prompt: $0.prompt, href: Pages.Address(prompt: $0.name).page) }
      return .now(Response(.ok, type: "text/html; charset=utf-8", bytes: service.pages.index(entries)))
    }
    var json = JSONWriter()
    json.array(prompts) { json, published in
      json.object { json in
        json.member("name", published.name)
        json.member("title", published.prompt.title)
        json.member("href", Pages.Address(prompt: published.name).page)
      }
    }
    return .now(Response(.ok, type: "application/json", bytes: json.bytes))
  }
}
