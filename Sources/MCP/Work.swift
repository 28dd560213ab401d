package import StrictJSON

/// What a session needs done by those who know where asks are kept.
package enum Work: Sendable {
  /// Makes an ask from a body of `POST /asks`, or finds the one that has this key; its event is `.ask`.
  case make(body: JSON, key: Key?)
  /// Looks how an ask is doing, and waits so many seconds for its end; its event is `.ask`.
  case look(id: String, seconds: Int)
  /// Takes an ask back; its event is `.ask`, whatever it ended with.
  case withdraw(id: String)
  /// Lets go of the ask's key, as its outcome is about to be delivered: the same call then asks anew.
  case settle(id: String)
  /// Brings the link to the person; its event is `.presented`.
  case present(link: String)
  /// Lists the prompts on offer; its event is `.prompts`.
  case list

  /// What a call that comes again finds its ask by.
  package struct Key: Sendable {
    /// A name that the caller gave, or the process or session that the call belongs to.
    package let scope: String
    /// What was asked. With an explicit key, another question is a mistake; else it is another ask.
    package let fingerprint: [UInt8]
    package let isExplicit: Bool
  }
}

/// What came of a piece of work.
package enum Event: Sendable {
  case ask(AskState)
  case settled
  /// Whether the link is on its way to the person.
  case presented(Bool)
  /// An array of objects.
  case prompts(JSON)
  /// It cannot be done, and what to do.
  case refused(String)
}

/// An ask as a session sees it.
package struct AskState: Sendable {
  package let id: String
  /// The person's link, if it was just made or found.
  package var link: String?
  /// Whether this very piece of work made it, or took it back.
  package var isNew = false
  /// As RFC 3339 has it.
  package var createdAt: String
  /// What `GET /asks/{id}` says of a closed ask; `nil` while it is open.
  package var closed: JSON?

  package init(id: String, link: String? = nil, isNew: Bool = false, createdAt: String = "", closed: JSON? = nil) {
    (self.id, self.link, self.isNew, self.createdAt, self.closed) = (id, link, isNew, createdAt, closed)
  }

  /// How it ended, or `nil` while it is open.
  var outcome: String? { closed?.text("outcome") }
}

/// What a session wants its transport to do, in this order.
package enum Action: Sendable {
  case send(Outgoing)
  /// To be done meanwhile; what comes of it goes to `Session.resume`.
  case work(WorkID, Work)
  /// To be done meanwhile, and nobody waits for it.
  case background(Work)
  /// What is being done for this request has no more use.
  case stop(ID)
}

/// A piece of work for one request.
package struct WorkID: Hashable, Sendable {
  package let request: ID
  let number: Int
}

/// Does what sessions need done.
package protocol Desk: Sendable {
  /// Returns early, with whatever there is, if its task is cancelled.
  func perform(_ work: Work) async -> Event
}
