internal import Foundation
internal import Glibc
internal import MicroHTTP
internal import Platform

/// `/metrics`: figures for Prometheus. They need the token, since how much a server is used is nobody else's business.
struct MetricsRoute: Sendable {
  let asks: AskService
  let verdicts: VerdictCounts
  let predicateFailures: PredicateFailures
  /// `nil` if no other server shares the database.
  let agreement: PromptAgreement?
  let requests: RequestCounts
  let commits: CommitCounts
  let tokens: APITokens

  func get(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    .later { Response(.ok, type: MetricsText.mediaType, bytes: Array(await text().utf8)) }
  }

  private func text() async -> String {
    var text = MetricsText()
    text.sample("okcancel_build_info", 1, [("version", OKCancelServer.version)])
    text.sample("okcancel_prompts", asks.registry.current.sorted.count)
    let differing = agreement?.differing ?? []
    text.sample("okcancel_prompts_differing", differing.count)
    // A few name what is wrong; each is a time series.
    text.family("okcancel_prompt_differs") {
      for name in differing.prefix(50) { $0.sample(1, [("prompt", name)]) }
    }
    requests.write(to: &text)
    verdicts.write(to: &text)
    asks.results.write(to: &text)
    predicateFailures.write(to: &text)
    text.sample("okcancel_token_failures_total", tokens.failureCount)
    text.sample("okcancel_waiters", asks.store.waiters.count)
    // If the store cannot be read, its figures are left out; the next one tells that it is unwell.
    if let statistics = try? await asks.store.statistics() {
      text.sample("okcancel_asks_open", statistics.openAsks)
      text.sample("okcancel_callbacks_waiting", statistics.waitingCallbacks)
      text.sample("okcancel_notices_failing", statistics.failingNotices)
      text.sample("okcancel_notices_waiting", statistics.waitingNotices)
      text.sample("okcancel_deliveries_set_aside", statistics.setAside)
    }
    text.sample("okcancel_store_healthy", asks.store.fault == nil ? 1 : 0)
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
    let stat = RegularFile.text(of: "/proc/self/stat")
    // The second field, the program's name in parentheses, may hold anything.
    let rest = stat.lastIndex(of: ")").map { stat[stat.index(after: $0)...] } ?? ""
    fields = rest.split(separator: " ")
  }

  func write(to text: inout MetricsText) {
    let (ticks, page) = (Double(sysconf(Int32(_SC_CLK_TCK))), sysconf(Int32(_SC_PAGESIZE)))
    text.sample("process_cpu_seconds_total", Double(field(14) + field(15)) / ticks)
    text.sample("process_threads", field(20))
    text.sample("process_virtual_memory_bytes", field(23))
    text.sample("process_resident_memory_bytes", field(24) * page)
    text.sample("process_open_fds", Self.openDescriptors)
    text.sample("process_max_fds", Descriptors.limit)
    if let boot = Self.bootTime {
      text.sample("process_start_time_seconds", Double(boot) + Double(field(22)) / ticks)
    }
  }

  /// A field of `/proc/self/stat` by its number in proc(5), from 3 on.
  private func field(_ number: Int) -> Int {
    fields.indices.contains(number - 3) ? Int(fields[number - 3]) ?? 0 : 0
  }

  private static var bootTime: Int? {
    let lines = RegularFile.text(of: "/proc/stat").split(separator: "\n")
    return lines.first { $0.hasPrefix("btime ") }.flatMap { Int($0.dropFirst(6)) }
  }

  private static var openDescriptors: Int {
    // The directory itself is open meanwhile.
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 1) - 1
  }
}
