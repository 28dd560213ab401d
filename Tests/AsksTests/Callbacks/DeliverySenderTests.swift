import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Sending callbacks` {
  private let file: DatabaseFile
  private let secrets = [WebhookSecret.generate(), WebhookSecret.generate()]

  init() throws { file = try DatabaseFile() }

  private func receiver() throws -> Receiver { try Receiver(file.directory, secrets: secrets) }

  /// Times are short and attempts many: what takes days in the standard schedule takes seconds here.
  private func settings(allowing receivers: Receiver...) throws -> DeliverySender.Settings {
    var settings = DeliverySender.Settings(
      allowed: try receivers.map { try CallbackPrefix($0.url("/")) }, secrets: secrets.compactMap(WebhookSecret.init))
    settings.schedule = RetrySchedule(pauses: Array(repeating: .milliseconds(20), count: 50), jitter: 0.1)
    return settings
  }

  /// A started sender, and each attempt of it that is over.
  private func sending(
    _ store: AskStore, _ settings: DeliverySender.Settings
  ) -> (sender: DeliverySender, reports: AsyncStream<DeliverySender.Report>) {
    let (reports, report) = AsyncStream.makeStream(of: DeliverySender.Report.self)
    let sender = DeliverySender(store, settings) { report.yield($0) }
    sender.start()
    return (sender, reports)
  }

  private func close(_ store: AskStore, callback: String) async throws -> ClosedAsk {
    let (ask, _) = try await store.make(.sample(callback: callback))
    return try #require(try await store.close(ask.id, as: .ok(values(#"{"name":"Zoë"}"#))).ended)
  }

  @Test func `to a receiver that fails three times in ten: each arrives, signed, with one id and the same bytes`()
    async throws
  {
    let store = try file.open()
    let receiver = try receiver()
    let (sender, reports) = sending(store, try settings(allowing: receiver))
    var waiting: [AskID: ClosedAsk] = [:]
    for _ in 0..<100 {
      let closed = try await close(store, callback: receiver.url("/flaky"))
      waiting[closed.id] = closed
    }
    let all = waiting
    for await report in reports {
      if report.result == .delivered() { waiting[report.deliveries[0].ask] = nil }
      if waiting.isEmpty { break }
    }
    await sender.stop(within: .seconds(60))
    #expect(try await store.nextDelivery() == nil)
    let requests = try receiver.requests()
    #expect(requests.allSatisfy { $0.verified == [true, true] })
    #expect(requests.contains { $0.status == 500 })
    let delivered = requests.filter { $0.status == 200 }
    #expect(Set(delivered.map(\.id)) == Set(all.keys.map(\.description)))
    #expect(delivered.count == all.count)
    for request in requests {
      let closed = try #require(AskID(request.id).flatMap { all[$0] })
      #expect(request.body == text(try store.secrets.json(of: closed)))
    }
  }

  @Test func `to a receiver that never answers delays no other, and an end in between costs no attempt`() async throws {
    let store = try file.open()
    let (dead, alive) = (try receiver(), try receiver())
    var settings = try settings(allowing: dead, alive)
    settings.timeout = .seconds(240)
    let (sender, reports) = sending(store, settings)
    for _ in 0..<20 { _ = try await close(store, callback: dead.url("/never")) }
    while try dead.requests().count < 4, !Task.isCancelled { await Task.yield() }
    var waiting: Set<AskID> = []
    for _ in 0..<20 { waiting.insert(try await close(store, callback: alive.url("/")).id) }
    for await report in reports {
      #expect(report.result == .delivered())
      waiting.remove(report.deliveries[0].ask)
      if waiting.isEmpty { break }
    }
    await sender.stop(within: .zero)
    #expect(try dead.requests().count == 4)
    let left = try await store.claimCallbacks(limit: 100, perOrigin: 100, lease: .seconds(60))
    #expect(left.count == 20)
    #expect(left.allSatisfy { $0.attempts == 0 })
  }

  /// Promise 3.8
  @Test func `to a receiver that fails pauses, for all that waits for it and for no other; then one tries again`()
    async throws
  {
    // It stands still: no pause ends by itself.
    let clock = TestClock()
    let store = try file.open(clock: clock.wallClock)
    let (dead, alive) = (try receiver(), try receiver())
    let (reports, report) = AsyncStream.makeStream(of: DeliverySender.Report.self)
    let sender = DeliverySender(store, try settings(allowing: dead, alive)) { report.yield($0) }
    for _ in 0..<30 { _ = try await close(store, callback: dead.url("/fail")) }
    for _ in 0..<10 { _ = try await close(store, callback: alive.url("/")) }
    sender.start()
    var (failures, deliveries) = (0, 0)
    var iterator = reports.makeAsyncIterator()
    func next() async {
      if await iterator.next()?.result == .delivered() { deliveries += 1 } else { failures += 1 }
    }
    while failures < 5 || deliveries < 10 { await next() }
    // Three more were on their way when the fifth failed.
    #expect(failures <= 8)
    for _ in 0..<10 { _ = try await close(store, callback: alive.url("/")) }
    while deliveries < 20 { await next() }
    #expect(failures <= 8)
    for _ in 0..<3 {
      let before = failures
      clock.advance(by: .seconds(60))
      while failures == before { await next() }
      for _ in 0..<4 { _ = try await close(store, callback: alive.url("/")) }
      let delivered = deliveries
      while deliveries < delivered + 4 { await next() }
      #expect(failures == before + 1)
    }
    await sender.stop(within: .zero)
  }

  /// Promise 2.23
  /// ASVS 15.3.2 | no redirects followed | a redirect counts as a failure
  @Test(arguments: [
    ("/", "responded 200", true), ("/endless", "responded 200", true), ("/gone", "responded 410", true),
    ("/redirect", "responded 302", false), ("/later", "responded 503 and asked to wait 3600 s", false),
    ("/drip", "Operation timed out after 2000 milliseconds with 1 out of 100 bytes received", false),
    ("/never", "Operation timed out after 2000 milliseconds with 0 bytes received", false),
    ("/headers", "the head of the response is longer than 65536 bytes", false),
  ])
  func `by what the receiver does`(path: String, says: String, isOver: Bool) async throws {
    let store = try file.open()
    let receiver = try receiver()
    var settings = try settings(allowing: receiver)
    settings.schedule = RetrySchedule(pauses: [.seconds(600)], jitter: 0)
    // The receiver has its first byte sent by then.
    if says.hasPrefix("Operation timed out") { settings.timeout = path == "/drip" ? .seconds(6) : .seconds(2) }
    let (sender, reports) = sending(store, settings)
    _ = try await close(store, callback: receiver.url(path))
    let report = try #require(await reports.first { _ in true })
    // On a busy machine it is a little later.
    #expect(report.attempt?.description.replacing(/after \d+ milli/, with: "after 2000 milli") == says)
    let next = try await store.nextDelivery()
    #expect((next == nil) == isOver)
    if let next { #expect(next - WallClock.system.now > .seconds(path == "/later" ? 3500 : 500)) }
    await sender.stop(within: .zero)
    #expect(try receiver.requests().map(\.path) == [path])
  }

  @Test func `that nobody takes, or that are no longer allowed, fail and are kept`() async throws {
    let store = try file.open()
    let receiver = try receiver()
    let (sender, reports) = sending(store, try settings(allowing: receiver))
    _ = try await close(store, callback: "http://127.0.0.2:\(receiver.port)/")
    let report = try #require(await reports.first { _ in true })
    #expect(report.attempt?.description == "its URL is not under any prefix that --allow-callback names")
    if case .failed? = report.result {} else { Issue.record("\(report)") }
    await sender.stop(within: .zero)
    #expect(try receiver.requests().isEmpty)
    #expect(try await store.nextDelivery() != nil)
  }

  @Test func `goes on after a restart from where it stopped`() async throws {
    let receiver = try receiver()
    let settings = try settings(allowing: receiver)
    let first = try file.open()
    let before = sending(first, settings)
    let closed = try await close(first, callback: receiver.url("/fail"))
    let failed = try #require(await before.reports.first { _ in true })
    #expect(failed.deliveries[0].ask == closed.id)
    await before.sender.stop(within: .zero)
    try await first.close()

    let second = try file.open()
    let after = sending(second, settings)
    let again = try #require(await after.reports.first { _ in true })
    #expect(again.deliveries[0].ask == closed.id)
    #expect(again.deliveries[0].attempts > failed.deliveries[0].attempts)
    await after.sender.stop(within: .zero)
    #expect(Set(try receiver.requests().map(\.id)) == [closed.id.description])
  }
}
