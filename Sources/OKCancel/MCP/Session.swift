internal import Prompts

/// One connection of a client, as a state machine: messages and events go in, actions come out. It waits for nothing,
/// reads no clock and knows neither HTTP nor where asks are kept.
package struct Session: Sendable {
  /// The surroundings of the session.
  package struct Host: Sendable {
    /// The release of this server.
    var version: String
    /// Names the process of a session over standard input and output; `nil` over HTTP, where no client reads requests.
    var process: String?
    /// True if the transport brings links to the person (`Action.tell`), so that the model must not have them.
    package var tells = false
    /// True if a channel of the server tells people of every ask.
    package var notifies = false
    /// Characters that nobody can guess.
    var nonce: @Sendable () -> String

    package init(version: String, process: String? = nil, nonce: @escaping @Sendable () -> String) {
      self.version = version
      self.process = process
      self.nonce = nonce
    }
  }

  /// Requests that may wait at a time.
  private static let callLimit = 4096

  let host: Host
  private let headers: MirroredHeaders?
  /// The client as it introduced itself in `initialize`, for revisions that have it.
  private var peer: Peer?
  /// The HTTP session that the request names.
  let sessionID: String?
  var calls: [ID: Call] = [:]
  /// Requests of this server that the client has not answered: the asks that they are for, and their links.
  private var elicitations: [ID: (ask: String, link: String)] = [:]
  private var lastRequest = 0
  /// The attempts to tell the person, by the id of the ask; only asks whose outcome was not delivered.
  var tellings: [String: Telling] = [:]

  /// - Parameters:
  ///   - headers: those of the one request that a session over HTTP has; `nil` over standard input and output.
  ///   - sessionID: the HTTP session that the request names.
  package init(_ host: Host, headers: MirroredHeaders? = nil, sessionID: String? = nil) {
    self.host = host
    self.headers = headers
    self.sessionID = sessionID
  }

  // MARK: Messages

  /// Wider than the limits of a tool's arguments, so that a request that exceeds those gets a response with its id.
  private static let limits = JSONLimits(depth: 64, keys: 1_000, string: 4 << 20)

  /// Takes a message of the client.
  package mutating func receive(_ bytes: [UInt8]) -> [Action] {
    do throws(JSONFault) { return receive(try JSON(parsing: bytes, limits: Self.limits)) } catch {
      return [.send(Outgoing(ProtocolError("not-json", ["fault": "\(error)"]), to: nil, isStateless: false))]
    }
  }

  /// The response to a message that was too long to be read.
  package func refusal(ofBytesOver limit: Int) -> Outgoing {
    Outgoing(ProtocolError("too-long", ["limit": limit]), to: nil, isStateless: false)
  }

  private mutating func receive(_ json: JSON) -> [Action] {
    do throws(ProtocolError) {
      switch try Message(json) {
      case .request(let id, let method, let params): return try received(id, method, params)
      case .notification(let method, let params): return method == "notifications/cancelled" ? cancelled(params) : []
      case .response(let id, let result): return answered(id, result)
      }
    } catch {
      return [.send(Outgoing(error, to: json.id, isStateless: json["params"]?["_meta"] != nil))]
    }
  }

  private mutating func received(_ id: ID, _ method: String, _ params: JSON) throws(ProtocolError) -> [Action] {
    guard calls[id] == nil else { throw ProtocolError("repeated-id") }
    // What does not agree is no question of what is supported.
    try headers?.checkVersion(params)
    let stateless = try Peer(of: params)
    if let stateless {
      try headers?.check(against: method, params, stateless)
    } else if method == "initialize" {
      return [try initialized(id, params)]
    }
    let peer = if let stateless { stateless } else { try initializedPeer(method) }
    switch method {
    case "ping" where !peer.revision.isStateless: return [.send(Outgoing(resultOf: id, for: peer))]
    case "server/discover" where peer.revision.isStateless: return [.send(discovery(id, peer))]
    case "tools/list":
      let tools: JSON = ["tools": Tool.list(tasks: peer.revision == .november2025)]
      return [.send(Outgoing(resultOf: id, for: peer, peer.revision.isStateless ? tools + Self.caching : tools))]
    case "tools/call": return try called(id, params, peer)
    case "tasks/get", "tasks/cancel",
      "tasks/result" where peer.revision == .november2025,
      "tasks/update" where peer.revision.isStateless:
      return try tasked(id, method, params, peer)
    default: throw ProtocolError("no-such-method", ["method": method])
    }
  }

  /// - Throws: if the client has not said what it is.
  private func initializedPeer(_ method: String) throws(ProtocolError) -> Peer {
    if let version = headers?.version, Revision(rawValue: version) == nil { throw .unsupported(version) }
    if let peer = peer ?? sessionID.flatMap(Peer.init(session:)) { return peer }
    guard let revision = headers?.version.flatMap(Revision.init(rawValue:)) else {
      guard headers != nil || method == "ping" else { throw ProtocolError("uninitialized") }
      return Peer(revision: .june2025)
    }
    if revision.isStateless { throw ProtocolError("no-meta", ["version": revision.rawValue]) }
    return Peer(revision: revision)
  }

  private mutating func initialized(_ id: ID, _ params: JSON) throws(ProtocolError) -> Action {
    guard let version = params.text("protocolVersion") else {
      throw ProtocolError("missing", ["method": "initialize", "key": "protocolVersion"])
    }
    // If the revision is unknown here, the client may still accept the newest one that has `initialize`.
    let known = Revision(rawValue: version).flatMap { $0.isStateless ? nil : $0 }
    let peer = Peer(revision: known ?? .november2025, capabilities: params["capabilities"] ?? [:])
    self.peer = peer
    let tasks: JSON = ["cancel": [:], "requests": ["tools": ["call": [:]]]]
    var response = Outgoing(
      resultOf: id, for: peer,
      [
        "protocolVersion": .string(peer.revision.rawValue),
        "capabilities": ["tools": [:], "tasks": peer.revision == .november2025 ? tasks : nil],
        "serverInfo": serverInfo,
        "instructions": .string(Tool.instructions),
      ])
    if headers != nil { response.session = peer.session(host.nonce()) }
    return .send(response)
  }

  private var serverInfo: JSON { ["name": "okcancel", "title": "OKCancel", "version": .string(host.version)] }

  private func discovery(_ id: ID, _ peer: Peer) -> Outgoing {
    let result: JSON = [
      "supportedVersions": Revision.all,
      "capabilities": ["tools": [:], "extensions": [Peer.tasksExtension: [:]]],
      "instructions": .string(Tool.instructions),
      "_meta": ["io.modelcontextprotocol/serverInfo": serverInfo],
    ]
    return Outgoing(resultOf: id, for: peer, result + Self.caching)
  }

  private static let caching: JSON = ["ttlMs": 3_600_000, "cacheScope": "public"]

  // MARK: Telling the person

  /// Has the client bring its user to a URL.
  mutating func elicit(_ call: Call, _ link: String, of ask: String) -> Action {
    lastRequest += 1
    let id = ID(ofServerRequest: lastRequest)
    elicitations[id] = (ask, link)
    tellings[ask] = .elicited
    let task: JSON = call.isTask ? ["_meta": Call.relatedTask(ask)] : [:]
    return .send(Outgoing("elicitation/create", id: id, params: call.elicitation(url: link, id: ask) + task))
  }

  private mutating func answered(_ id: ID, _ result: JSON?) -> [Action] {
    guard let (ask, link) = elicitations.removeValue(forKey: id), case .elicited? = tellings[ask] else { return [] }
    return elicited(result, link, of: ask)
  }

  /// Takes back what the client was asked of an ask that has ended.
  mutating func endElicitations(of ask: String) -> [Action] {
    let pending = elicitations.filter { $0.value.ask == ask }.map(\.key)
    return pending.map { id in
      elicitations[id] = nil
      let reason: JSON = ["requestId": id.json, "reason": "The question has ended."]
      return .send(Outgoing("notifications/cancelled", params: reason))
    }
  }

  /// Takes what the client sent back when its user was asked to open the link of an ask.
  mutating func elicited(_ result: JSON?, _ link: String, of ask: String) -> [Action] {
    switch result?.text("action") {
    case "accept":
      tellings[ask] = .accepted
      return []
    case "decline": return withdraw(ask, as: .declined)
    case "cancel": return withdraw(ask, as: .dismissed)
    // The client declares that it takes URLs, and does not.
    default: return tell(link, of: ask) ?? withdraw(ask, as: .failed("the host could not show them the link"))
    }
  }

  /// Has the transport tell the person, or returns `nil` if it does not do that.
  mutating func tell(_ link: String, of ask: String) -> [Action]? {
    guard host.tells else { return nil }
    tellings[ask] = .underWay
    return [.tell(ask: ask, link: link)]
  }

  /// Takes what came of `Action.tell`: `done` or `failed`.
  package mutating func told(_ ask: String, _ telling: Telling) -> [Action] {
    guard case .underWay? = tellings[ask] else { return [] }
    if case .failed = telling { return withdraw(ask, as: telling) }
    tellings[ask] = telling
    return calls.values.filter { $0.isParked && $0.ask?.id == ask }.flatMap { goOn(afterTelling: $0) }
  }

  /// Takes an ask back whose person has not been told, or does not want to be.
  private mutating func withdraw(_ ask: String, as telling: Telling) -> [Action] {
    tellings[ask] = telling
    let waiting = calls.values.filter { $0.goal == .ask && $0.ask?.id == ask && $0.ask?.closed == nil }
    guard !waiting.isEmpty else { return [.background(.withdraw(id: ask))] }
    return waiting.flatMap { [.stop($0.id)] + next($0, .withdraw(id: ask)) }
  }

  // MARK: Cancelling

  private mutating func cancelled(_ params: JSON) -> [Action] {
    guard let id = params["requestId"].flatMap(ID.init) else { return [] }
    // Over HTTP each request is a session of its own.
    guard let call = calls[id] else { return headers == nil ? [] : [.stop(id)] }
    return call.isTask ? [] : cancel(call)
  }

  /// True if a request has no response yet.
  var waits: Bool { !calls.isEmpty }

  /// True if a client that waits gets notifications meanwhile.
  var notifies: Bool { calls.values.contains { $0.progressToken != nil && $0.seconds > 0 } }

  /// The request of a session over HTTP, while it has no response.
  var request: ID? { calls.first { !$0.value.isTask }?.key }

  /// The client of a session over HTTP has cancelled its request, or has gone, which means the same from 2026-07-28 on.
  mutating func disconnected(isCancelled: Bool) -> [Action] {
    calls.values.filter { isCancelled || $0.peer.revision.isStateless }.flatMap { cancel($0) }
  }

  private mutating func cancel(_ call: Call) -> [Action] {
    guard call.arguments?.withdrawsIfCancelled == true else {
      calls[call.id] = nil
      return [.stop(call.id)]
    }
    guard let ask = call.ask else {
      // It is withdrawn once it is made.
      calls[call.id]?.isCancelled = true
      return []
    }
    calls[call.id] = nil
    return [.stop(call.id), .background(.withdraw(id: ask.id))]
  }

  mutating func admit(_ call: Call, _ work: Work) -> [Action] {
    guard calls.count < Self.callLimit else {
      return [.send(call.mistake("Too many calls are waiting; wait until some of them have returned."))]
    }
    return next(call, work)
  }
}
