internal import Asks
internal import Prompts

/// Decides who may see and answer a question. Everything that shows or takes something of it asks here first.
struct Admission: Sendable {
  /// True if something in front of the server says who a visitor is.
  let knowsVisitors: Bool

  /// Admits a visitor to a prompt on offer, or to a question.
  ///
  /// - Parameters:
  ///   - visitor: who visits, and how that is known.
  ///   - answerers: whom the prompt names.
  ///   - ask: what a program asked, or `nil` for a prompt on offer.
  /// - Returns: who would answer it.
  /// - Throws: `Problem` 401 for a visitor without a name if it is for some people only, 403 for somebody else.
  func admit(_ visitor: Ended.By, to answerers: Answerers, of ask: Ask? = nil) throws(Problem) -> Ended.By {
    let (requester, person) = (ask?.terms.requestedBy, ask?.terms.person)
    if let person, let visitor = visitor.person, visitor.key != person.key { throw Problem(.notForYou) }
    let by = person.map { Ended.By(.program, $0) } ?? visitor
    let lists = [answerers, ask?.terms.answerers ?? Answerers()]
    let isForSome = lists.contains { !$0.isEmpty } || requester != nil && (knowsVisitors || person != nil)
    guard isForSome else { return by }
    guard let person = by.person else { throw Problem(.unnamed) }
    guard person.key != requester?.key, lists.allSatisfy({ $0.admit(person) }) else { throw Problem(.notForYou) }
    return by
  }
}
