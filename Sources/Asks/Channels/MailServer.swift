internal import Foundation
internal import Prompts

/// A server that takes mail in (RFC 6409, RFC 8314), and from whom and to whom it goes.
struct MailServer: Sendable {
  /// For libcurl: `smtp://` or `smtps://`, host and port.
  let url: String
  /// True if the connection must be encrypted by STARTTLS before anything else.
  let needsTLS: Bool
  let user, password: String?
  let from: String
  /// Who gets what is for the channel itself.
  let to: [String]
  /// The domains of people who may be mailed because an ask is for them; of none if there are none.
  let domains: [String]

  init(_ parts: ChannelURL, _ query: inout [(key: String, value: String)]) throws(PlainError) {
    guard !parts.host.isEmpty, parts.path.isEmpty || parts.path == "/" else {
      throw parts.path.contains("@") ? PlainError(row: "channel.login") : PlainError(row: "channel.form")
    }
    let isImplicit = parts.scheme == "smtps"
    url = "\(isImplicit ? "smtps" : "smtp")://\(parts.host):\(parts.port ?? (isImplicit ? 465 : 587))"
    needsTLS = parts.scheme != "smtp"
    user = parts.user
    password = parts.password
    func list(_ key: String) -> [String] {
      (query.take(key) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    guard let from = query.take("from"), Self.isAddress(from) else {
      throw PlainError(row: "channel.from")
    }
    self.from = from
    to = list("to")
    domains = list("domains").map { $0.lowercased() }
    guard to.allSatisfy(Self.isAddress) else {
      throw PlainError(row: "channel.to")
    }
    guard domains.allSatisfy({ Self.areParts($0[...], of: "a-z0-9-") }) else {
      throw PlainError(row: "channel.domains")
    }
    if to.isEmpty, domains.isEmpty { throw PlainError(row: "channel.nobody") }
  }

  /// True if the id of somebody who may answer is an address in one of the domains.
  func mayReach(_ id: String) -> Bool {
    Self.isAddress(id) && domains.contains(String(id.drop { $0 != "@" }.dropFirst()).lowercased())
  }

  /// True for an address in ASCII without quotes, in which nothing can end a header or a command.
  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return text.utf8.count <= 254 && parts.count == 2 && areParts(parts[0], of: "A-Za-z0-9!#$%&'*+/=?^_`{|}~-")
      && areParts(parts[1], of: "A-Za-z0-9-")
  }

  /// True if dots part a text into some of these characters each.
  private static func areParts(_ text: Substring, of characters: CharacterClass) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { $0.consists(of: characters) }
  }

  // MARK: A message

  /// A mail of plain text (RFC 5322), of which nobody is told that it came by itself (RFC 3834).
  ///
  /// - Parameter before: names the messages that it reminds of.
  func request(
    _ message: NoticeMessage, to address: String, after before: [String], at moment: Timestamp
  ) -> OutgoingRequest {
    func id(_ name: String) -> String { "<\(name)@\(from.drop { $0 != "@" }.dropFirst())>" }
    let earlier = before.map(id).joined(separator: "\r\n ")
    let lines =
      [
        "From: <\(from)>", "To: <\(address)>", "Subject: \(Self.encoded(message.title))", "Date: \(moment.inMail)",
        "Message-ID: \(id(message.id))", "Auto-Submitted: auto-generated",
      ] + (earlier.isEmpty ? [] : ["In-Reply-To: \(earlier)", "References: \(earlier)"]) + [
        "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
        "Content-Language: \(message.language.tag)", "",
        Data((message.body + "\n").utf8).base64EncodedString(options: [
          .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ]),
        "",
      ]
    let body = Array(lines.joined(separator: "\r\n").utf8)
    return OutgoingRequest(
      mail: .init(from: from, to: address, user: user, password: password, needsTLS: needsTLS), url, body: body)
  }

  /// A text as RFC 2047 writes it, a line for each 45 bytes of it.
  private static func encoded(_ text: String) -> String {
    var words: [[UInt8]] = [[]]
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if words[words.count - 1].count + bytes.count > 42 { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
  }
}
