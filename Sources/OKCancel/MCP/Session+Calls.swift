internal import Prompts

/// Handles calls of tools and requests about tasks.
extension Session {
  /// Below the 60 seconds that many clients and proxies give a request.
  private static let usualWait = 50

  mutating func called(_ id: ID, _ params: JSON, _ peer: Peer) throws(ProtocolError) -> [Action] {
    guard let name = params.text("name") else { throw ProtocolError("no-tool-name") }
    guard let tool = Tool(rawValue: name) else {
      let tools = Tool.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw ProtocolError("no-such-tool", ["name": name, "tools": tools])
    }
    let isAsk = tool == .askPerson, wantsTask = peer.revision == .november2025 && params["task"] != nil
    guard isAsk || !wantsTask else { throw ProtocolError("not-a-task", ["name": name]) }
    var call = Call(id, peer, isAsk ? .ask : .other, hostTells: host.tells || host.notifies)
    if let token = params["_meta"]?["progressToken"], ID(token) != nil { call.progressToken = token }
    call.isTask = isAsk && (wantsTask || peer.takesTasks)
    do throws(PlainError) {
      let arguments = try ToolArguments(params["arguments"], of: tool)
      call.arguments = arguments
      if case .bool(true)? = params["_meta"]?["okcancel/link"] { call.isOfOwnCommand = true }
      switch tool {
      case .askPerson: return asked(try AskArguments(arguments), arguments, call, params)
      case .withdrawAsk: return admit(call, .withdraw(id: arguments.id))
      case .reportResult: return admit(call, .finish(id: arguments.id, arguments.result ?? .done))
      case .listPrompts: return admit(call, .list)
      case .askOutcome:
        (call.ask, call.seconds) = (AskState(id: arguments.id), arguments.wait ?? Self.usualWait)
        return firstProgress(of: call) + admit(call, .look(id: arguments.id, seconds: call.slice))
      }
    } catch {
      return [.send(call.mistake("\(error)"))]
    }
  }

  private mutating func asked(
    _ ask: AskArguments, _ arguments: ToolArguments, _ call: Call, _ params: JSON
  ) -> [Action] {
    var call = call
    (call.title, call.seconds) = (ask.title, arguments.wait ?? Self.usualWait)
    let isStateless = call.peer.revision.isStateless
    var scope = arguments.key.map { "key \($0)" } ?? host.process.map { "process \($0)" }
    if !isStateless {
      scope = scope ?? sessionID.map { "session \($0)" }
    } else if call.peer.takesURLs {
      call.response = params["inputResponses"]?["link"]
      // Without a process or a key only what the client sends back can lead to the ask again.
      if scope == nil {
        call.isRepeated = params["requestState"] != nil
        call.state = params.text("requestState") ?? host.nonce()
      }
      scope = scope ?? call.state.map { "state \($0)" }
    }
    let key = scope.map {
      Work.Key(scope: $0, fingerprint: ask.fingerprint, isExplicit: arguments.key != nil)
    }
    return admit(call, .make(body: ask.body, key: key))
  }

  mutating func tasked(_ id: ID, _ method: String, _ params: JSON, _ peer: Peer) throws(ProtocolError) -> [Action] {
    guard peer.revision != .june2025 else { throw ProtocolError("no-tasks", ["revision": peer.revision.rawValue]) }
    guard !peer.revision.isStateless || peer.takesTasks else {
      throw ProtocolError(
        "undeclared-tasks", ["method": method, "extension": Peer.tasksExtension],
        data: ["requiredCapabilities": ["extensions": [Peer.tasksExtension: [:]]]])
    }
    guard let task = params.text("taskId") else { throw ProtocolError("missing", ["method": method, "key": "taskId"]) }
    var call = Call(id, peer, .task(method), hostTells: host.tells)
    call.ask = AskState(id: task)
    // An hour at a time: nobody waits without a limit.
    if method == "tasks/result" { call.seconds = 3600 }
    return admit(call, method == "tasks/cancel" ? .withdraw(id: task) : .look(id: task, seconds: call.slice))
  }

  // MARK: Events

  /// Takes what came of a piece of work.
  package mutating func resume(_ request: ID, with event: Event) -> [Action] {
    if case .ask(let ask) = event, ask.closed != nil {
      let taken = endElicitations(of: ask.id)
      if !taken.isEmpty { return taken + resume(request, with: event) }
    }
    guard var call = calls[request] else { return [] }
    switch event {
    case .refused(let why):
      guard case .task = call.goal else { return finish(call, call.mistake(mistake(call) ?? why)) }
      return finish(call, ProtocolError(refused: why))
    case .prompts(let prompts): return finish(call, call.respond(Call.toolResult(["prompts": prompts])))
    case .keyReleased: return []
    case .ask(var ask):
      let known = call.ask
      if let known, call.goal == .ask {
        (ask.link, ask.isNew, ask.isTold, ask.warnings) = (known.link, known.isNew, known.isTold, known.warnings)
      }
      if ask.isTold, !call.isOfOwnCommand { call.showsLink = false }
      call.ask = ask
      calls[call.id] = call
      if call.isCancelled {
        calls[call.id] = nil
        return ask.closed == nil ? [.background(.withdraw(id: ask.id))] : []
      }
      if case .task(let method) = call.goal { return seen(ask, call, method) }
      if ask.closed == nil { return call.goal == .ask && known == nil ? bring(ask, call) : goOn(call) }
      // The result of such a task is delivered later.
      return call.isTask && !call.peer.revision.isStateless
        ? finish(call, call.newTask(ask, tellings[ask.id])) : ended(call, ask)
    }
  }

