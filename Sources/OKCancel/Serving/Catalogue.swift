internal import MicroHTTP
internal import Pages
internal import Prompts
internal import Synchronization

/// The prompts a server offers now. A reload replaces them all at once.
final class Catalogue: Sendable {
  /// One generation of offers, by name.
  final class Offers: Sendable {
    let sorted: [Offer]
    private let byName: [String: Offer]

    init(_ prompts: [NamedPrompt], pages: Pages, headers: [(name: String, value: String)]) {
      sorted = prompts.map { Offer($0, pages: pages, headers: headers) }.sorted { $0.name < $1.name }
      byName = Dictionary(sorted.map { ($0.name, $0) }) { first, _ in first }
    }

    subscript(name: String) -> Offer? { byName[name] }
  }

  private let offers: Mutex<Offers>

  init(_ offers: Offers) { self.offers = Mutex(offers) }

  var current: Offers { offers.withLock { $0 } }

  func replace(with offers: Offers) { self.offers.withLock { $0 = offers } }

  /// - Throws: `Problem` 404 that names the nearest prompt.
  func offer(_ name: String) throws(Problem) -> Offer {
    let offers = current
    if let offer = offers[name] { return offer }
    let nearest = Nearest.nearest(to: name, among: offers.sorted.map(\.name))
    let remedy = nearest.map { "did you mean “\($0)”?" } ?? "GET / lists the prompts there are."
    throw Problem(status: .notFound, detail: "There is no prompt “\(name)”; \(remedy)")
  }
}
