internal import Crypto
internal import Synchronization

/// Asks that this process has made and that are open. Nobody else writes the database, so it need not be read for them.
///
/// They are in two generations. When the younger one is full, it becomes the older one, whose asks are forgotten.
final class OpenAsks: Sendable {
  /// Bytes that a generation may hold.
  private static let capacity = 4 << 20

  private struct Generation {
    var asks: [AskID: Ask] = [:]
    var ids: [SHA256.Digest: AskID] = [:]
    var bytes = 0
  }

  private let generations = Mutex((younger: Generation(), older: Generation()))

  /// The ask, or `nil` if it is not known here.
  subscript(id: AskID) -> Ask? {
    generations.withLock { $0.younger.asks[id] ?? $0.older.asks[id] }
  }

  subscript(token: LinkToken) -> Ask? {
    let hash = token.hash
    return generations.withLock { generations in
      generations.younger.ids[hash].flatMap { generations.younger.asks[$0] }
        ?? generations.older.ids[hash].flatMap { generations.older.asks[$0] }
    }
  }

  /// Remembers an ask that is on the disk.
  func add(_ ask: Ask, linkedBy token: LinkToken) {
    // With what the tables take for each.
    let bytes = ask.definition.stored.count + ask.values.stored.count + ask.metadata.count + 512
    generations.withLock { generations in
      if generations.younger.bytes + bytes > Self.capacity {
        generations = (Generation(), generations.younger)
      }
      generations.younger.asks[ask.id] = ask
      generations.younger.ids[token.hash] = ask.id
      generations.younger.bytes += bytes
    }
  }

  /// Forgets an ask that is about to change. Until that is on the disk, readers wait for the database.
  func remove(_ id: AskID) {
    generations.withLock { generations in
      generations.younger.asks[id] = nil
      generations.older.asks[id] = nil
    }
  }
}
