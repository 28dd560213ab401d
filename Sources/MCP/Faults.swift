internal import Base
internal import Prompts
internal import StrictJSON

/// A protocol error, with its facts. What a model does wrong with a tool is none: that is a `Mistake`.
enum Failure: Error {
  // Messages
  case notJSON(JSONFault), tooLong(limit: Int), notAnObject(JSON), noVersion, badID, noMethod, repeatedID
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
    var status: Int {
      [.methodNotFound, .invalidParams, .internalError, .urlElicitationRequired].contains(self) ? 200 : 400
    }
  }

  var code: Code {
    switch self {
    case .notJSON: .parseError
    case .tooLong, .notAnObject, .noVersion, .badID, .noMethod, .repeatedID, .uninitialized: .invalidRequest
    case .wrongType(let key, _, _): key == Peer.versionKey ? .invalidParams : .invalidRequest
    case .noCapabilities, .missing, .noToolName, .noSuchTool, .taskHasEnded, .refused: .invalidParams
    case .noSuchMethod, .notATask, .noTasks: .methodNotFound
    case .header, .noMeta: .headerMismatch
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
    case .noVersion: "a message needs \"jsonrpc\": \"2.0\""
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

/// A fault in an argument of a tool.
enum ArgumentFault: FaultCase {
  case emptyKey

  var sentence: FaultSentence { .init("empty-key", "`key` is empty", "send a string, or leave it out") }
}

/// A model's mistake with a tool, with its facts.
enum Mistake: Error {
  case arguments(InlineFaults)
  case tooManyBytes(Int, limit: Int), unreadable(JSONFault)
  case nothingAsked, askedTwice(String, String), besidePrompt(String), withoutFields(String), badSchema(JSON)
  case tooManyCalls, lostLink(ask: String)

  /// Tells the model what to send instead.
  var sentence: String {
    switch self {
    case .arguments(let faults): faults.entries.map(\.sentence).joined(separator: "\n")
    case .tooManyBytes(let count, let limit):
      "These arguments have \(count) bytes; keep to \(limit), and link to the rest."
    case .unreadable(let fault):
      if case .tooManyKeys = fault.reason {
        "These arguments cannot be read: \(fault.sentence), and a question has at most \(Prompt.fieldLimit) fields."
      } else {
        "These arguments cannot be read: \(fault.sentence)."
      }
    case .nothingAsked:
      "Say what to ask: a `title`, and `fields` or a `schema` if there is something to fill in; "
        + "or the name of a `prompt` that list_prompts returned."
    case .askedTwice(let one, let other): "`\(one)` and `\(other)` both say what to fill in; keep one of them."
    case .besidePrompt(let key):
      "`prompt` names a whole prompt, with its own title and fields; leave `\(key)` out, or `prompt`."
    case .withoutFields(let key):
      "`\(key)` goes with `fields`; leave it out, or write `fields` instead of a `schema`."
    case .badSchema(let json):
      "`schema` is \(json.kindInWords); send the JSON Schema itself, as an object and not as a string."
    case .tooManyCalls: "Too many calls are waiting; wait until some of them have returned."
    case .lostLink(let ask):
      "This question is open, but its link cannot be read any more; withdraw it with withdraw_ask, by its id \(ask), "
        + "and ask again."
    }
  }
}
