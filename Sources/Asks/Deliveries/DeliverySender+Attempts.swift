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
      let request: OutgoingRequest
      if callback.message == .result {
        // An id of its own, and no outcome: nobody does a second time what the answer allowed.
        let body = JSON.event(ofResult: try store.secrets.result(of: closed, at: nil), of: closed.id).bytes
        request = settings.secrets.callback(to: url, id: "\(closed.id).result", body: body, at: clock.now)
      } else {
        request = settings.secrets.callback(
          to: url, id: closed.id.description, body: try store.secrets.json(of: closed), at: clock.now)
      }
      let attempt = await request.send(within: settings.timeout)
      await conclude(attempt, as: Delivery.Result(ofCallback: attempt), of: [callback], claim)
    } catch {
      await fail("the outcome cannot be opened: \(error)", callback, claim)
    }
  }

  // MARK: Notices

  /// Sends what is new in one message, and updates each message that was sent, or may have been.
  private func tell(_ claim: Claim, by channel: Channel) async {
    // Those that may have arrived together keep their message.
    for (_, news) in Dictionary(grouping: claim.deliveries.filter { !$0.isUpdate }, by: \.tried) {
      await send(news, claim, by: channel)
    }
    var updates = claim.deliveries.filter(\.isUpdate)
    if case .json = channel.kind {
      // Those are told of each result by itself.
      let results = updates.filter { $0.message == .result && $0.sent != nil }
      updates.removeAll { update in results.contains { $0.id == update.id } }
      for (ask, results) in Dictionary(grouping: results, by: \.ask) {
        await tell(resultOf: ask, results, claim, by: channel)
      }
    }
    for (sent, updates) in Dictionary(grouping: updates, by: \.sent) {
      guard let sent else { continue }
      await update(sent, updates, claim, by: channel)
    }
    let unnamed = Dictionary(grouping: updates.filter { $0.sent == nil }, by: \.tried)
    for (tried, updates) in unnamed {
      // An older ntfy would show a new message.
      if let tried, channel.usesOurNames, (try? await store.knowsNames(claim.origin)) == true {
        await update(Self.name(of: tried), tried: tried, updates, claim, by: channel)
      } else {
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
          // If it may have arrived, its end, which takes it back, is a moment away.
          let mayHaveArrived = notice.attempts > 0 || notice.isAlone
          await settle(
            [notice], as: mayHaveArrived ? .failed(retryAfter: .seconds(1)) : .givenUp, mayHaveArrived: mayHaveArrived)
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
    // What is sent by itself is not the message that it went out in with others.
    let first = open.map(\.id).min() ?? ""
    let name = Self.name(of: open.allSatisfy(\.isAlone) ? first : open.first?.tried ?? first)
    let message = NoticeMessage(isReminder ? .reminder : .asked, entries, id: name)
    let shown = Set(message.entries.map(\.ask))
    await settle(open.filter { !shown.contains($0.ask) }, as: .interrupted)
    let sent = open.filter { shown.contains($0.ask) }
    var before: [String] = []
    if isReminder, channel.mail != nil {
      for ask in message.entries.map(\.ask) {
        before += ((try? await store.tried(of: ask, claim.origin)) ?? []).map(Self.name)
      }
    }
    await attempt(message, claim, by: channel, updating: nil, after: before, for: sent)
  }

  private func update(
    _ sent: String, tried: String? = nil, _ updates: [Delivery], _ claim: Claim, by channel: Channel
  ) async {
    do {
      var entries: [NoticeEntry] = []
      for ask in try await store.asks(toldBy: sent, tried: tried) where !entries.contains(where: { $0.ask == ask }) {
        if let entry = try await store.entry(of: ask) { entries.append(entry) }
      }
      guard !entries.isEmpty else { return }
      await attempt(NoticeMessage(.closed, entries, id: sent), claim, by: channel, updating: sent, for: updates)
    } catch {
      for notice in updates { await fail("the question cannot be read: \(error)", notice, claim) }
    }
  }

  private func tell(resultOf ask: AskID, _ results: [Delivery], _ claim: Claim, by channel: Channel) async {
    do {
      guard let entry = try await store.entry(of: ask), entry.result != nil else {
        await settle(results, as: .givenUp)
        return
      }
      let message = NoticeMessage(.result, [entry], id: Self.name(of: "\(ask) result"))
      await attempt(message, claim, by: channel, updating: nil, for: results)
    } catch {
      for notice in results { await fail("the question cannot be read: \(error)", notice, claim) }
    }
  }

  private func attempt(
    _ message: NoticeMessage, _ claim: Claim, by channel: Channel, updating sent: String?, after before: [String] = [],
    for notices: [Delivery]
  ) async {
    let request = channel.request(
      message, to: claim.origin, updating: sent, after: before, signedWith: settings.secrets, at: clock.now)
    let attempt = await request.send(within: settings.timeout)
    let secrets = channel.secrets + message.entries.compactMap(\.link)
    await conclude(
      attempt, as: channel.result(of: attempt, on: message, updating: sent), of: notices, claim,
      showing: message.entries, hiding: secrets)
  }

  /// Identifies a message at a channel by one of its notices: the same at every attempt, and says nothing.
  static func name(of notice: String) -> String { SHA256.hash(data: Array(notice.utf8)).prefix(16).hexadecimal }

  // MARK: Results

  /// Records an attempt that failed here, and of which the receiver knows nothing.
  private func fail(_ reason: String, _ delivery: Delivery, _ claim: Claim) async {
    await conclude(.noResponse(reason: reason), as: .failed(retryAfter: nil), of: [delivery], claim, wasSent: false)
  }

  private func conclude(
    _ attempt: OutgoingResult, as verdict: Delivery.Result, of deliveries: [Delivery], _ claim: Claim,
    wasSent: Bool = true, showing entries: [NoticeEntry] = [], hiding secrets: [String] = []
  ) async {
    let attempts = (deliveries.map(\.attempts).min() ?? 0) + 1
    let isEnd = deliveries.contains { $0.message.kind == Message.closed.rawValue }
    let schedule = claim.channel == nil ? settings.schedule : isEnd ? .ends : .notices
    let result = verdict.scheduled(afterAttempts: attempts, on: schedule)
    if wasSent { pauses.withLock { $0.record(result, of: claim.limited, at: clock.now) } }
    let part = Claim(channel: claim.channel, origin: claim.origin, deliveries: deliveries)
    let mayHaveArrived =
      switch attempt {
      case .lost, .interrupted: wasSent
      case .response, .noResponse: false
      }
    // What a callback's receiver says can be what was answered.
    let hasFailed = if case .delivered = result { false } else { claim.channel != nil && result != .interrupted }
    let error = hasFailed ? secrets.reduce(attempt.said) { $0.replacing($1, with: "…") } : nil
    let isSettled = await settle(deliveries, as: result, error: error, mayHaveArrived: mayHaveArrived, showing: entries)
    observe(
      Report(claim: part, attempt: attempt, error: error, result: isSettled ? result : nil, moment: clock.now))
  }

  /// - Returns: false if the store failed: then the lease ends, and what was not settled is sent once more.
  @discardableResult
  private func settle(
    _ deliveries: [Delivery], as result: Delivery.Result, error: String? = nil, mayHaveArrived: Bool = false,
    showing entries: [NoticeEntry] = []
  ) async -> Bool {
    await deliveries.sideBySide { delivery in
      try await self.store.settle(
        delivery, as: result, error: error, mayHaveArrived: mayHaveArrived,
        shownEnd: entries.first { $0.ask == delivery.ask }?.expiresAt)
    }.allSatisfy { (try? $0.get()) != nil }
  }
}
