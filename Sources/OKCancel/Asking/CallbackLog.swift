internal import Asks
internal import Logging

/// Writes one line for each attempt to deliver a callback: which ask, to whom and how it went. Never
/// what was answered, nor the URL's path, which can hold a secret.
struct CallbackLog: Sendable {
  let logger: Logger

  func observe(_ report: CallbackSender.Report) {
    let callback = report.callback
    let origin = (try? CallbackURL(callback.url))?.origin ?? "a URL that cannot be read"
    let (level, outcome) = Self.outcome(report)
    logger.log(
      level: level, "callback \(outcome)",
      metadata: [
        "ask": "\(callback.id)", "to": "\(origin)", "attempt": "\(callback.attempts + 1)",
        "receiver": "\(report.attempt)",
      ])
  }

  private static func outcome(_ report: CallbackSender.Report) -> (Logger.Level, String) {
    switch report.result {
    case .delivered?: (.info, "delivered")
    case .failed(let moment)?: (.warning, "failed, to be tried again at \(moment)")
    case .givenUp?: (.error, "given up")
    case .interrupted?: (.info, "interrupted, to be sent again at the next start")
    case nil: (.error, "not recorded, so it will be sent again: the database failed")
    }
  }
}
