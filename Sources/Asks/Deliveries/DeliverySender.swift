package import Prompts
internal import Synchronization

/// Sends a store's callbacks and notices to their receivers, and retries each until it is delivered or given up. What is
/// not settled stays in the store for the next start.
package final class DeliverySender: Sendable {
  let store: AskStore
  let settings: Settings
  let clock: WallClock
  let observe: @Sendable (Report) -> Void
  /// Claims on their way, by the channel or the origin of a callback's URL.
  let underWay = Mutex<[String: Int]>([:])
  let pauses = Mutex(ReceiverPauses())
  private let isStopping = Atomic(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// The longest time between two looks into the store: other processes may queue something too.
  private static let longestPause: Duration = .seconds(60)
  /// The pause while due deliveries are held back because their receiver is busy or paused.
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
    let claim: Claim
    /// `nil` if it was set aside, because the program ended each time that it was sent.
    package let attempt: OutgoingResult?
    /// Why a notice failed, without secrets.
    package var error: String?
    /// The result to record, or `nil` if the store failed, so that it is sent once more.
    package let result: Delivery.Result?
    package let moment: Timestamp

    package var deliveries: [Delivery] { claim.deliveries }
    /// The origin of a callback's URL, or `nil` for notices.
    package var origin: String? { claim.channel == nil ? claim.origin : nil }
    /// The name of the channel, or `nil` for a callback.
    package var channel: String? { claim.channel?.name }
    /// True if it updates a message that was sent before.
    package var isUpdate: Bool { claim.channel != nil && deliveries.allSatisfy(\.isUpdate) }
  }

  /// - Parameter observe: told of each attempt that is over.
  package init(_ store: AskStore, _ settings: Settings, observe: @escaping @Sendable (Report) -> Void = { _ in }) {
    self.store = store
    self.settings = settings
    self.clock = store.clock
    self.observe = observe
  }

  /// Sends from now on, until `stop`. Only one sender of a process may listen to a store.
  package func start() {
    task.withLock { task in
      task = task ?? Task { await run() }
    }
  }

  /// Claims nothing more. What is on its way may arrive within `grace`; the rest is interrupted and due again at once.
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

  /// Sends until `stop`, and returns when what is on its way is settled. If the task is cancelled, that is interrupted, so
  /// that it returns soon.
  private func run() async {
    await withDiscardingTaskGroup { group in
      // True if what was struck is next: nothing else is claimed until it is over.
      var isAlone = false, last = Timestamp?.none
      while !isStopping.load(ordering: .relaxed), !Task.isCancelled {
        if isAlone, !underWay.withLock(\.isEmpty) {
          await store.deliverySignal.wait(atMost: Self.longestPause)
          continue
        }
        let pause: Duration
        do {
          let looked = clock.now
          if last.map({ looked < $0 }) ?? true { try await store.rewind(asItStarts: last == nil) }
          last = looked
          let claimed = try await claim(alone: isAlone)
          for claim in claimed.claims {
            if isAlone { await deliver(claim) } else { group.addTask { await self.deliver(claim) } }
          }
          isAlone = !isAlone && !claimed.foundAny && claimed.isStruckDue
          if claimed.foundAny { try? await Task.sleep(for: Self.pauseBetweenClaims) }
          if claimed.foundAny || isAlone { continue }
          let next = try await store.nextDelivery()
          pause =
            next.map { $0 > looked ? min($0 - clock.now, Self.longestPause) : Self.pauseWhileBusy } ?? Self.longestPause
        } catch {
          isAlone = false
          pause = Self.pauseAfterFault
        }
        await store.deliverySignal.wait(atMost: pause)
      }
    }
  }

  private func claim(alone isAlone: Bool) async throws -> Claimed {
    let underWay = underWay.withLock(\.self)
    var limits = pauses.withLock { $0.limits(at: clock.now) }
    var room = settings.limit
    for (name, count) in underWay {
      // The store counts the callbacks to an origin, those of other senders among them.
      if settings.channels[name] == nil {
        room -= count
      } else {
        limits[name] = (limits[name] ?? settings.limitPerOrigin) - count
      }
    }
    // Twice the longest attempt: time enough to settle it.
    let claimed = try await store.claim(
      through: settings.channels, alone: isAlone, limit: room, perReceiver: settings.limitPerOrigin, limits: limits,
      lease: settings.timeout * 2)
    self.underWay.withLock { for claim in claimed.claims { $0[claim.limited, default: 0] += 1 } }
    for claim in claimed.setAside {
      observe(Report(claim: claim, attempt: nil, result: .givenUp, moment: clock.now))
    }
    return claimed
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
