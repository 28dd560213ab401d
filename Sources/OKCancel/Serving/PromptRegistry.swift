internal import Glibc
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import Synchronization

/// The prompts a server offers now. A reload replaces them all at once.
final class PromptRegistry: Sendable {
  /// The prompts between two reloads, by name.
  final class Generation: Sendable {
    /// By name.
    let sorted: [PublishedPrompt]
    /// The names of all, one after another.
    private let names: [UInt8]
    /// Where each name ends, after a zero for the first one's start.
    private let ends: [Int]

    init(_ prompts: [NamedPrompt], pages: Pages, headers: [(name: String, value: String)]) {
      sorted = prompts.map { PublishedPrompt($0, pages: pages, headers: headers) }.sorted { $0.name < $1.name }
      names = sorted.flatMap { Array($0.name.utf8) }
      ends = sorted.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.name.utf8.count) }
    }

    subscript(name: String) -> PublishedPrompt? {
      var name = name
      return name.withUTF8 { self[$0] }
    }

    /// Names are ASCII, so that their bytes are in the order of the names.
    subscript(name: UnsafeBufferPointer<UInt8>) -> PublishedPrompt? {
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

  private let generation: Mutex<Generation>

  init(_ generation: Generation) { self.generation = Mutex(generation) }

  var current: Generation { generation.withLock { $0 } }

  func replace(with next: Generation) { generation.withLock { $0 = next } }

  // Looked up under the lock, which is shorter than to count who uses the generation.

  /// - Throws: `Problem` 404 that names the nearest prompt.
  func prompt(_ name: String) throws(Problem) -> PublishedPrompt {
    if let published = generation.withLock({ $0[name] }) { return published }
    throw noPrompt(name)
  }

  /// The prompt that a path names.
  ///
  /// - Throws: `Problem` 404 that names the nearest prompt.
  func prompt(in request: Request) throws(Problem) -> PublishedPrompt {
    let published = request.withParameter("name") { name in generation.withLock { $0[name] } }
    if let published { return published }
    throw noPrompt(request.parameters["name"] ?? "")
  }

  private func noPrompt(_ name: String) -> Problem {
    let nearest = Nearest.nearest(to: name, among: current.sorted.map(\.name))
    let remedy = nearest.map { "did you mean “\($0)”?" } ?? "GET / lists the prompts there are."
    return Problem(status: .notFound, detail: "There is no prompt “\(name)”; \(remedy)")
  }
}
