import Testing

@testable import Asks
@testable import Prompts

@Suite struct `A channel` {
  private static let entry = NoticeEntry(
    ask: AskID(), title: "A", language: .english, askedBy: nil, requestedBy: nil, expiresAt: .zero,
    link: "https://ask.example.com/a/x", ended: nil)
  private static let message = NoticeMessage(.asked, [entry], id: "m")

  @Test(arguments: [
    ("ntfy+https://a.example/t", false), ("ntfy+https://tk_1@a.example/t", true), ("https://a.example/x?y=1", false),
    ("https://u:p@a.example/x", true), ("slack+https://hooks.slack.com/services/x", true),
    ("slack-bot://xoxb-1@C1", true), ("smtps://a.example/?from=a@b.example&to=c@d.example", false),
    ("smtp+starttls://u:p%40@a.example:25/?from=a@b.example&domains=b.example,c.example&every=5m", true),
    ("ntfy+http://[::1]:80/t", false),
  ])
  func `has a secret if its URL has one`(_ url: String, hasSecret: Bool) throws {
    #expect(try Channel(name: "a", url: url).hasSecret == hasSecret)
  }

  @Test(arguments: [
    ("", PlainError(row: "channel.form")), ("https:/a", PlainError(row: "channel.form")),
    ("gopher://a", PlainError(row: "channel.scheme")), ("http://a.example/", PlainError(row: "channel.no-tls")),
    ("ntfy+https://a.example/", PlainError(row: "channel.topic")),
    ("ntfy+https://a.example/t?every=0s", PlainError(row: "channel.every")),
    ("ntfy+https://a.example/t?x=1", PlainError(row: "channel.query", ["key": "x"])),
    ("slack-bot://C1", PlainError(row: "channel.bot")),
    ("https://a.example/?closed=1", PlainError(row: "channel.closed")),
    ("https://a.example/\r\nX: y", PlainError(row: "channel.characters", ["limit": CallbackURL.limit])),
    ("https://a.example/../x", PlainError(row: "channel.url", ["why": PlainError(row: "url.dot-segment")])),
    (
      "smtps://a.example/?from=a%0d%0aRCPT@b.example&to=c@d.example",
      PlainError(row: "channel.characters", ["limit": CallbackURL.limit])
    ),
  ])
  func `is refused`(_ url: String, because fault: PlainError) {
    #expect(throws: fault) { try Channel(name: "a", url: url) }
  }

  @Test(arguments: ["for", "A", "1a", "a_b", "", "a\r\n"])
  func `has a plain name`(_ name: String) {
    #expect(throws: PlainError(row: "channel.name")) { try Channel(name: name, url: "https://a.example/") }
  }

  private typealias Row = (url: String, result: OutgoingResult, expected: Delivery.Result)

