internal import Asks
internal import MicroHTTP
internal import Prompts
internal import Synchronization

/// `GET /watch`, which only a server with `--watch` has: open pages hear, as server-sent events, which version of the
/// prompts, templates and files is served, and what keeps a newer one from being served.
final class WatchRoute: Sendable {
  private struct Served: Equatable {
    var version: String
    var faults: [String] = []

    var json: JSON { ["version": .string(version), "faults": .strings(faults)] }
  }

  private struct OpenPages {
    var state: Served
    /// The signals that wake each open page's stream.
    var listening: [Int: WakeSignal] = [:]
    var nextID = 0
  }

  private let pages: Mutex<OpenPages>
  private let origins: CrossOrigin

  /// The number of pages that may listen at a time.
  static let limit = 64
  /// As many as a person reads.
  private static let faultLimit = 50

  init(_ version: String, _ origins: CrossOrigin) {
    pages = Mutex(OpenPages(state: Served(version: version)))
    self.origins = origins
  }

  /// This version is served from now on, and there is nothing wrong with it.
  func tell(_ version: String) { tell { $0 = Served(version: version) } }

  /// These faults keep a newer version from being served; the old one stays.
  func tell(faults: [String]) {
    let more = faults.count - Self.faultLimit
    // They quote the files, where a key may be as long as a file.
    let told = faults.prefix(Self.faultLimit).map { $0.utf8.count > 2000 ? $0.prefix(500) + "…" : $0 }
    tell { $0.faults = told + (more > 0 ? ["… and \(more) more"] : []) }
  }

  private func tell(_ change: (inout Served) -> Void) {
    pages.withLock { pages in
      change(&pages.state)
      for news in pages.listening.values { news.wake() }
    }
  }

  func get(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let request = visit.request
    // Only the author at this machine may see the errors in files, and no proxy is between.
    if ["x-forwarded-for", "forwarded"].contains(where: { request.header($0) != nil }) {
      throw Problem(HTTPError.notFound)
    }
    // Another site's page could not read it, but could take up the room of those that may.
    try origins.check(request, isAction: true)
    guard pages.withLock({ $0.listening.count < Self.limit }) else {
      throw Problem("busy.pages", ["limit": Self.limit], headers: [("Retry-After", "5")])
    }
    return .now(EventStream.response { await self.follow(in: $0) })
  }

  /// Ends with the page or with the server.
  private func follow(in stream: EventStream) async {
    let news = WakeSignal()
    let id = pages.withLock { pages in
      pages.nextID += 1
      pages.listening[pages.nextID] = news
      return pages.nextID
    }
    defer { pages.withLock { _ = $0.listening.removeValue(forKey: id) } }
    var told: Served?
    while !Task.isCancelled {
      let state = pages.withLock { $0.state }
      guard state == told ? stream.sendComment() : stream.send(state.json.bytes, after: "retry: 1000\n") else { return }
      told = state
      await news.wait(atMost: EventStream.heartbeat)
    }
  }
}
