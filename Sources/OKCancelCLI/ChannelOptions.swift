internal import ArgumentParser
internal import Asks
internal import OKCancel

/// The ways to tell people of questions.
struct ChannelOptions: ParsableArguments {
  @Option(
    repeating: Setting("channel", read: Self.channel).quoting { $0.cut(at: "=")?.head ?? $0 }, isInLines: true)
  var channel

  func read() throws -> [Channel] { try channel.values() }

  /// A sentence for each variable with the URL of a channel that there is none of.
  static func unread(among channels: [Channel]) -> [String] {
    let read = channels.map { variable(of: $0.name) }
    return Secrets.variables.filter { $0.hasPrefix(variable(of: "")) && !read.contains($0) }.map {
      "nothing reads \($0): no --channel has that name"
    }
  }

  /// `on-call` → `OKCANCEL_CHANNEL_ON_CALL`
  private static func variable(of name: String) -> String { Variable("channel-" + name).name }

  /// `NAME=URL`, or `NAME` for one whose URL is in a variable.
  static func channel(_ text: String) throws(Remedy) -> Channel {
    let (name, url) = text.cut(at: "=").map { ($0.head, String?.some($0.tail)) } ?? (text, nil)
    let variable = variable(of: name)
    guard let url = url ?? Variable("channel-" + name).text else { throw .noChannelURL(name, variable) }
    let channel: Channel
    do throws(ChannelFault) { channel = try Channel(name: name, url: url) } catch { throw Remedy("\(error)") }
    if channel.hasSecret, text != name { throw .secretOnCommandLine(name, variable) }
    return channel
  }
}

/// `okcancel notify --test NAME`
struct Notify: Command {
  @Option(.text("notify.test")) var test
  @OptionGroup var channels: ChannelOptions

  func run() async throws {
    try Secrets.take()
    guard let name = test.text else { throw Failure.nothingToTest }
    let given = try Failure.Collected().reading {
      let given = try channels.read()
      let isKnown = given.contains { $0.name == name } || Variable("channel-" + name).text == nil
      return given + (isKnown ? [] : [try ChannelOptions.channel(name)])
    }
    guard let channel = given.first(where: { $0.name == name }) else {
      throw Failure.no("channel", name, among: given.map(\.name))
    }
    let secrets = Variable("webhook-secret").list().compactMap(WebhookSecret.init)
    if let obstacle = await channel.test(signedWith: secrets) { throw Failure.notTold(name, obstacle) }
    try standardOutput("sent by \(name)")
  }
}
