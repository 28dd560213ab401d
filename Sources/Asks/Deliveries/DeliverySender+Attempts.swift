internal import Crypto
internal import Prompts
internal import Synchronization

extension DeliverySender {
  /// Sends what was claimed together.
  func deliver(_ claim: Claim) async {
    if let channel = claim.channel {
      await tell(claim, by: channel)
    } else {
      for callback in claim.deliveries { await send(callback, claim) }
    }
    underWay.withLock { $0[claim.limited] = $0[claim.limited].flatMap { $0 > 1 ? $0 - 1 : nil } }
    // There is room for another now.
    store.deliverySignal.wake()
  }

  // MARK: Callbacks

  private func send(_ callback: Delivery, _ claim: Claim) async {
    guard let url = callback.url.flatMap({ try? CallbackURL($0) }), settings.allowed.contains(where: { $0.allows(url) })
    else { return await fail("its URL is not under any prefix that --allow-callback names", callback, claim) }
    do {
      guard let closed = try await store.ask(callback.ask)?.closed else {
        await settle([callback], as: .givenUp)
        return
      }
      let request = settings.secrets.callback(
        to: url, id: closed.id, body: try store.secrets.json(of: closed), at: clock.now)
      let attempt = await request.send(within: settings.timeout)
      await conclude(attempt, as: Delivery.Result(ofCallback: attempt), of: [callback], claim)
    } catch {
      await fail("the outcome cannot be opened: \(error)", callback, claim)
    }
  }

  // MARK: Notices

  /// Sends what is new in one message, and updates each message that was sent.
  private func tell(_ claim: Claim, by channel: Channel) async {
    let news = claim.deliveries.filter { $0.message != .closed }
    if !news.isEmpty { await send(news, claim, by: channel) }
    for (sent, updates) in Dictionary(grouping: claim.deliveries.filter({ $0.message == .closed }), by: \.sent) {
      if let sent {
        await update(sent, updates, claim, by: channel)
      } else {
        // It was on its way when the ask was closed, and its sender ended before it knew.
        await settle(updates, as: .givenUp)
      }
    }
  }

  private func send(_ news: [Delivery], _ claim: Claim, by channel: Channel) async {
    var entries: [NoticeEntry] = [], open: [Delivery] = []
    for notice in news {
      do {
        // Looked at last: nothing is sent once the end is known here.
        guard let entry = try await store.entry(of: notice.ask), entry.ended == nil, entry.link != nil else {
          await settle([notice], as: .givenUp)
          continue
        }
        open.append(notice)
        if !entries.contains(where: { $0.ask == entry.ask }) { entries.append(entry) }
      } catch {
        await fail("the question cannot be read: \(error)", notice, claim)
      }
    }
    guard !entries.isEmpty else { return }
    let isReminder = open.allSatisfy { $0.message == .reminder }
    let message = NoticeMessage(isReminder ? .reminder : .asked, entries, id: Self.name(of: open))
    let shown = Set(message.entries.map(\.ask))
    await settle(open.filter { !shown.contains($0.ask) }, as: .interrupted)
    await attempt(message, claim, by: channel, updating: nil, for: open.filter { shown.contains($0.ask) })
  }

  private func update(_ sent: String, _ updates: [Delivery], _ claim: Claim, by channel: Channel) async {
    do {
      var entries: [NoticeEntry] = []
      for ask in try await store.asks(toldBy: sent) where !entries.contains(where: { $0.ask == ask }) {
        if let entry = try await store.entry(of: ask) { entries.append(entry) }
      }
      guard !entries.isEmpty else { return }
      await attempt(NoticeMessage(.closed, entries, id: sent), claim, by: channel, updating: sent, for: updates)
    } catch {
      for notice in updates { await fail("the question cannot be read: \(error)", notice, claim) }
    }
  }

  private func attempt(
    _ message: NoticeMessage, _ claim: Claim, by channel: Channel, updating sent: String?, for notices: [Delivery]
  ) async {
    let request = channel.request(
      message, to: claim.origin, updating: sent, signedWith: settings.secrets, at: clock.now)
    let attempt = await request.send(within: settings.timeout)
    await conclude(attempt, as: channel.result(of: attempt, on: message, updating: sent), of: notices, claim)
  }

  /// Identifies a message at a channel: the same at every attempt, and says nothing.
  private static func name(of notices: [Delivery]) -> String {
    SHA256.hash(data: Array((notices.map(\.id).min() ?? "").utf8)).prefix(16).hexadecimal
  }

  // MARK: Results

  /// Records an attempt that failed here, and of which the receiver knows nothing.
  private func fail(_ reason: String, _ delivery: Delivery, _ claim: Claim) async {
    await conclude(.noResponse(reason: reason), as: .failed(retryAfter: nil), of: [delivery], claim, wasSent: false)
  }

  private func conclude(
    _ attempt: OutgoingResult, as verdict: Delivery.Result, of deliveries: [Delivery], _ claim: Claim,
    wasSent: Bool = true
  ) async {
    let attempts = (deliveries.map(\.attempts).min() ?? 0) + 1
    let isEnd = deliveries.contains { $0.message == .closed }
    let schedule = claim.channel == nil ? settings.schedule : isEnd ? .ends : .notices
    let result = verdict.scheduled(afterAttempts: attempts, on: schedule)
    if wasSent { pauses.withLock { $0.record(result, of: claim.limited, at: clock.now) } }
    let part = Claim(channel: claim.channel, origin: claim.origin, deliveries: deliveries)
    let isSettled = await settle(deliveries, as: result)
    observe(Report(claim: part, attempt: attempt, result: isSettled ? result : nil, moment: clock.now))
  }

  /// - Returns: false if the store failed: then the lease ends, and what was not settled is sent once more.
  @discardableResult
  private func settle(_ deliveries: [Delivery], as result: Delivery.Result) async -> Bool {
    await deliveries.sideBySide { try await self.store.settle($0, as: result) }.allSatisfy { (try? $0.get()) != nil }
  }
}
