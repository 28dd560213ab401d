internal import Synchronization

/// Values by key, as long as there is room: the least recently used go first.
final class LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// An object, so that to read it changes no dictionary.
  private final class Entry {
    let value: Value
    let bytes: Int
    var lastUse: UInt64

    init(_ value: Value, bytes: Int, at use: UInt64) { (self.value, self.bytes, lastUse) = (value, bytes, use) }
  }

  private struct Contents {
    var entries: [Key: Entry] = [:]
    var bytes = 0
    var uses: UInt64 = 0
  }

  private let capacity: Int
  private let state = Mutex(Contents())

  /// - Parameter capacity: bytes that all values may have together.
  init(capacity: Int) { self.capacity = capacity }

  /// The number of entries, and their bytes.
  var size: (count: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

  subscript(key: Key) -> Value? {
    state.withLock { state in
      guard let entry = state.entries[key] else { return nil }
      state.uses += 1
      entry.lastUse = state.uses
      return entry.value
    }
  }

  /// Keeps a value, unless there is one already.
  ///
  /// - Returns: the value that is kept.
  func keep(_ value: Value, for key: Key, bytes: Int) -> Value {
    state.withLock { state in
      if let other = state.entries[key] { return other.value }
      state.uses += 1
      state.entries[key] = Entry(value, bytes: bytes, at: state.uses)
      state.bytes += bytes
      while state.bytes > capacity, let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        state.entries[oldest.key] = nil
        state.bytes -= oldest.value.bytes
      }
      return value
    }
  }
}
