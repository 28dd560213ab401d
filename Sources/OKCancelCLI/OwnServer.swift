internal import Logging
internal import OKCancel

/// The server of a command's own, for the questions that it asks.
extension OKCancelServer {
  /// - Parameters:
  ///   - log: for what its log says.
  ///   - adjust: changes the configuration, which takes a free port of this machine.
  static func ofCommand(
    prompts: [NamedPrompt] = [], commands: [String: CommandPredicate] = [:],
    log: any LogHandler = SwiftLogNoOpLogHandler(), adjusting adjust: (inout Configuration) throws -> Void = { _ in }
  ) throws -> OKCancelServer {
    var configuration = Configuration()
    configuration.port = 0
    try adjust(&configuration)
    return try OKCancelServer(
      configuration: configuration, prompts: prompts, commands: commands, logger: Logger(label: "okcancel") { _ in log }
    )
  }

  /// Ends it with the command: the person's browser still fetches its last page.
  func endWithCommand() async { await drain(deadline: .seconds(2), patience: .zero) }
}
