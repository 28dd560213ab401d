package import Prompts

/// Work that a session needs from the server that keeps the asks.
package enum Work: Sendable {
  /// Makes an ask from a body of `POST /asks`, or finds the one that has this key; its event is `.ask`.
  case make(body: JSON, key: Key?)
  /// Waits up to that many seconds for an ask to end, and reads its state; its event is `.ask`.
  case look(id: String, seconds: Int)
  /// Takes an ask back; its event is `.ask`, whatever it ended with.
  case withdraw(id: String)
  /// Keeps what came of an ask's answer; its event is `.ask`.
  case finish(id: String, AskResult)
  /// Releases the ask's key, once its outcome was delivered: the same call then asks anew.
  case releaseKey(id: String)
  /// Lists the standing prompts; its event is `.prompts`.
  case list

  /// The key by which a repeated call finds its ask.
  package struct Key: Sendable {
    /// A name that the caller gave, or the process or session that the call belongs to.
    let scope: String
    /// The bytes of the question. With an explicit key, another question is a mistake; else it is another ask.
    let fingerprint: [UInt8]
    let isExplicit: Bool
  }
}

/// The result of a piece of work.
package enum Event: Sendable {
  case ask(AskState)
  case keyReleased
  /// An array of objects.
  case prompts(JSON)
  /// It cannot be done, and what to do.
  case refused(String)
}

/// An ask as a session sees it.
package struct AskState: Sendable {
  package let id: String
  /// The person's link, if it was just made or found.
  var link: String?
  /// True if this work, or earlier work of the same call, made the ask, or if this work withdrew it.
  var isNew = false
  /// True if channels of the server tell people of it, so that the model must not have the link.
  var isTold = false
  /// As RFC 3339 has it.
  var createdAt: String
  /// The name of the program that asks, or `nil` if it has none.
  var askedBy: String?
  /// The response of `GET /asks/{id}` for a closed ask; `nil` while it is open.
  package var closed: JSON?
  /// Warnings about the question that was asked.
  var warnings: [String] = []

  package init(
    id: String, link: String? = nil, isNew: Bool = false, createdAt: String = "", askedBy: String? = nil,
    closed: JSON? = nil
  ) {
    self.id = id
    self.link = link
    self.isNew = isNew
    self.createdAt = createdAt
    self.askedBy = askedBy
    self.closed = closed
  }

  /// An ask of a server elsewhere: the response of `GET /asks/{id}`, or the result of a tool; `nil` if it has no id.
  ///
  /// - Parameter meta: the `_meta` of the tool's result, or `nil` for a response.
  package init?(_ ask: JSON, meta: JSON? = nil) {
    guard let id = ask.text("id") else { return nil }
    func isTrue(_ key: String) -> Bool { if case .bool(true)? = meta?[key] { true } else { false } }
    self.init(
      id: id, link: ask.text("link"), isNew: isTrue("okcancel/isNew"),
      createdAt: meta?.text("okcancel/createdAt") ?? ask.text("createdAt") ?? "", askedBy: ask.text("askedBy"),
      closed: ask.text("status") == "closed" ? ask : nil)
    isTold = isTrue("okcancel/isTold")
    warnings = ask.texts("warnings")
  }

  /// The outcome, or `nil` while the ask is open.
  var outcome: String? { closed?.text("outcome") }
}

/// An action that a session wants from its transport, in this order.
package enum Action: Sendable {
  case send(Outgoing)
  /// Sends how an ask ended. Performs `Work.releaseKey` once that is written to a connection that takes it, and not if
  /// the client has gone: the same call then finds the outcome again.
  case deliver(Outgoing, ask: String)
  /// Performs work for a request in the background; its event goes to `Session.resume`, unless `stop` comes first.
  case work(ID, Work)
  /// Performs work in the background; its event is ignored.
  case background(Work)
  /// Brings the link of an ask to the person; what came of it goes to `Session.told`. Only a host that tells is asked to.
  case tell(ask: String, link: String)
  /// Cancels the work for this request.
  case stop(ID)
}

/// The state of telling the person about an ask, as far as this session knows.
package enum Telling: Sendable {
  /// The client was asked to bring its user to the link, and has not answered.
  case elicited
  /// The client's user agreed to open the link.
  case accepted
  /// The transport is telling the person.
  case underWay
  /// The transport has told the person; this is its sentence for the model.
  case done(String)
  /// The client's user said no.
  case declined
  /// The client's user closed the client's question without an answer.
  case dismissed
  /// Nobody could tell the person, and why: without a capital letter and a full stop.
  case failed(String)

  /// The sentence for the model while the ask is open.
  var sentence: String {
    switch self {
    case .elicited: "The host was asked to bring the person to the question, and has not said yet whether they went."
    case .accepted: "The person agreed to open the question."
    case .underWay: "The person is being told."
    case .done(let sentence): sentence
    case .declined: "The person declined to open the question. That is a no."
    case .dismissed: "The person closed the host's question without an answer, which is neither yes nor no."
    case .failed(let reason): "The person could not be told: \(reason)."
    }
  }

  /// The error for the model, or `nil` if the person was told, or if the outcome says it all.
  ///
  /// - Parameter isOpen: whether the ask could not be withdrawn.
  func mistake(isOpen: Bool) -> String? {
    let ask = isOpen ? "The question is still open; withdraw it with withdraw_ask." : "The question was withdrawn."
    switch self {
    case .declined: return isOpen ? "\(sentence) \(ask)" : nil
    case .dismissed: return "\(sentence) \(ask) Call ask_person again later, if the answer is still needed."
    case .failed: return "\(sentence) \(ask) Say so to your user; once it is mended, the same call asks again."
    case .elicited, .accepted, .underWay, .done: return nil
    }
  }
}

/// Does what sessions need done.
package protocol AskBackend: Sendable {
  /// Returns early, with whatever there is, if its task is cancelled.
  func perform(_ work: Work) async -> Event
}
