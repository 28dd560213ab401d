internal import Asks
internal import MicroHTTP

/// `/metrics`: figures for Prometheus. How much a server is used is nobody else's business.
struct MetricsRoute: Sendable {
  let registry: PromptRegistry
  let askService: AskService
  let requests: RequestCounts
  let verdicts: VerdictCounts
  let commits: CommitCounts
  let tokens: APITokens

  func get(_ request: Request) throws(Problem) -> Route.Reply {
    return .later { Response(.ok, type: MetricsText.mediaType, text: await text()) }
  }

  private func text() async -> String {
    var text = MetricsText()
    text.family("okcancel_build_info", .gauge, "The version that runs.") {
      $0.sample(1, [("version", OKCancelServer.version)])
    }
    text.gauge("okcancel_prompts", "Prompts on offer.", registry.current.sorted.count)
    requests.write(to: &text)
    verdicts.write(to: &text)
    text.family("okcancel_token_failures_total", .counter, "Requests with a wrong API token.") {
      $0.sample(tokens.failureCount)
    }
    text.gauge("okcancel_waiters", "Programs that wait for an outcome now.", askService.waiters.count)
    // A store that cannot be read leaves its figures out; that it is unwell is told by the next one.
    if let statistics = try? await askService.store.statistics() {
      text.gauge("okcancel_asks_open", "Asks that nobody has ended yet.", statistics.openAsks)
      text.gauge("okcancel_callbacks_waiting", "Callbacks not delivered yet.", statistics.waitingCallbacks)
    }
    text.gauge("okcancel_store_healthy", "1 unless the last write failed.", askService.store.health == .healthy ? 1 : 0)
    commits.write(to: &text)
    ProcessFigures().write(to: &text)
    return text.text
  }
}
