internal import Synchronization

/// The sender's loop: claim what is due, send it, settle it, wait for the next.
final class CallbackWork: Sendable {
  private let store: any AskStore
  private let settings: CallbackSender.Settings
  private let clock: WallClock
  private let observe: @Sendable (CallbackSender.Report) -> Void
  private let curl: CurlLoop
  private let underWay = Atomic(0)
  private let pauses = Mutex(ReceiverPauses())
  private let isStopping = Atomic(false)

  /// The longest time between two looks into the store: other processes may queue callbacks too.
  private static let longestPause: Duration = .seconds(60)
  /// While due callbacks are held back because their origin is busy, or left alone.
  private static let pauseWhileBusy: Duration = .seconds(1)
  /// Between two claims that find something: 100,000 that wait for a quick receiver leave the store to people's answers.
  private static let breath: Duration = .milliseconds(10)
  /// The pause after the store failed.
  private static let pauseAfterFault: Duration = .seconds(5)

  init(
    store: any AskStore, settings: CallbackSender.Settings, clock: WallClock,
    observe: @escaping @Sendable (CallbackSender.Report) -> Void
  ) {
    (self.store, self.settings, self.clock, self.observe) = (store, settings, clock, observe)
    curl = CurlLoop(timeout: settings.timeout)
  }

  /// Claims no more.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    store.callbackSignal.ring()
  }

  /// Returns after `stop`, when all that was on its way is settled. Cancelled: that is soon.
  func run() async {
    await withDiscardingTaskGroup { group in
      while !isStopping.load(ordering: .relaxed), !Task.isCancelled {
        let pause: Duration
        do {
          let looked = clock.now
          let callbacks = try await claimed()
          for callback in callbacks {
            underWay.add(1, ordering: .relaxed)
            group.addTask { await self.deliver(callback) }
          }
          if !callbacks.isEmpty { try? await Task.sleep(for: Self.breath) }
          let next = try await store.nextCallback()
          pause =
            next.map { $0 > looked ? min($0 - clock.now, Self.longestPause) : Self.pauseWhileBusy } ?? Self.longestPause
        } catch {
          pause = Self.pauseAfterFault
        }
        await store.callbackSignal.wait(atMost: pause)
      }
    }
    curl.stop()
  }

  private func claimed() async throws -> [Callback] {
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
    let isSettled = (try? await store.settle(callback, as: result)) != nil
    observe(.init(callback: callback, attempt: attempt, result: isSettled ? result : nil))
    underWay.subtract(1, ordering: .relaxed)
    // There is room for another now.
    store.callbackSignal.ring()
  }

  private func attempt(_ callback: Callback) async -> CallbackAttempt {
    guard let url = try? CallbackURL(callback.url), settings.allowed.contains(where: { $0.allows(url) }) else {
      return .notAllowed
    }
    do {
      let body = try store.secrets.json(of: callback.closed)
      return await curl.send(
        callback.request(to: url, body: body, signedWith: settings.secrets, at: clock.now))
    } catch {
      return .unreadable(reason: "\(error)")
    }
  }
}
