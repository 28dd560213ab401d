internal import ArgumentParser
internal import OKCancel
internal import Prompts

/// `okcancel result ID done|failed [TEXT]`
struct ResultCommand: Command {
  @Argument(help: .of("result.id")) var id: String
  @Argument(help: .of("result.status")) var status: String
  @Argument(help: .of("result.text")) var text: String?
  @Option(.url("listing.server"), default: "http://\(Configuration().host):\(Configuration.usualPort)") var server
  @OptionGroup var trust: TrustOptions

  func run() async throws {
    let (url, authorities) = try Failure.Collected().reading { (try server(), try trust.cacert()) }
    let result: AskResult? = ["done": AskResult(.done, text), "failed": .failed(text)][status]
    guard let result else {
      throw Failure("value", ["name": "STATUS", "text": status, "remedy": PlainError.oneOf(["done", "failed"])])
    }
    guard let token = try Variable.apiToken() else { throw Failure("result-needs-token") }
    try await Client(url: url, token: token, authorities: authorities).finish(id, result)
  }
}
