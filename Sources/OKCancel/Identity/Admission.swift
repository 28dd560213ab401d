internal import Asks
internal import Foundation
internal import MicroHTTP
internal import Prompts

/// Decides who may see and answer a question. Everything that shows or takes something of it asks here first.
struct Admission: Sendable {
  /// True if something in front of the server says who a visitor is.
  let knowsVisitors: Bool
  /// Where people sign in, with `{url}` in the place of the page to come back to; or `nil` if nobody says.
  private let signIn: String?
  private let baseURL: String?

  init(_ configuration: Configuration) {
    knowsVisitors = configuration.identity != nil
    signIn = configuration.signIn
    baseURL = configuration.baseURL
  }

  /// Admits a visitor to a prompt on offer.
  ///
  /// - Returns: who would answer it.
  /// - Throws: `Problem` 401 for a visitor without a name if the prompt is for some people only, 403 for somebody else.
  func by(_ visit: Visit, to prompt: Prompt) throws(Problem) -> Ended.By {
    try by(visit, [prompt.answerers], requestedBy: nil, vouchedFor: nil)
  }

  /// Admits a visitor to a question: the same, by what the program said when it asked.
  func by(_ visit: Visit, to prompt: Prompt, of ask: Ask) throws(Problem) -> Ended.By {
    let terms = ask.terms
    return try by(
      visit, [prompt.answerers, terms.answerers], requestedBy: terms.requestedBy, vouchedFor: terms.person)
  }

  private func by(
    _ visit: Visit, _ answerers: [Answerers], requestedBy requester: Person?, vouchedFor person: Person?
  ) throws(Problem) -> Ended.By {
    if let person, let visitor = visit.visitor.person, visitor.key != person.key { throw Problem(.notForYou) }
    let by = person.map { Ended.By(.program, $0) } ?? visit.visitor.by
    let isForSome = answerers.contains { !$0.isEmpty } || requester != nil && (knowsVisitors || person != nil)
    guard isForSome else { return by }
    guard let person = by.person else { throw unnamed(visit.request) }
    guard person.key != requester?.key, answerers.allSatisfy({ $0.admit(person) }) else { throw Problem(.notForYou) }
    return by
  }

  private func unnamed(_ request: Request) -> Problem {
    var problem = Problem(.unnamed)
    // `/a/{token}` of all that is below it.
    let page = (baseURL ?? request.origin) + "/" + request.path.split(separator: "/").prefix(2).joined(separator: "/")
    problem.signIn = signIn.map { start in
      let escaped = page.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ".", "_", "~"]))
      return start.replacing("{url}", with: escaped ?? "")
    }
    return problem
  }
}
