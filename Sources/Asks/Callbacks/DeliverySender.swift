internal import Prompts
internal import Synchronization

/// Sends a store's callbacks and notices to their receivers, and retries each until it is delivered or given up. What is
/// not settled stays in the store for the next start.
package final class DeliverySender: Sendable {
  let store: AskStore
  let settings: Settings
  let clock: WallClock
  private let observe: @Sendable (Report) -> Void
  let observeNotices: @Sendable (NoticeReport) -> Void
  private let underWay = Atomic(0)
  /// Messages on their way, by channel.
  let messages = Mutex<[String: Int]>([:])
  let pauses = Mutex(ReceiverPauses())
  private let isStopping = Atomic(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// The longest time between two looks into the store: other processes may queue callbacks too.
  private static let longestPause: Duration = .seconds(60)
  /// The pause while due callbacks are held back because their origin is busy or paused.
  private static let pauseWhileBusy: Duration = .seconds(1)
  /// The pause after a claim that found some: even 100,000 callbacks to a fast receiver leave the store time for
  /// answers.
  private static let pauseBetweenClaims: Duration = .milliseconds(10)
  private static let pauseAfterFault: Duration = .seconds(5)

  /// The settings of what is sent: the allowed URLs, the channels, the secrets, the retries and the limits.
  package struct Settings: Sendable {
    /// The URLs to which callbacks may go. A callback to any other URL fails, even if it was allowed when it was
    /// queued.
    var allowed: [CallbackPrefix]
    /// Each callback is signed with all of them.
    var secrets: [WebhookSecret]
    var schedule: RetrySchedule = .standardWebhooks
    /// The time limit of one attempt, from the host lookup to the response's end.
    var timeout: Duration = .seconds(15)
    /// The number of callbacks that may be on their way at once: in total, and to one origin.
    package var limit = 128
    package var limitPerOrigin = 4
    /// The ways to tell people; each has a limit of its own, `limitPerOrigin`.
    var channels: [Channel] = []

    package init(allowed: [CallbackPrefix] = [], secrets: [WebhookSecret] = [], channels: [Channel] = []) {
      self.allowed = allowed
      self.secrets = secrets
      self.channels = channels
    }
  }

  /// One attempt that is over.
  package struct Report: Sendable {
    package let callback: Callback
    package let attempt: OutgoingResult
    /// The result to record, or `nil` if the store failed, so that it is sent once more.
    package let result: Callback.Result?
  }

  /// - Parameters:
  ///   - observe: told of each attempt at a callback that is over.
  ///   - observeNotices: the same for notices.
  package init(
    _ store: AskStore, _ settings: Settings, observe: @escaping @Sendable (Report) -> Void = { _ in },
    observeNotices: @escaping @Sendable (NoticeReport) -> Void = { _ in }
  ) {
    self.store = store
    self.settings = settings
    self.clock = store.clock
    self.observe = observe
    self.observeNotices = observeNotices
  }

  /// Sends from now on, until `stop`. Only one sender of a process may listen to a store.
  package func start() {
    task.withLock { task in
      task = task ?? Task { await run() }
    }
  }

  /// Takes no more callbacks. Those on their way may arrive within `grace`; the rest is interrupted and due again at
  /// once.
  package func stop(within grace: Duration) async {
    stop()
    guard let task = task.withLock({ $0 }) else { return }
    let end = Task {
      try await Task.sleep(for: grace)
      task.cancel()
    }
    await task.value
    end.cancel()
  }

  /// Sends nothing more, and returns at once.
  package func stop() {
    isStopping.store(true, ordering: .relaxed)
    store.deliverySignal.wake()
  }

  // MARK: The task

  /// Sends callbacks until `stop`, and returns when those on their way are settled. If the task is cancelled, they are
  /// interrupted, so that it returns soon.
  private func run() async {
    await withDiscardingTaskGroup { group in
      while !isStopping.load(ordering: .relaxed), !Task.isCancelled {
        let pause: Duration
        do {
          let looked = clock.now
          let callbacks = try await claim()
          for callback in callbacks {
            underWay.add(1, ordering: .relaxed)
            group.addTask { await self.deliver(callback) }
          }
          let claimed = try await claimNotices()
          for notices in claimed { group.addTask { await self.deliver(notices) } }
          if !callbacks.isEmpty || !claimed.isEmpty { try? await Task.sleep(for: Self.pauseBetweenClaims) }
          let next = try await store.nextDelivery()
          pause =
            next.map { $0 > looked ? min($0 - clock.now, Self.longestPause) : Self.pauseWhileBusy } ?? Self.longestPause
        } catch {
          pause = Self.pauseAfterFault
        }
        await store.deliverySignal.wait(atMost: pause)
      }
    }
  }

  private func claim() async throws -> [Callback] {
    let free = settings.limit - underWay.load(ordering: .relaxed)
    guard free > 0 else { return [] }
    // Twice the longest attempt: time enough to settle it.
    return try await store.claimCallbacks(
      limit: free, perOrigin: settings.limitPerOrigin, limits: pauses.withLock { $0.limits(at: clock.now) },
      lease: settings.timeout * 2)
  }

  private func deliver(_ callback: Callback) async {
    let attempt = await attempt(callback)
    let result = callback.result(of: attempt, at: clock.now, on: settings.schedule)
    pauses.withLock { $0.record(result, of: callback.origin, at: clock.now) }
    let isSettled = (try? await store.settleCallback(callback, as: result)) != nil
    observe(.init(callback: callback, attempt: attempt, result: isSettled ? result : nil))
    underWay.subtract(1, ordering: .relaxed)
    // There is room for another now.
    store.deliverySignal.wake()
  }

  private func attempt(_ callback: Callback) async -> OutgoingResult {
    guard let url = try? CallbackURL(callback.url), settings.allowed.contains(where: { $0.allows(url) }) else {
      return .noResponse(reason: "its URL is not under any prefix that --allow-callback names")
    }
    do {
      let body = try store.secrets.json(of: callback.closed)
      let request = callback.request(to: url, body: body, signedWith: settings.secrets, at: clock.now)
      return await request.send(within: settings.timeout)
    } catch {
      return .noResponse(reason: "the outcome cannot be opened: \(error)")
    }
  }
}

/// The schedule by which a callback is tried again after a failure.
struct RetrySchedule: Sendable {
  /// Pauses before the second, third … attempt.
  let pauses: [Duration]
  /// A pause is lengthened by up to this part of itself, so that callbacks which failed together do not come back
  /// together.
  let jitter: Double

  /// The schedule of Standard Webhooks 1.0 ("Deliverability and reliability"): ten attempts in a little more than three
  /// days.
  static let standardWebhooks = RetrySchedule(
    pauses: [
      .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000),
      .seconds(36_000), .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ],
    jitter: 0.1)

  /// The pause after that many failed attempts, or `nil` to give up.
  ///
  /// - Parameter chance: 0 up to 1, drawn anew each time.
  func pause(afterAttempts attempts: Int, chance: Double) -> Duration? {
    guard attempts >= 1, attempts <= pauses.count else { return nil }
    let pause = pauses[attempts - 1]
    return pause + pause * (jitter * chance)
  }
}

/// Wakes the task that waits for it; calls of `wake` while none does count as one.
package struct WakeSignal: Sendable {
  private let wakes: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  package init() {
    (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func wake() { continuation.yield() }

  /// Returns at the next `wake`, after that time, or when the task is cancelled.
  package func wait(atMost duration: Duration) async {
    let timer = Task { [continuation] in
      try await Task.sleep(for: duration)
      continuation.yield()
    }
    defer { timer.cancel() }
    for await _ in wakes { return }
  }
}
