internal import Asks
internal import Foundation
internal import Glibc
internal import MicroHTTP
internal import Synchronization

/// Finds out if this server can keep its promises now: an answer that it accepts must reach the disk.
final class Readiness: Sendable {
  private struct Check {
    let began: ContinuousClock.Instant
    var hasEnded = false
    let obstacle: Task<String?, Never>
  }

  private let store: AskStore
  /// The time for which a check is valid. Anybody may ask, and the disk is not busier however often they do.
  private let interval: Duration
  private static let patience: Duration = .milliseconds(1500)
  private let latest = Mutex<Check?>(nil)
  private let stopping = Atomic(false)
  /// True once the server lets its requests end.
  var isStopping: Bool { stopping.load(ordering: .relaxed) }

  init(_ store: AskStore, interval: Duration = .seconds(1)) {
    self.store = store
    self.interval = interval
  }

  /// It is not ready any more, whatever its store says.
  func stop() { stopping.store(true, ordering: .relaxed) }

  /// The obstacle that keeps the server from accepting answers, as a sentence, or `nil` if there is none.
  ///
  /// It tries the store with a write that reaches the disk. A server that is not ready gets no requests, so without
  /// this write nobody would notice that a failed store has recovered.
  func obstacle() async -> String? {
    if isStopping { return "The server is stopping." }
    let now = ContinuousClock.now
    let check = latest.withLock { latest in
      if let current = latest, !current.hasEnded || current.began + interval > now { return current }
      let next = Check(began: now, obstacle: checking())
      latest = next
      return next
    }
    if let obstacle = await check.obstacle.value { return obstacle }
    // A write that failed since then is known without another.
    if let fault = store.fault { return Self.sentence(fault) }
    return nil
  }

  /// Whoever asks must hear in time of a database that does not respond.
  private func checking() -> Task<String?, Never> {
    let (obstacles, found) = AsyncStream.makeStream(of: String?.self)
    Task { found.yield(await tryStore()) }
    Task {
      try? await Task.sleep(for: Self.patience)
      found.yield("No answer can be kept: the database does not respond.")
    }
    return Task {
      for await obstacle in obstacles { return obstacle }
      return nil
    }
  }

  private func tryStore() async -> String? {
    defer { latest.withLock { $0?.hasEnded = true } }
    do { try await store.tryWrite() } catch { return Self.sentence(error) }
    return nil
  }

  private static func sentence(_ error: any Error) -> String { "No answer can be kept: \(error)." }

  /// `GET /healthz`: the process is alive.
  func alive(_ visit: Visit) throws(Problem) -> Eventual<Response> { .now(Self.ok) }

  /// `GET /readyz`: whether to send it requests; a server that is stopping says 503.
  func ready(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    .later { () throws(Problem) in
      guard let obstacle = await self.obstacle() else { return Self.ok }
      throw Problem(.notReady(obstacle))
    }
  }

  private static let ok = Response.json(Array(#"{"status":"ok"}"#.utf8))
}

/// `/metrics`: figures for Prometheus. They need the token, since how much a server is used is nobody else's business.
struct MetricsRoute: Sendable {
  let prompts: PromptService
  let asks: AskService
  let requests: RequestCounts
  let commits: CommitCounts
  let tokens: APITokens

  func get(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    .later { Response(.ok, type: MetricsText.mediaType, bytes: Array(await text().utf8)) }
  }

  private func text() async -> String {
    var text = MetricsText()
    text.family("okcancel_build_info") {
      $0.sample(1, [("version", OKCancelServer.version)])
    }
    text.gauge("okcancel_prompts", prompts.registry.current.sorted.count)
    let differing = prompts.agreement?.differing ?? []
    text.gauge("okcancel_prompts_differing", differing.count)
    // A few name what is wrong; each is a time series.
    text.family("okcancel_prompt_differs") {
      for name in differing.prefix(50) { $0.sample(1, [("prompt", name)]) }
    }
    requests.write(to: &text)
    prompts.verdicts.write(to: &text)
    prompts.predicateFailures.write(to: &text)
    text.family("okcancel_token_failures_total") {
      $0.sample(tokens.failureCount)
    }
    text.gauge("okcancel_waiters", asks.store.waiters.count)
    // If the store cannot be read, its figures are left out; the next one tells that it is unwell.
    if let statistics = try? await asks.store.statistics() {
      text.gauge("okcancel_asks_open", statistics.openAsks)
      text.gauge("okcancel_callbacks_waiting", statistics.waitingCallbacks)
      text.gauge("okcancel_notices_waiting", statistics.waitingNotices)
    }
    text.gauge("okcancel_store_healthy", asks.store.fault == nil ? 1 : 0)
    commits.write(to: &text)
    ProcessFigures().write(to: &text)
    return text.text
  }
}

/// The system's figures of this process, by the names that Prometheus' own clients give them.
struct ProcessFigures {
  private let fields: [Substring]

  /// Reads `/proc` (proc(5)).
  init() {
    let stat = Self.contents(of: "/proc/self/stat")
    // The second field, the program's name in parentheses, may hold anything.
    let rest = stat.lastIndex(of: ")").map { stat[stat.index(after: $0)...] } ?? ""
    fields = rest.split(separator: " ")
  }

  func write(to text: inout MetricsText) {
    let (ticks, page) = (Double(sysconf(Int32(_SC_CLK_TCK))), sysconf(Int32(_SC_PAGESIZE)))
    text.family("process_cpu_seconds_total") {
      $0.sample(Double(field(14) + field(15)) / ticks)
    }
    text.gauge("process_threads", field(20))
    text.gauge("process_virtual_memory_bytes", field(23))
    text.gauge("process_resident_memory_bytes", field(24) * page)
    text.gauge("process_open_fds", Self.openDescriptors)
    var limit = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      text.gauge("process_max_fds", Int(clamping: limit.rlim_cur))
    }
    if let boot = Self.bootTime {
      text.family("process_start_time_seconds") {
        $0.sample(Double(boot) + Double(field(22)) / ticks)
      }
    }
  }

  /// A field of `/proc/self/stat` by its number in proc(5), from 3 on.
  private func field(_ number: Int) -> Int {
    fields.indices.contains(number - 3) ? Int(fields[number - 3]) ?? 0 : 0
  }

  private static var bootTime: Int? {
    contents(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Int($0.dropFirst(6)) }
  }

  private static var openDescriptors: Int {
    // The directory itself is open meanwhile.
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 1) - 1
  }

  private static func contents(of path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
