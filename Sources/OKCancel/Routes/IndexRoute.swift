internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// `GET /`: the prompts this server offers.
struct IndexRoute: Sendable {
  let site: Site

  func get(_ request: Request) throws(Problem) -> Route.Reply {
    let offers = site.catalogue.current.sorted
    if request.wantsPage {
      let entries = offers.map { (name: $0.name, prompt: $0.prompt, href: Pages.Address(prompt: $0.name).page) }
      return .now(Response(.ok, type: "text/html; charset=utf-8", bytes: site.pages.index(entries)))
    }
    var json = JSONWriter()
    json.array(offers) { json, offer in
      json.object { json in
        json.member("name", offer.name)
        json.member("title", offer.prompt.title)
        json.member("href", Pages.Address(prompt: offer.name).page)
      }
    }
    return .now(Response(.ok, type: "application/json", bytes: json.bytes))
  }
}
