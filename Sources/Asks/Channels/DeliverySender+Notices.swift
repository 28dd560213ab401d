internal import Prompts
internal import Synchronization

/// One attempt to tell somebody that is over.
package struct NoticeReport: Sendable {
  /// The channel's name.
  package let channel: String
  package let asks: [AskID]
  /// True if it updates a message that was sent before.
  package let isUpdate: Bool
  package let attempt: OutgoingResult
  package let result: Callback.Result
}

extension DeliverySender {
  func claimNotices() async throws -> [ClaimedNotices] {
    guard !settings.channels.isEmpty else { return [] }
    let limits = pauses.withLock { $0.limits(at: clock.now) }
    let underWay = messages.withLock(\.self)
    let rooms = settings.channels.map { channel in
      (channel.name, (limits[channel.name] ?? settings.limitPerOrigin) - (underWay[channel.name] ?? 0))
    }
    let claimed = try await store.claimNotices(
      through: settings.channels, rooms: Dictionary(uniqueKeysWithValues: rooms), lease: settings.timeout * 4)
    messages.withLock { messages in for notices in claimed { messages[notices.channel.name, default: 0] += 1 } }
    return claimed
  }

  /// Sends what is new in one message, and updates each message that was sent.
  func deliver(_ claimed: ClaimedNotices) async {
    let news = claimed.notices.filter { $0.message != .closed }
    if !news.isEmpty { await send(news, claimed) }
    for (sent, updates) in Dictionary(grouping: claimed.notices.filter({ $0.message == .closed }), by: \.sent) {
      if let sent {
        await update(sent, updates, claimed)
      } else {
        // It was on its way when the ask was closed, and its sender ended before it knew.
        for notice in updates { await settle(notice, as: .givenUp) }
      }
    }
    messages.withLock { $0[claimed.channel.name, default: 1] -= 1 }
    store.deliverySignal.wake()
  }

  /// The result for a notice whose ask could not be read.
  private var storeFailed: Callback.Result { .failed(retryAt: clock.now + .seconds(60)) }

  private func send(_ news: [QueuedNotice], _ claimed: ClaimedNotices) async {
    var entries: [NoticeEntry] = [], open: [QueuedNotice] = []
    for notice in news {
      do {
        // Looked at last: nothing is sent once the end is known here.
        guard let entry = try await store.entry(of: notice.ask), entry.ended == nil, entry.link != nil else {
          await settle(notice, as: .givenUp)
          continue
        }
        open.append(notice)
        if !entries.contains(where: { $0.ask == entry.ask }) { entries.append(entry) }
      } catch {
        await settle(notice, as: storeFailed)
      }
    }
    guard !entries.isEmpty else { return }
    let isReminder = open.allSatisfy { $0.message == .reminder }
    let message = NoticeMessage(isReminder ? .reminder : .asked, entries, id: QueuedNotice.name(of: open))
    let shown = Set(message.entries.map(\.ask))
    for notice in open where !shown.contains(notice.ask) { await settle(notice, as: .interrupted) }
    await attempt(message, claimed, updating: nil, for: open.filter { shown.contains($0.ask) })
  }

  private func update(_ sent: String, _ updates: [QueuedNotice], _ claimed: ClaimedNotices) async {
    do {
      var entries: [NoticeEntry] = []
      for notice in try await store.notices(sentAs: sent) where !entries.contains(where: { $0.ask == notice.ask }) {
        if let entry = try await store.entry(of: notice.ask) { entries.append(entry) }
      }
      guard !entries.isEmpty else { return }
      await attempt(NoticeMessage(.closed, entries, id: sent), claimed, updating: sent, for: updates)
    } catch {
      for notice in updates { await settle(notice, as: storeFailed) }
    }
  }

  private func attempt(
    _ message: NoticeMessage, _ claimed: ClaimedNotices, updating sent: String?, for notices: [QueuedNotice]
  ) async {
    let channel = claimed.channel, now = clock.now
    let request = channel.request(
      message, to: claimed.origin, updating: sent, signedWith: settings.secrets, at: now)
    let attempt = await request.send(within: settings.timeout)
    let verdict = channel.verdict(of: attempt, on: message, updating: sent)
    let attempts = notices.map(\.attempts).min() ?? 0
    var (result, name): (Callback.Result, String?) = (.givenUp, nil)
    switch verdict {
    case .done(let sent): (result, name) = (.delivered, sent)
    case .interrupted: result = .interrupted
    case .never: break
    case .later(let wish):
      if let pause = settings.schedule.pause(afterAttempts: attempts + 1, chance: .random(in: 0..<1)) {
        result = .failed(retryAt: clock.now + max(pause, min(wish ?? .zero, Callback.longestRetryAfter)))
      }
    }
    pauses.withLock { $0.record(result, of: channel.name, at: clock.now) }
    for notice in notices { await settle(notice, as: result, sent: name) }
    observeNotices(
      NoticeReport(
        channel: channel.name, asks: notices.map(\.ask), isUpdate: sent != nil, attempt: attempt, result: result))
  }

  /// If the store fails, the lease ends and it is sent once more.
  private func settle(_ notice: QueuedNotice, as result: Callback.Result, sent: String? = nil) async {
    try? await store.settle(notice, as: result, sent: sent)
  }
}
