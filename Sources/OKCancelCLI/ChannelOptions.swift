internal import ArgumentParser
internal import Asks
internal import Platform

/// The ways to tell people of questions.
struct ChannelOptions: ParsableArguments {
  @Option(
    repeating: Setting("channel", read: Self.channel).quoting { $0.cut(at: "=")?.head ?? $0 }, isInLines: true)
  var channel

  func read() throws -> [Channel] { try channel.values() }

  /// A sentence for each variable with the URL of a channel that there is none of.
  func unread() -> [String] {
    let read = channel.given().compactMap(\.text).map { Self.variable(of: $0.cut(at: "=")?.head ?? $0) }
    return Secrets.variables.filter { $0.hasPrefix(Self.variable(of: "")) && !read.contains($0) }.map {
      "nothing reads \($0): no --channel has that name"
    }
  }

  /// `on-call` → `OKCANCEL_CHANNEL_ON_CALL`
  private static func variable(of name: String) -> String { Variable("channel-" + name).name }

  /// `NAME=URL`, or `NAME` for one whose URL is in a variable.
  static func channel(_ text: String) throws(PlainError) -> Channel {
    let (name, url) = text.cut(at: "=").map { ($0.head, String?.some($0.tail)) } ?? (text, nil)
    let variable = variable(of: name)
    guard let url = url ?? Variable("channel-" + name).text else {
      throw PlainError(row: "no-channel-url", ["name": name, "variable": variable])
    }
    let channel = try Channel(name: name, url: url)
    if channel.hasSecret, text != name {
      throw PlainError(row: "secret-on-command-line", ["name": name, "variable": variable])
    }
    return channel
  }
}
