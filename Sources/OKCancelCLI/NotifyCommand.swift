internal import ArgumentParser
internal import Asks

/// `okcancel notify --test NAME`
struct NotifyCommand: Command {
  @Option(.text("notify.test")) var test
  @OptionGroup var channels: ChannelOptions

  func run() async throws {
    Secrets.take()
    guard let name = test.text else { throw Failure.nothingToTest }
    let given = try Failure.Collected().reading {
      let given = try channels.read()
      let isKnown = given.contains { $0.name == name } || Variable("channel-" + name).text == nil
      if isKnown { return given }
      do throws(Remedy) { return given + [try ChannelOptions.channel(name)] } catch {
        throw Failure.value(name, of: "--channel", error)
      }
    }
    guard let channel = given.first(where: { $0.name == name }) else {
      throw given.isEmpty ? Failure.noChannel(name) : Failure.no("channel", name, among: given.map(\.name))
    }
    let secrets = Variable("webhook-secret").list().compactMap(WebhookSecret.init)
    if let obstacle = await channel.test(signedWith: secrets) { throw Failure.notTold(name, obstacle) }
    try standardOutput("sent by \(name)")
  }
}
