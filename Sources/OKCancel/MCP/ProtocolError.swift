internal import Prompts

/// A protocol error, with its facts. What a model does wrong with a tool is none: that is a `PlainError`.
enum ProtocolError: Error {
  // Messages
  case notJSON(JSONFault), tooLong(limit: Int), notAnObject(JSON), noJSONRPC, badID, noMethod, repeatedID
  case wrongType(String, String, JSON)
  // What a client is
  case uninitialized, noCapabilities, noMeta(version: String), unsupported(String)
  case header(String, String?, said: String)
  // Methods and tools
  case missing(String, of: String), noSuchMethod(String), noToolName, noSuchTool(String)
  // Tasks
  case notATask(String), noTasks(Revision), undeclaredTasks(method: String), taskIsOpen, taskHasEnded
  /// The client has to bring its user to a link.
  case elicitation(JSON)
  /// No question waits for what the client sends back.
  case unknownState
  /// The ask is refused, in the words of the `AskBackend`.
  case refused(String)

  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    case headerMismatch = -32020
    case missingClientCapability = -32021
    case unsupportedVersion = -32022
    case urlElicitationRequired = -32042

    /// The status of an HTTP server's response.
    fileprivate var status: Int {
      [.methodNotFound, .invalidParams, .internalError, .urlElicitationRequired].contains(self) ? 200 : 400
    }
  }

  /// The status of an HTTP server's response.
  ///
  /// - Parameter isStateless: whether the request declares its client, as from 2026-07-28 on.
  func status(isStateless: Bool) -> Int {
    switch self {
    case .noMeta, .noCapabilities: 400
    case .noSuchMethod, .notATask, .noTasks: isStateless ? 404 : code.status
    default: code.status
    }
  }

  var code: Code {
    switch self {
    case .notJSON: .parseError
    case .tooLong, .notAnObject, .noJSONRPC, .badID, .noMethod, .repeatedID, .uninitialized: .invalidRequest
    case .wrongType(let key, _, _): key == Peer.versionKey ? .invalidParams : .invalidRequest
    case .noCapabilities, .noMeta, .missing, .noToolName, .noSuchTool, .taskHasEnded, .unknownState, .refused:
      .invalidParams
    case .noSuchMethod, .notATask, .noTasks: .methodNotFound
    case .header: .headerMismatch
    case .undeclaredTasks: .missingClientCapability
    case .unsupported: .unsupportedVersion
    case .taskIsOpen: .internalError
    case .elicitation: .urlElicitationRequired
    }
  }

  /// The fault and its remedy.
  var sentence: String {
    switch self {
    case .notJSON(let fault): "This is not valid JSON: \(fault)"
    case .tooLong(let limit): "A message can have at most \(limit) bytes; send less context."
    case .notAnObject(.array):
      "a message must be one JSON object, not an array; send the messages of a batch one by one"
    case .notAnObject(let json): "a message must be one JSON object, not \(json.kindInWords)"
    case .noJSONRPC: "a message needs \"jsonrpc\": \"2.0\""
    case .badID: "an id is a string or a whole number; send one of them"
    case .noMethod: "a message needs a \"method\", or a \"result\" or \"error\" with an id"
    case .repeatedID: "a request with this id is still waiting; give each its own"
    case .wrongType(let key, let type, let found): "\"\(key)\" is \(type), not \(found.kindInWords)"

    case .uninitialized: "send `initialize` first, or say in `_meta` what the client is"
    case .noCapabilities: "_meta needs an object \"\(Peer.capabilitiesKey)\"; {} will do"
    case .noMeta(let version): "the header MCP-Protocol-Version says \(version), but `_meta` names no version"
    case .unsupported(let version): "this server does not support the revision \(version); see `data`"
    case .header(let name, let value, let said):
      "the header \(name) \(value.map { "says “\($0)”" } ?? "is missing"), and the body says “\(said)”"

    case .missing(let key, let what): "\(what) needs a string \"\(key)\""
    case .noSuchMethod(let method): "this server has no method “\(method)”; it has tools"
    case .noToolName: "tools/call needs the \"name\" of a tool"
    case .noSuchTool(let name):
      "there is no tool “\(name)”; there are \(Tool.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", "))"

    case .notATask(let name): "only ask_person can be a task; call \(name) without \"task\""
    case .noTasks(let revision): "the revision \(revision.rawValue) has no tasks"
    case .undeclaredTasks(let method): "\(method) is for clients that declare \(Peer.tasksExtension)"
    case .taskIsOpen: "the task still waits for the person; ask again"
    case .taskHasEnded: "this task has ended already"
    case .elicitation: "The person has to answer at a URL; open it, and repeat this call to wait for the answer."
    case .unknownState: "this `requestState` is of no question that waits; call the tool again without it"
    case .refused(let why): why
    }
  }

  /// The facts for programs.
  var data: JSON? {
    switch self {
    case .unsupported(let version): ["supported": Revision.all, "requested": .string(version)]
    case .undeclaredTasks: ["requiredCapabilities": ["extensions": [Peer.tasksExtension: [:]]]]
    case .elicitation(let elicitation): ["elicitations": [elicitation]]
    default: nil
    }
  }
}
