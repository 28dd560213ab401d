internal import MicroHTTP
public import Prompts

/// An error of an `Asker`: what is wrong, and what to do.
///
/// ```swift
/// do { try server.start() } catch {
///   switch error {
///   case .portInUse(let port, _): print("another program listens on \(port)")
///   default: print(error)
///   }
/// }
/// ```
public enum AskFault: Error, Sendable, CustomStringConvertible {
  /// Another program listens on that port of that host.
  case portInUse(Int, host: String)
  /// A setting cannot be used, or something that the server needs; what is wrong, and what to do.
  case setup(String)
  /// Everything that is wrong with a prompt, and the name under which it was to be offered, if any.
  case unusablePrompt([Fault], named: String?)
  /// The server offers no prompt of that name; says so, with the nearest name.
  case unknownPrompt(String)
  /// There is no such ask: it was never made, or is no longer kept.
  case unknownAsk
  /// The server was stopped. It does not start again; make another one.
  case stopped
  /// There is no response, and why.
  case unreachable(String)
  /// The server refuses this: the status that HTTP has for it, the code of the problem if it has one, like `key-reused`,
  /// and what is wrong.
  case refused(status: Int, code: String?, detail: String)
  /// The question ended otherwise than by OK, so there are no values of the type that was asked for.
  case unanswered(Outcome)
  /// No server of this release responds like this.
  case notUnderstood(String)

  /// The fault and, if there is one, the remedy.
  public var description: String {
    switch self {
    case .portInUse(let port, let host): "\(Server.StartError.addressInUse(host: host, port: port))"
    case .setup(let what), .unknownPrompt(let what): what
    case .unusablePrompt(let faults, let name):
      "\(name.map { "the prompt “\($0)”" } ?? "this prompt") cannot be served:\n\(InlineFaults(faults))"
    case .unknownAsk: "there is no ask of this id: it was never made, or is no longer kept"
    case .stopped: "this server was stopped; make another one"
    case .unreachable(let why): "the server cannot be reached: \(why)"
    case .refused(let status, _, let detail): "the server refuses this (\(status)): \(detail)"
    case .unanswered(let outcome): "there are no values, because the outcome is “\(outcome.word)”"
    case .notUnderstood(let what): "the server’s response is not understood: \(what)"
    }
  }

  /// Does something whose errors say enough by themselves.
  static func wrapping<Result>(_ work: () throws -> Result) throws(AskFault) -> Result {
    do { return try work() } catch Server.StartError.addressInUse(let host, let port) {
      throw .portInUse(port, host: host)
    } catch {
      throw .setup("\(error)")
    }
  }

  /// The same as a client of HTTP would get it.
  init(_ problem: Problem) {
    self.init(status: problem.status.rawValue, code: problem.code.rawValue, detail: problem.inWords)
  }

  /// The fault that a problem's code stands for.
  init(status: Int, code: String?, detail: String) {
    switch code {
    // With another status, it is an ask that a question names.
    case Problem.Code.unknownAsk.rawValue where status == Status.notFound.rawValue: self = .unknownAsk
    case Problem.Code.unknownPrompt.rawValue: self = .unknownPrompt(detail)
    default: self = .refused(status: status, code: code, detail: detail)
    }
  }
}
