internal import Asks
internal import Foundation
package import Prompts

/// The question behind a link of any server, as the person who has the link sees and answers it: without a token.
package struct AnswerLink: PersonsQuestion {
  private let url: String
  private let language: Language?
  private let authorities: String?
  /// Distinguishes the answers of this person: one whose response was lost may be sent again.
  private let key = UUID().uuidString

  /// - Parameters:
  ///   - url: the link, `https://ask.example.com/a/…`.
  ///   - language: the person's, if they have said which.
  ///   - authorities: as for `Client`.
  package init?(_ url: String, language: Language?, authorities: String? = nil) {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard Rule.url.isValid(url), path.contains("/a/"), !path.hasSuffix("/") else { return nil }
    self.url = String(path)
    self.language = language
    self.authorities = authorities
  }

  package func prompt() async throws -> Prompt {
    let json = try await send("GET", "")
    var reading = Reading(isKept: true)
    do throws(InlineFaults) { return try reading.whole { Prompt(Node(json), &$0) } } catch {
      let fault = error.entries.first?.sentence ?? "it is no question"
      throw AskFault.notUnderstood("\(fault); a newer server may have sent it")
    }
  }

  package func verdicts(on inputs: Inputs, of fields: [Field]) async throws -> [String: Verdict] {
    var values = JSONWriter()
    values.value(inputs.values(of: fields))
    let json = try await send("POST", "/validate", values.bytes)
    let fields = (json["fields"]?.members ?? []).map { ($0.key, Self.verdict($0.value)) }
    return Dictionary(fields) { first, _ in first }
  }

  private static func verdict(_ json: JSON) -> Verdict {
    if case .bool(true)? = json["isValid"] { return .valid }
    return .invalid(rule: json.text("rule") ?? "", message: json.text("message") ?? "")
  }

  package func answer(
    _ outcome: Outcome.Kind, action: String?, _ inputs: Inputs, of fields: [Field]
  ) async throws -> AnswerReply {
    let body = JSONWriter.object { json in
      json.member("outcome", outcome.rawValue)
      json.member("action", ifPresent: action)
      if outcome == .cancel {
        json.member("reason", ifPresent: inputs[Field.reasonName]?.text)
      } else {
        json.member("values") { $0.value(inputs.values(of: fields)) }
      }
    }
    let (status, json) = try await exchange("POST", "", body, key: key)
    if status == 422, case .array(let errors)? = json["errors"] {
      let verdicts = errors.map { ($0.text("field") ?? "", Self.verdict($0)) }
      return .refused(Dictionary(verdicts) { first, _ in first })
    }
    try Self.check(status, json)
    guard let ended = Ended(json) else { throw AskFault.notUnderstood("there is no outcome") }
    return .ended(ended)
  }

  private func send(_ method: String, _ path: String, _ body: [UInt8]? = nil) async throws -> JSON {
    let (status, json) = try await exchange(method, path, body)
    try Self.check(status, json)
    return json
  }

  private static func check(_ status: Int, _ json: JSON) throws {
    if status < 300 { return }
    if let outcome = json.text("outcome").flatMap(Outcome.Kind.init) { throw HasEnded(outcome: outcome) }
    let (code, detail) = (json.text("code"), json.text("detail") ?? "no detail")
    let isSignIn = code == Problem.Code.signInNeeded.rawValue
    throw AskFault(status: status, code: code, detail: isSignIn ? "\(detail) \(wantsBrowser)" : detail)
  }

  private func exchange(
    _ method: String, _ path: String, _ body: [UInt8]?, key: String? = nil
  ) async throws -> (status: Int, JSON) {
    let request = OutgoingRequest(
      toServer: method, url + path, body: body, key: key, language.map { [("Accept-Language", $0.tag)] } ?? [],
      mebibytes: 16, trusting: authorities)
    let (status, body) = try request.response(in: try await request.result(within: .seconds(30)))
    do throws(JSONFault) { return (status, try JSON(parsing: body, limits: .file)) } catch {
      if (500...599).contains(status) { throw AskFault.unreachable("it responded with \(status)") }
      // A proxy leads to its sign-in, or shows it in the question's place.
      if (300..<500).contains(status) || body.first == UInt8(ascii: "<") {
        throw AskFault.refused(
          status: status, code: nil, detail: "there is a page instead of the question. \(Self.wantsBrowser)")
      }
      throw AskFault.notUnderstood("\(error)")
    }
  }

  private static let wantsBrowser = "A link that needs a sign-in has to be opened in a browser."
}
