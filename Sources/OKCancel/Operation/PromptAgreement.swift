internal import Asks
internal import Logging
internal import Synchronization

/// Checks that all servers of a shared database offer the same prompts.
///
/// Every few seconds each server records what it offers and reads what the others offer. While these differ, the load
/// balancer decides which dialog a person gets: a metric shows that, and the log says when it begins and ends.
final class PromptAgreement: Sendable {
  private static let interval: Duration = .seconds(10)

  private struct Agreement {
    var differing: [String] = []
    var task: Task<Void, Never>?
  }

  private let store: AskStore
  private let registry: PromptRegistry
  private let logger: Logger
  private let state = Mutex(Agreement())

  /// - Returns: `nil` if no other server can share the store.
  init?(on store: AskStore, _ registry: PromptRegistry, _ logger: Logger) {
    guard store.isShared else { return nil }
    self.store = store
    self.registry = registry
    self.logger = logger
  }

  deinit { state.withLock { $0.task?.cancel() } }

  /// Prompts that another server offers in another version, or that only some offer; by name, sorted.
  var differing: [String] { state.withLock(\.differing) }

  /// Records what this server offers and compares it with the others, now and every few seconds.
  func start() {
    let task = Task { [weak self] in
      while !Task.isCancelled {
        await self?.look()
        try? await Task.sleep(for: Self.interval)
      }
    }
    state.withLock { state in
      state.task?.cancel()
      state.task = task
    }
  }

  private func look() async {
    let offered = registry.current.sorted.map { ($0.name, $0.version) }
    // While the database is away nothing is known of others, and the log says so already.
    guard let differing = try? await store.offer(Dictionary(uniqueKeysWithValues: offered)) else { return }
    let before = state.withLock { state in
      defer { state.differing = differing }
      return state.differing
    }
    if before.isEmpty, !differing.isEmpty {
      let isOne = differing.count == 1
      let names =
        differing.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
        + (differing.count > 5 ? " and \(differing.count - 5) more" : "")
      logger.warning(
        "servers of this database offer different versions of the prompt\(isOne ? "" : "s") \(names); give all of them the same files"
      )
    } else if !before.isEmpty, differing.isEmpty {
      logger.notice("all servers of this database offer the same prompts again")
    }
  }
}
