internal import ArgumentParser
internal import Asks
internal import Prompts

/// `okcancel notify --test NAME`
struct NotifyCommand: Command {
  @Option(.text("notify.test")) var test
  @OptionGroup var channels: ChannelOptions

  func run() async throws {
    Secrets.take()
    guard let name = test.text else { throw Failure("nothing-to-test") }
    let given = try Failure.Collected().reading {
      let given = try channels.read()
      let isKnown = given.contains { $0.name == name } || Variable("channel-" + name).text == nil
      if isKnown { return given }
      do throws(PlainError) { return given + [try ChannelOptions.channel(name)] } catch {
        throw error.failure(of: "--channel", name)
      }
    }
    guard let channel = given.first(where: { $0.name == name }) else {
      if given.isEmpty {
        throw Failure("no-channel", ["name": name, "variable": Variable("channel-" + name).name])
      }
      let nearest = Nearest(to: name, among: given.map(\.name))
      throw Failure("no-such", ["kind": "channel", "name": name, "nearest": nearest])
    }
    let secrets = Variable("webhook-secret").list().compactMap(WebhookSecret.init)
    if let obstacle = await channel.test(signedWith: secrets) {
      throw Failure("not-told", ["channel": name, "why": obstacle])
    }
    try standardOutput("sent by \(name)")
  }
}
