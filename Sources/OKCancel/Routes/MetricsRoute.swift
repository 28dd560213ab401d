internal import MicroHTTP

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
