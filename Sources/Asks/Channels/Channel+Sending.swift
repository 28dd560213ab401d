internal import Crypto
internal import Foundation
internal import Prompts

extension Channel {
  /// The request that brings a message, or updates the one that went out before.
  ///
  /// - Parameters:
  ///   - origin: the receiver at the channel: see `origin(of:)`.
  ///   - sent: names the message that is updated, or `nil` for a new one.
  ///   - before: names the messages that it reminds of.
  ///   - secrets: sign plain JSON.
  func request(
    _ message: NoticeMessage, to origin: String, updating sent: String?, after before: [String] = [],
    signedWith secrets: [WebhookSecret], at moment: Timestamp
  ) -> OutgoingRequest {
    switch kind {
    case .mail(let server):
      return server.request(message, to: String(origin.dropFirst(name.count + 1)), after: before, at: moment)
    case .ntfy(let root, let topic, let authorization):
      let json = Self.ntfy(message, topic, sequence: sent ?? message.id)
      return Self.post(json.bytes, to: root, authorization)
    case .slackHook(let url): return Self.post(Self.slack(message).bytes, to: url, nil)
    case .slackBot(let api, let token, let channel):
      let place = sent?.split(separator: ":").map(String.init) ?? [channel]
      var json: JSON = ["channel": .string(place[0]), "unfurl_links": false, "unfurl_media": false]
      if place.count > 1 { json = json + ["ts": .string(place[1])] }
      return Self.post(
        (json + Self.slack(message)).bytes, to: "\(api)/chat.\(sent == nil ? "postMessage" : "update")",
        "Bearer \(token)")
    case .json(let url, let authorization, _):
      let body = Self.json(message).bytes
      // An update is a message of its own for those that take each once.
      let id = sent == nil ? message.id : "\(message.id).\(SHA256.hash(data: body).prefix(4).hexadecimal)"
      return Self.post(body, to: url, authorization, secrets.headers(id: id, body: body, at: moment))
    }
  }

  private static func post(
    _ body: [UInt8], to url: String, _ authorization: String?, _ more: [(name: String, value: String)] = []
  ) -> OutgoingRequest {
    let own = [("Content-Type", "application/json; charset=utf-8"), ("User-Agent", "OKCancel")]
    return OutgoingRequest(
      "POST", url, headers: own + (authorization.map { [("Authorization", $0)] } ?? []) + more, body: body)
  }

  // MARK: Bodies

  /// https://docs.ntfy.sh/publish/#publish-as-json
  private static func ntfy(_ message: NoticeMessage, _ topic: String, sequence: String) -> JSON {
    [
      "topic": .string(topic), "sequence_id": .string(sequence), "title": .string(message.title),
      "message": .string(message.body), "click": message.link.map(JSON.string),
      // Nothing rings twice.
      "priority": message.isOver ? 1 : message.message == .closed ? 2 : message.message == .reminder ? 4 : 3,
      "tags": message.isOver ? ["white_check_mark"] : nil,
    ]
  }

  /// https://api.slack.com/reference/block-kit
  private static func slack(_ message: NoticeMessage) -> JSON {
    func plain(_ text: String) -> JSON { ["type": "plain_text", "text": .string(text), "emoji": false] }
    // Slack links nothing in a plain text.
    let links = message.entries.compactMap { entry in
      entry.link.map { link in
        let title = message.entries.count > 1 ? " " + entry.title.plain.prefix(bytes: 60).escapedForSlack : ""
        return "<\(link.escapedForSlack)|\(Sentences(in: entry.language)(.open))>" + title
      }
    }
    var blocks: [JSON] = [
      ["type": "header", "text": plain(message.title.escapedForSlack(atMost: 150))],
      ["type": "section", "text": plain(message.body.escapedForSlack)],
    ]
    if !links.isEmpty {
      let text: JSON = ["type": "mrkdwn", "text": .string(links.joined(separator: "\n")), "verbatim": true]
      blocks.append(["type": "section", "text": text])
    }
    return ["text": .string("\(message.title)\n\(message.body)".escapedForSlack), "blocks": .array(blocks)]
  }

  private static func json(_ message: NoticeMessage) -> JSON {
    if message.message == .result, let entry = message.entries.first {
      return .event(ofResult: entry.result, of: entry.ask)
    }
    let asks = message.entries.map { entry -> JSON in
      [
        "id": .string(entry.ask.description), "title": .string(entry.title), "askedBy": entry.askedBy.map(JSON.string),
        "requestedBy": entry.requestedBy?.json, "expiresAt": .string(entry.expiresAt.description),
        "link": entry.link.map(JSON.string), "outcome": (entry.ended?.outcome.rawValue).map(JSON.string),
        "by": (entry.ended?.by).map(JSON.string), "closedAt": (entry.ended?.at.description).map(JSON.string),
        "result": entry.result?.json,
      ]
    }
    return [
      "id": .string(message.id), "event": .string(message.event),
      "title": .string(message.title), "body": .string(message.body), "type": "info",
      "link": message.link.map(JSON.string), "asks": .array(asks),
    ]
  }

  // MARK: Responses

