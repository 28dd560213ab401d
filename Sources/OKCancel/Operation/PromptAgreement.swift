internal import Asks
internal import Logging
internal import Synchronization

/// Whether all servers of a shared database offer the same prompts.
///
/// Each says every few seconds what it offers, and looks at what the others say. Where they differ, it depends on the
/// load balancer which dialog a person gets: that is a metric, and a line in the log as it begins and as it ends.
final class PromptAgreement: Sendable {
  private static let interval: Duration = .seconds(10)

  private struct State {
    var differing: [String] = []
    var task: Task<Void, Never>?
  }

  private let store: AskStore
  private let registry: PromptRegistry
  private let logger: Logger
  private let state = Mutex(State())

  /// - Returns: `nil` if no other server can share the store.
  init?(on store: AskStore, _ registry: PromptRegistry, _ logger: Logger) {
    guard store.isShared else { return nil }
    (self.store, self.registry, self.logger) = (store, registry, logger)
  }

  deinit { state.withLock { $0.task?.cancel() } }

  /// Prompts that another server offers in another version, or that only some offer; by name, sorted.
  var differing: [String] { state.withLock(\.differing) }

  /// Says now what this server offers, and again and again.
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