  @Test func `knows what a response means`() throws {
    func response(_ status: Int, _ body: String = "", after pause: Duration? = nil) -> OutgoingResult {
      .response(status: status, body: Array(body.utf8), retryAfter: pause)
    }
    let (ntfy, hook, bot) = ("ntfy+https://a.example/t", "slack+https://a.example/x", "slack-bot://x@C1")
    // What an operator can set right, asked for so seldom that nobody is locked out.
    let operators = Delivery.Result.failed(retryAfter: .seconds(900))
    let (json, mail) = ("https://a.example/", "smtps://a.example/?from=a@b.example&to=c@d.example")
    let rows: [Row] = [
      (ntfy, response(200, #"{"id":"1","sequence_id":"m"}"#), .delivered(sent: "m")),
      (ntfy, response(200, #"{"id":"1","sequence_id":"other"}"#), .delivered(sent: nil)),
      (ntfy, response(200, #"{"id":"1"}"#), .delivered(sent: nil)),
      (ntfy, response(200, "<html>"), .failed(retryAfter: nil)), (ntfy, response(204), .failed(retryAfter: nil)),
      (ntfy, response(200, "[]"), .failed(retryAfter: nil)),
      (ntfy, response(429, after: .seconds(7)), .failed(retryAfter: .seconds(7))),
      (ntfy, response(507), .failed(retryAfter: nil)),
      (ntfy, response(429), .failed(retryAfter: nil)),
      (ntfy, response(429, #"{"code":42908,"error":"limit reached: daily message quota reached"}"#), operators),
      (ntfy, response(302), .failed(retryAfter: nil)), (ntfy, response(404), .failed(retryAfter: nil)),
      (ntfy, response(401), operators), (ntfy, response(403), operators), (ntfy, response(400), .givenUp),
      (hook, response(200, "ok"), .delivered(sent: nil)), (hook, response(410), .givenUp),
      (bot, response(200, #"{"ok":true,"channel":"C1","ts":"1.2"}"#), .delivered(sent: "C1:1.2")),
      (bot, response(200, #"{"ok":false,"error":"ratelimited"}"#), .failed(retryAfter: nil)),
      (bot, response(200, #"{"ok":false,"error":"channel_not_found"}"#), .failed(retryAfter: nil)),
      (bot, response(200, #"{"ok":false,"error":"invalid_auth"}"#), operators),
      (bot, response(200, #"{"ok":false,"error":"msg_too_long"}"#), .givenUp),
      (bot, response(200, "no JSON"), .failed(retryAfter: nil)), (json, response(204), .delivered(sent: "m")),
      (json + "?closed=no", response(204), .delivered(sent: nil)), (json, response(200, "ok"), .delivered(sent: "m")),
      (json, response(200, "\n <!DOCTYPE html><p>"), .failed(retryAfter: nil)),
      (json, response(200, "<html lang=en>"), .failed(retryAfter: nil)), (mail, response(250), .delivered(sent: nil)),
      (mail, response(451), .failed(retryAfter: nil)), (mail, response(550), .givenUp),
      (mail, response(550, "550 5.1.1 <gone@example.com>: User unknown"), .givenUp),
      (mail, response(530, "530 5.7.0 Must issue a STARTTLS command first"), operators),
      (mail, response(534, "534 5.7.9 Application-specific password required"), operators),
      (mail, response(535, "535 Authentication failed"), operators), (mail, response(538), operators),
      (mail, response(454, "454 4.7.0 Temporary authentication failure"), operators),
      (mail, response(554, "554 5.7.1 <a@b.example>: Relay access denied"), operators),
      (mail, response(550, "550 relaying denied"), operators),
      (mail, response(553, "553 5.1.8 Domain of sender address does not exist"), operators),
      (mail, response(552, "552 5.2.2 Mailbox full"), operators),
      (mail, response(550, "550 5.4.5 Daily user sending quota exceeded"), operators),
      (mail, .noResponse(reason: "x"), .failed(retryAfter: nil)), (ntfy, .lost(reason: "x"), .failed(retryAfter: nil)),
      (hook, .interrupted, .interrupted),
    ]
    for row in rows {
      let channel = try Channel(name: "a", url: row.url)
      #expect(channel.result(of: row.result, on: Self.message, updating: nil) == row.expected, "\(row)")
    }
  }

  @Test(arguments: [
    ("Deploy 4.2?", "Deploy 4.2?"), ("a\r\nBcc: b", "a⟨U+000D⟩ Bcc: b"),
    ("https://evil.example/x", "https[:]//evil[.]example/x"),
    ("[x](y)", "[x] (y)"), ("<!channel> <@U1> @here", "<! channel> <@ U1> @ here"),
    ("ada@example.com", "ada@ example[.]com"), ("-@everyone x@everyone @", "-@ everyone x@ everyone @"),
    ("1.2.3.4/login 1.2/x 1.2:80", "1[.]2[.]3[.]4/login 1[.]2/x 1[.]2:80"),
    ("i❤.ws cafe\u{301}.com example.рф", "i❤[.]ws cafe\u{301}[.]com example[.]рф"),
    ("4.2.1 v4.2.1 12:30 2026.11.28 $12.50 e.g. U.S. 3:1", "4.2.1 v4.2.1 12:30 2026.11.28 $12.50 e.g. U.S. 3:1"),
    ("mailto:x tel:1 a:b", "mailto[:]x tel[:]1 a[:]b"), ("//localhost/x", "/ /localhost/x"),
    ("||spoiler|| **b** _x_ ~~s~~ ~s~ `c`", "| |spoiler| | * * b** _ x_ ~ ~ s~ ~ ~ s~ `c`"),
    ("//1.example 2 // 3 //evil.4chan.example", "//1[.]example 2 // 3 / /evil.4chan[.]example"),
    ("# head", "[#] head"), ("> quote", "[>] quote"), ("-# small", "[-]# small"), ("#12: 5 * 3 * 2", "#12: 5 * 3 * 2"),
    ("snake_case_name ~/x Re: a", "snake_case_name ~/x Re: a"), ("  a  * ", "  a  * "), (" ", " "), ("", ""),
    ("(ada@example.com),", "(ada@ example[.]com),"), ("a\u{202E}b", "a⟨U+202E⟩b"), ("x\u{2028}y", "x⟨U+2028⟩y"),
    ("//www.evil.example", "//www[.]evil[.]example"), ("javascript:/x", "javascript[:]/x"),
  ])
  func `shows a title on one line, in which nothing acts`(_ title: String, _ shown: String) {
    let entry = NoticeEntry(
      ask: AskID(), title: title, language: .english, askedBy: nil, requestedBy: nil, expiresAt: .zero, link: nil,
      ended: nil)
    #expect(NoticeMessage(.asked, [entry], id: "m").title == shown)
  }

  @Test func `shows as many questions as fit, each link alone on its line`() {
    let entries = (0..<40).map { index in
      NoticeEntry(
        ask: AskID(), title: String(repeating: "&", count: 200), language: .english, askedBy: "bot", requestedBy: nil,
        expiresAt: .zero, link: "https://ask.example.com/a/\(index)", ended: nil)
    }
    let message = NoticeMessage(.asked, entries, id: "m")
    #expect(message.entries.count > 1 && message.entries.count < 40 && message.link == nil)
    #expect(message.body.escapedForSlack.count <= 3000 && message.title.hasSuffix(" (+\(message.entries.count - 1))"))
    let lines = message.body.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("https") }.map(String.init) == message.entries.compactMap(\.link))
  }
}