  /// - Parameters:
  ///   - message: the one that was sent.
  ///   - sent: names the message that was to be updated, or `nil` for a new one.
  func result(of attempt: OutgoingResult, on message: NoticeMessage, updating sent: String?) -> Delivery.Result {
    switch (kind, attempt) {
    case (_, .interrupted): return .interrupted
    case (_, .noResponse), (_, .lost): return .failed(retryAfter: nil)
    // RFC 5321, section 4.2.1: the other way round than HTTP.
    case (.mail, .response(200..<300, _, _, _)): return .delivered(sent: nil)
    case (.mail, .response(let status, _, _, _)):
      if let pause = Self.mailPause(status, attempt.words ?? "") { return .failed(retryAfter: pause) }
      return status < 500 ? .failed(retryAfter: nil) : .givenUp
    case (.slackBot, .response(200..<300, let body, _, let pause)): return Self.result(ofSlack: body, pause)
    case (_, .response(200..<300, let body, _, _)): return took(message, updating: sent, body)
    // Another attempt would be the same. What an operator can set right (404) may be right later.
    case (_, .response(400, _, _, _)), (_, .response(410, _, _, _)), (_, .response(413, _, _, _)),
      (_, .response(422, _, _, _)):
      return .givenUp
    case (_, .response(401, _, _, _)), (_, .response(403, _, _, _)): return .failed(retryAfter: Self.pauseOfOperator)
    case (_, .response(429, _, _, nil)) where attempt.words?.contains("quota") == true:
      return .failed(retryAfter: Self.pauseOfOperator)
    case (_, .response): return .failed(retryAfter: attempt.retryAfter)
    }
  }

  /// The pause before what was refused for its credentials or a quota is tried again, so that nobody is locked out.
  private static let pauseOfOperator: Duration = .seconds(900)

  /// That pause if a mail server's refusal is of something that an operator can set right: a login or its right to send
  /// (RFC 4954, section 6; RFC 3463, X.7.X), the sender's address (X.1.7, X.1.8), a mailbox or a quota that is full
  /// (X.2.2). `nil` for another one.
  private static func mailPause(_ status: Int, _ words: String) -> Duration? {
    let code = words.split(separator: " ").dropFirst().first?.dropFirst(2) ?? ""
    let isOperators =
      [530, 534, 535, 538, 454, 452, 552].contains(status) || code.hasPrefix("7.")
      || ["1.7", "1.8", "2.2"].contains(code) || ["relay", "quota"].contains { words.lowercased().contains($0) }
    return isOperators ? pauseOfOperator : nil
  }

  /// The result of a message that a server says it took: one that says so in HTML is not the service but what stands in
  /// front of it.
  private func took(_ message: NoticeMessage, updating sent: String?, _ body: [UInt8]) -> Delivery.Result {
    let json = try? JSON(parsing: body)
    switch kind {
    case .ntfy:
      guard let json, json.text("id") != nil else { return .failed(retryAfter: nil) }
      // An older server knows no sequences, and would show an update as a new message.
      return .delivered(sent: sent ?? (json.text("sequence_id") == message.id ? message.id : nil))
    case .json(_, _, let receivesClosings):
      let start = String(decoding: body.prefix(200), as: UTF8.self).drop(while: \.isWhitespace).lowercased()
      if start.hasPrefix("<!doctype") || start.hasPrefix("<html") { return .failed(retryAfter: nil) }
      return .delivered(sent: sent ?? (receivesClosings ? message.id : nil))
    case .mail, .slackHook, .slackBot: return .delivered(sent: nil)
    }
  }

  private static func result(ofSlack body: [UInt8], _ pause: Duration?) -> Delivery.Result {
    guard let json = try? JSON(parsing: body), case .bool(let isDone)? = json["ok"] else {
      return .failed(retryAfter: pause)
    }
    if isDone {
      return .delivered(sent: json.text("channel").flatMap { channel in json.text("ts").map { "\(channel):\($0)" } })
    }
    // What an operator can set right (`not_in_channel`, `invalid_auth`, `channel_not_found`) may be right later.
    let never = [
      "message_not_found", "cant_update_message", "edit_window_closed", "msg_too_long", "invalid_blocks", "no_text",
    ]
    let error = json.text("error") ?? ""
    if never.contains(error) { return .givenUp }
    return .failed(retryAfter: pause ?? (error.contains("auth") || error.contains("token") ? pauseOfOperator : nil))
  }

  // MARK: A test

  /// Sends a message that says it is a test.
  ///
  /// - Returns: what went wrong, or `nil` if the channel took it.
  package func test(signedWith secrets: [WebhookSecret]) async -> String? {
    let now = WallClock.system.now
    let entry = NoticeEntry(
      ask: AskID(at: now), title: "Test of the channel \(name)", language: .english, askedBy: "okcancel notify",
      requestedBy: nil, expiresAt: now, link: nil, ended: nil)
    let message = NoticeMessage(.asked, [entry], id: RandomText().description)
    for address in mail.map({ $0.to.map(Optional.some) }) ?? [nil] {
      let request = request(message, to: origin(of: address), updating: nil, signedWith: secrets, at: now)
      let result = await request.send(within: .seconds(15))
      if case .delivered = self.result(of: result, on: message, updating: nil) { continue }
      return result.said
    }
    return mail?.to.isEmpty == true ? "it has no `to`: it only mails people that an ask is for" : nil
  }
}

extension String {
  /// Slack reads only these three: https://api.slack.com/reference/surfaces/formatting#escaping
  var escapedForSlack: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// As much of the same as these many characters hold, with `…` for the rest and no escape cut through.
  func escapedForSlack(atMost limit: Int) -> String {
    let whole = escapedForSlack
    guard whole.unicodeScalars.count > limit else { return whole }
    var (text, count) = ("", 1)
    for character in self {
      let part = String(character).escapedForSlack
      count += part.unicodeScalars.count
      if count > limit { break }
      text += part
    }
    return text + "…"
  }

  func prefix(characters limit: Int) -> String {
    unicodeScalars.count <= limit ? self : String(unicodeScalars.prefix(limit)) + "…"
  }
}
