internal import Glibc
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import Synchronization

/// The prompts a server offers now. A reload replaces them all at once.
final class Catalogue: Sendable {
  /// One generation of offers, by name.
  final class Offers: Sendable {
    /// By name.
    let sorted: [Offer]
    /// The names of all, one after another.
    private let names: [UInt8]
    /// Where each name ends, after a zero for the first one's start.
    private let ends: [Int]

    init(_ prompts: [NamedPrompt], pages: Pages, headers: [(name: String, value: String)]) {
      sorted = prompts.map { Offer($0, pages: pages, headers: headers) }.sorted { $0.name < $1.name }
      names = sorted.flatMap { Array($0.name.utf8) }
      ends = sorted.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.name.utf8.count) }
    }

    subscript(name: String) -> Offer? {
      var name = name
      return name.withUTF8 { self[$0] }
    }

    /// Names are ASCII, so that their bytes are in the order of the names.
    subscript(name: UnsafeBufferPointer<UInt8>) -> Offer? {
      names.withUnsafeBufferPointer { names in
        guard let wanted = name.baseAddress, let all = names.baseAddress else { return nil }
        var (low, high) = (0, sorted.count)
        while low < high {
          let middle = (low + high) / 2
          let count = ends[middle + 1] - ends[middle]
          let order = memcmp(all + ends[middle], wanted, min(count, name.count))
          if order == 0, count == name.count { return sorted[middle] }
          if order < 0 || order == 0 && count < name.count { low = middle + 1 } else { high = middle }
        }
        return nil
      }
    }
  }

  private let offers: Mutex<Offers>

  init(_ offers: Offers) { self.offers = Mutex(offers) }

  var current: Offers { offers.withLock { $0 } }

  func replace(with offers: Offers) { self.offers.withLock { $0 = offers } }

  // Looked up under the lock, which is shorter than to count who uses the offers.

  /// - Throws: `Problem` 404 that names the nearest prompt.
  func offer(_ name: String) throws(Problem) -> Offer {
    if let offer = offers.withLock({ $0[name] }) { return offer }
    throw noPrompt(name)
  }

  /// The offer that a path names.
  ///
  /// - Throws: `Problem` 404 that names the nearest prompt.
  func offer(in request: Request) throws(Problem) -> Offer {
    let offer = request.withParameter("name") { name in offers.withLock { $0[name] } }
    if let offer { return offer }
    throw noPrompt(request.parameters["name"] ?? "")
  }

  private func noPrompt(_ name: String) -> Problem {
    let nearest = Nearest.nearest(to: name, among: current.sorted.map(\.name))
    let remedy = nearest.map { "did you mean “\($0)”?" } ?? "GET / lists the prompts there are."
    return Problem(status: .notFound, detail: "There is no prompt “\(name)”; \(remedy)")
  }
}