  /// Has the person told of an open ask that was just made or found, unless that was done before.
  private mutating func bring(_ ask: AskState, _ call: Call) -> [Action] {
    if call.isRepeated, ask.isNew {
      return finish(call, ProtocolError("unknown-state")) + [.background(.withdraw(id: ask.id))]
    }
    switch tellings[ask.id] {
    case .accepted?, .done?: return goOn(afterTelling: call)
    case .underWay?: return park(call)
    case .declined?, .dismissed?, .failed?: return next(call, .withdraw(id: ask.id))
    case .elicited?, nil: break
    }
    guard let link = ask.link else {
      return finish(
        call,
        call.mistake(
          "This question is open, but its link cannot be read any more; withdraw it with withdraw_ask, by its id "
            + "\(ask.id), and ask again."))
    }
    if call.peer.takesURLs {
      if call.peer.revision.isStateless {
        guard let response = call.response else { return finish(call, inputRequired(link, call)) }
        let actions = park(call) + elicited(response, link, of: ask.id)
        if case .accepted? = tellings[ask.id] { return goOn(afterTelling: call) }
        return actions
      }
      // Nobody tells this server what the client did with the link of an earlier response.
      if host.process == nil {
        guard ask.isNew else { return wait(call) }
        let data: JSON = ["elicitations": [call.elicitation(url: link, id: ask.id)]]
        return finish(call, ProtocolError("elicitation", data: data))
      }
      let request = elicit(call, link, of: ask.id)
      return call.isTask ? goOn(afterTelling: call) + [request] : [request] + wait(call)
    }
    if let telling = tell(link, of: ask.id) { return park(call) + telling }
    // The model tells the person, and nobody answers before.
    return call.arguments?.wait == nil && !call.isTask && call.showsLink ? finishOpen(call) : goOn(afterTelling: call)
  }

  /// Leaves a call until the person has been told.
  private mutating func park(_ call: Call) -> [Action] {
    calls[call.id]?.isParked = true
    return []
  }

  /// Goes on once all was done to tell the person.
  mutating func goOn(afterTelling call: Call) -> [Action] {
    guard call.isTask, let ask = call.ask else { return wait(call) }
    return finish(call, call.newTask(ask, tellings[ask.id]))
  }

  private func inputRequired(_ link: String, _ call: Call) -> Outgoing {
    let request: JSON = ["method": "elicitation/create", "params": call.elicitation(url: link, id: nil)]
    return call.respond(
      ["inputRequests": ["link": request], "requestState": call.state.map(JSON.string)], type: "input_required")
  }

  private mutating func seen(_ ask: AskState, _ call: Call, _ method: String) -> [Action] {
    switch method {
    case "tasks/result" where ask.closed == nil:
      guard call.seconds <= call.slice else { return goOn(call) }
      return finish(call, ProtocolError("task-is-open"))
    case "tasks/result": return ended(call, ask)
    case "tasks/get":
      // Only with that revision a look at a task delivers its result.
      return ask.closed != nil && call.peer.revision.isStateless ? ended(call, ask) : finish(call, call.task(ask))
    case "tasks/cancel" where !call.peer.revision.isStateless:
      return ask.isNew ? finish(call, call.task(ask)) : finish(call, ProtocolError("task-has-ended"))
    default: return finish(call, call.respond())
    }
  }

  // MARK: Steps

  private func firstProgress(of call: Call) -> [Action] {
    call.seconds > 0 ? call.progress.map { [.send($0)] } ?? [] : []
  }

  private mutating func wait(_ call: Call) -> [Action] {
    firstProgress(of: call) + next(call, .look(id: call.ask?.id ?? "", seconds: call.slice))
  }

  /// After a look at an ask that is still open.
  private mutating func goOn(_ call: Call) -> [Action] {
    var call = call
    let slice = call.slice
    call.waited += slice
    call.seconds -= slice
    return call.seconds > 0 ? wait(call) : finishOpen(call)
  }

  mutating func next(_ call: Call, _ work: Work) -> [Action] {
    var call = call
    call.isParked = false
    calls[call.id] = call
    return [.work(call.id, work)]
  }

  /// Responds with a closed ask's outcome, and notifies a client that has brought its user to the link.
  private mutating func ended(_ call: Call, _ ask: AskState) -> [Action] {
    var actions: [Action] = []
    let telling = tellings[ask.id]
    if !calls.values.contains(where: { $0.id != call.id && $0.ask?.id == ask.id }) { tellings[ask.id] = nil }
    if case .accepted? = telling, call.peer.revision == .november2025 {
      actions.append(.send(Outgoing("notifications/elicitation/complete", params: ["elicitationId": .string(ask.id)])))
    }
    calls[call.id] = nil
    let response: Outgoing
    if call.goal == .task("tasks/get") {
      response = call.task(ask, telling)
    } else if ask.outcome == "withdrawn", let text = telling?.mistake(isOpen: false) {
      response = call.mistake(text)
    } else {
      response = call.result(of: ask, telling)
    }
    return actions + [.deliver(response, ask: ask.id)]
  }

  private mutating func finishOpen(_ call: Call) -> [Action] {
    let ask = call.ask ?? AskState(id: "")
    return finish(call, mistake(call).map(call.mistake) ?? call.result(of: ask, tellings[ask.id]))
  }

  /// The mistake of a call whose ask stays open though its person has not been told, or `nil` if there is none.
  private func mistake(_ call: Call) -> String? { call.ask.flatMap { tellings[$0.id]?.mistake(isOpen: true) } }

  private mutating func finish(_ call: Call, _ response: Outgoing) -> [Action] {
    calls[call.id] = nil
    return [.send(response)]
  }

  private mutating func finish(_ call: Call, _ failure: ProtocolError) -> [Action] {
    finish(call, Outgoing(failure, to: call.id, isStateless: call.peer.revision.isStateless))
  }
}
