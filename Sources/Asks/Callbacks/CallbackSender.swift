internal import Synchronization

/// Brings the callbacks of a store to their receivers, again and again until they are delivered or
/// given up. What it has not settled is in the store, for the next start.
package final class CallbackSender: Sendable {
  private let work: CallbackWork
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// What may be called, and how.
  package struct Settings: Sendable {
    /// A callback elsewhere fails, also one that was queued when it was still allowed.
    package var allowed: [CallbackPrefix]
    /// All of them sign.
    package var secrets: [WebhookSecret]
    package var schedule: RetrySchedule = .standardWebhooks
    /// For an attempt, from looking up the host to the answer's end.
    package var timeout: Duration = .seconds(15)
    /// On their way at once: all, and to one origin.
    package var limit = 128
    package var limitPerOrigin = 4

    package init(allowed: [CallbackPrefix] = [], secrets: [WebhookSecret] = []) {
      self.allowed = allowed
      self.secrets = secrets
    }
  }

  /// One attempt that is over.
  package struct Report: Sendable {
    package let callback: Callback
    package let attempt: CallbackAttempt
    /// What is recorded of it; nil where the store could not, so that it is sent once more.
    package let result: Callback.Result?
  }

  /// - Parameter observe: told of each attempt that is over.
  package init(
    _ store: any AskStore, _ settings: Settings, clock: WallClock = .system,
    observe: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    work = CallbackWork(store: store, settings: settings, clock: clock, observe: observe)
  }

  deinit { work.stop() }

  /// Sends from now on. Only one sender of a process may listen to a store.
  package func start() {
    task.withLock { task in
      task = task ?? Task { [work] in await work.run() }
    }
  }

  /// Takes no more callbacks. Those on their way may arrive within `grace`; the rest is interrupted
  /// and due again at once.
  package func stop(within grace: Duration) async {
    work.stop()
    guard let task = task.withLock({ $0 }) else { return }
    let end = Task {
      try await Task.sleep(for: grace)
      task.cancel()
    }
    await task.value
    end.cancel()
  }
}
