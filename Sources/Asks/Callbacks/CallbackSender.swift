internal import Synchronization

/// Brings the callbacks of a store to their receivers, again and again until they are delivered or
/// given up. What it has not settled is in the store, for the next start.
public final class CallbackSender: Sendable {
  private let work: CallbackWork
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// What may be called, and how.
  public struct Settings: Sendable {
    /// A callback elsewhere fails, also one that was queued when it was still allowed.
    public var allowed: [CallbackPrefix]
    /// All of them sign.
    public var secrets: [WebhookSecret]
    public var schedule: RetrySchedule = .standardWebhooks
    /// For an attempt, from looking up the host to the answer's end.
    public var timeout: Duration = .seconds(15)
    /// On their way at once: all, and to one origin.
    public var limit = 128
    public var limitPerOrigin = 4

    public init(allowed: [CallbackPrefix] = [], secrets: [WebhookSecret] = []) {
      self.allowed = allowed
      self.secrets = secrets
    }
  }

  /// One attempt that is over.
  public struct Report: Sendable {
    public let callback: Callback
    public let attempt: CallbackAttempt
    /// What is recorded of it; nil where the store could not, so that it is sent once more.
    public let result: Callback.Result?
  }

  /// - Parameter observe: told of each attempt that is over.
  public init(
    _ store: any AskStore, _ settings: Settings, clock: WallClock = .system,
    observe: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    work = CallbackWork(store: store, settings: settings, clock: clock, observe: observe)
  }

  deinit { work.stop() }

  /// Sends from now on. Only one sender of a process may listen to a store.
  public func start() {
    task.withLock { task in
      task = task ?? Task { [work] in await work.run() }
    }
  }

  /// Takes no more callbacks. Those on their way may arrive within `grace`; the rest is interrupted
  /// and due again at once.
  public func stop(within grace: Duration) async {
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
