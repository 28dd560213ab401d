internal import Crypto
internal import Foundation
internal import Prompts
internal import StrictJSON

extension Channel {
  /// The request that brings a message, or updates the one that went out before.
  ///
  /// - Parameters:
  ///   - origin: the receiver at the channel: see `origin(of:)`.
  ///   - sent: names the message that is updated, or `nil` for a new one.
  ///   - secrets: sign plain JSON.
  func request(
    _ message: NoticeMessage, to origin: String, updating sent: String?, signedWith secrets: [WebhookSecret],
    at moment: Timestamp
  ) -> OutgoingRequest {
    switch kind {
    case .mail(let server):
      return server.request(message, to: String(origin.dropFirst(name.count + 1)), at: moment)
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
      // An update is a message of its own for those that take each once.
      let ended = message.entries.count { $0.ended != nil }
      let id = ended == 0 ? message.id : "\(message.id).\(ended)"
      let body = Self.json(message).bytes
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
      "priority": message.isOver ? 1 : message.message == .reminder ? 4 : 3,
      "tags": message.isOver ? ["white_check_mark"] : nil,
    ]
  }

  /// https://api.slack.com/reference/block-kit
  private static func slack(_ message: NoticeMessage) -> JSON {
    func plain(_ text: String) -> JSON {
      ["type": "plain_text", "text": .string(text.escapedForSlack), "emoji": false]
    }
    return [
      "text": .string("\(message.title)\n\(message.body)".escapedForSlack),
      "blocks": [
        ["type": "header", "text": plain(message.title.prefix(characters: 120))],
        ["type": "section", "text": plain(message.body)],
      ],
    ]
  }

  private static func json(_ message: NoticeMessage) -> JSON {
    let asks = message.entries.map { entry -> JSON in
      [
        "id": .string(entry.ask.description), "title": .string(entry.title), "askedBy": entry.askedBy.map(JSON.string),
        "requestedBy": entry.requestedBy?.json, "expiresAt": .string(entry.expiresAt.description),
        "link": entry.link.map(JSON.string), "outcome": (entry.ended?.outcome.rawValue).map(JSON.string),
        "by": (entry.ended?.by).map(JSON.string), "closedAt": (entry.ended?.at.description).map(JSON.string),
      ]
    }
    return [
      "id": .string(message.id), "event": .string(message.isOver ? "closed" : message.message.rawValue),
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
    case (.mail, .response(500..., _, _, _)): return .givenUp
    case (.mail, .response): return .failed(retryAfter: nil)
    case (.slackBot, .response(200..<300, let body, _, let pause)): return Self.result(ofSlack: body, pause)
    case (_, .response(200..<300, let body, _, _)): return .delivered(sent: sent ?? name(of: message, in: body))
    // Another attempt would be the same. What an operator can set right (401, 403, 404) may be right later.
    case (_, .response(400, _, _, _)), (_, .response(410, _, _, _)), (_, .response(413, _, _, _)),
      (_, .response(422, _, _, _)):
      return .givenUp
    case (_, .response): return .failed(retryAfter: attempt.retryAfter)
    }
  }

  /// The name by which a message can be updated, or `nil` if it cannot.
  private func name(of message: NoticeMessage, in body: [UInt8]) -> String? {
    switch kind {
    // An older server knows no sequences, and would show an update as a new message.
    case .ntfy: (try? JSON(parsing: body))?.text("sequence_id") == message.id ? message.id : nil
    case .json(_, _, let hearsEnds): hearsEnds ? message.id : nil
    case .mail, .slackHook, .slackBot: nil
    }
  }

  private static func result(ofSlack body: [UInt8], _ pause: Duration?) -> Delivery.Result {
    guard let json = try? JSON(parsing: body), case .bool(let isDone)? = json["ok"] else {
      return .failed(retryAfter: pause)
    }
    if isDone {
      return .delivered(sent: json.text("channel").flatMap { channel in json.text("ts").map { "\(channel):\($0)" } })
    }
    let never = [
      "channel_not_found", "is_archived", "message_not_found", "cant_update_message", "edit_window_closed",
      "msg_too_long",
      "invalid_blocks", "no_text", "restricted_action",
    ]
    return never.contains(json.text("error") ?? "") ? .givenUp : .failed(retryAfter: pause)
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
      return "\(result)" + (result.words.map { ", and said: \($0)" } ?? "")
    }
    return mail?.to.isEmpty == true ? "it has no `to`: it only mails people that an ask is for" : nil
  }
}

extension String {
  /// Slack reads only these three: https://api.slack.com/reference/surfaces/formatting#escaping
  var escapedForSlack: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  func prefix(characters limit: Int) -> String {
    unicodeScalars.count <= limit ? self : String(unicodeScalars.prefix(limit)) + "…"
  }
}
