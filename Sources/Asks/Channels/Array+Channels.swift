package import Prompts

/// The channels of a server.
extension [Channel] {
  subscript(name: String) -> Channel? { first { $0.name == name } }

  /// The channel that mails the people in `for`, or `nil`.
  var forAnswerers: Channel? { first { $0.mail != nil } }

  /// The names that an ask can give, `for` among them if somebody can be mailed.
  package var names: [String] {
    filter { $0.mail?.to.isEmpty != true }.map(\.name) + (forAnswerers == nil ? [] : [NoticePlan.answerers])
  }

  /// The first name that no channel has, or `nil`.
  package func unknown(in noticePlan: NoticePlan) -> String? {
    noticePlan.channels.first { !names.contains($0) }
  }

  /// Where the notices of an ask wait, each once.
  func origins(for notices: Notices, admitting admits: (String) -> Bool, _ people: [String]) -> [(
    channel: String, origin: String
  )] {
    var found: [(channel: String, origin: String)] = []
    func add(_ channel: Channel, _ address: String?) {
      let origin = channel.origin(of: address)
      if !found.contains(where: { $0.origin == origin }) { found.append((channel.name, origin)) }
    }
    for name in notices.noticePlan.channels {
      if name == NoticePlan.answerers, let channel = forAnswerers {
        for id in people where channel.mail?.mayReach(id) == true && admits(id) { add(channel, id) }
      } else if let channel = self[name] {
        if let server = channel.mail { for address in server.to { add(channel, address) } } else { add(channel, nil) }
      }
    }
    return found
  }
}
