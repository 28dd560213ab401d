package import Prompts

/// The channels that tell people of an ask, as the ask keeps them.
package struct Notices: Sendable {
  package var noticePlan = NoticePlan()
  /// The start of the person's link, without a slash at its end.
  package var linkedFrom = ""
  /// `for` and `notBy` of the definition: the ask's own come on top.
  package var ofDefinition = Answerers()

  package init() {}

  init(kept json: JSON) {
    noticePlan = NoticePlan(kept: json)
    linkedFrom = json.text("from") ?? ""
    ofDefinition.only = json.texts("for").map { Answerers.Entry($0) }
    ofDefinition.never = json.texts("notBy").map { Answerers.Entry($0) }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      noticePlan.writeMembers(to: &json)
      json.member("from", linkedFrom)
      ofDefinition.writeMembers(to: &json)
    }
  }
}

/// The occasion of a message; its name stands in the queue.
enum Message: String, Sendable {
  case asked, reminder, closed
  /// What came of an answer. In the queue it is `closed` too, and told by its id.
  case result

  /// As the queue has it.
  var kind: String { (self == .result ? Message.closed : self).rawValue }
}

extension Ask {
  /// The rows of the queue that tell people of this ask, as JSON.
  ///
  /// A row has the same id however often it is made, so that it is made once.
  func notices(through channels: [Channel], at now: Timestamp) -> [UInt8] {
    guard let notices = terms.notices else { return Array("[]".utf8) }
    let origins = channels.origins(for: notices, admitting: mayTell, addressees)
    var messages: [(message: Message, due: Timestamp)] = [(.asked, now)]
    if let before = notices.noticePlan.remindBefore, expiresAt - before > createdAt {
      messages.append((.reminder, expiresAt - before))
    }
    var json = JSONWriter()
    json.array(messages.flatMap { message in origins.map { (message, $0) } }) { json, row in
      let ((message, due), (channel, origin)) = row
      // Its own time, even if that is over: who was reminded of this end already is not reminded again.
      let time = message == .reminder ? " \(due.milliseconds)" : ""
      json.object { json in
        json.member("id", "\(id) \(message.rawValue) \(origin)\(time)")
        json.member("kind", message.rawValue)
        json.member("channel", channel)
        json.member("origin", origin)
        json.member("due", Int(max(due, now).milliseconds))
        if due <= now { json.member("since", Int(now.milliseconds)) }
      }
    }
    return json.bytes
  }

  /// The ids in `for`: the ask's, or those of the definition if it has none of its own.
  private var addressees: [String] {
    let own = terms.answerers.only.isEmpty ? terms.notices?.ofDefinition.only ?? [] : terms.answerers.only
    return own.compactMap { if case .person(let id) = $0 { id } else { nil } }
  }

  /// False for somebody who may not answer. Whether a group has somebody is not known here.
  private func mayTell(_ id: String) -> Bool {
    let person = Person(id: id)
    guard let definition = terms.notices?.ofDefinition, person.key != terms.requestedBy?.key else { return false }
    let hasGroups = definition.only.contains { if case .group = $0 { true } else { false } }
    var never = Answerers()
    never.never = definition.never + terms.answerers.never
    return never.admit(person) && (hasGroups || definition.admit(person))
  }
}
