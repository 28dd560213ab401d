internal import Asks
internal import Prompts

/// Decides who may see and answer a question. No handler gets a prompt or a question in another way.
extension AskService {
  /// The standing prompt that the visitor's path names, in the language that the visitor wants.
  ///
  /// - Parameter name: of the prompt, or `nil` for the one in the path.
  /// - Throws: `Problem` 404, which only suggests names that the visitor may know of; 401 or 403 if the visitor may not
  ///   answer it.
  func prompt(_ name: String? = nil, for visit: Visit) throws(Problem) -> StandingPrompt {
    let name = name ?? visit.request.segment("name") ?? ""
    guard let found = registry[name] else { throw Problem(unknownPrompt: name, among: prompts(for: visit)) }
    let published = found.inLanguage(of: visit.request), answerers = published.edition.authored.answerers
    let by = answerers.isEmpty ? visit.visitor.by : try admit(visit.visitor, to: answerers)
    return StandingPrompt(published: published, asks: self, by: by)
  }

  /// The standing prompts that the visitor may answer, by name.
  func prompts(for visit: Visit) -> [PublishedPrompt] {
    registry.current.sorted.filter { published in
      (try? admit(visit.visitor, to: published.edition.authored.answerers)) != nil
    }
  }

  /// The question that the visitor's link leads to.
  ///
  /// - Throws: `Problem` 404 for an unknown link, 401 or 403 if the visitor may not answer it.
  func ask(for visit: Visit) async throws(Problem) -> LinkedAsk {
    try await ask(linkedBy: visit.request.segment("token") ?? "", for: visit.visitor) { (ask) throws(Problem) in
      try await edition(of: ask, for: visit)
    }
  }

  /// The question that a link of this token leads to, for the person at the terminal of this program.
  func askHere(linkedBy text: String) async throws(Problem) -> LinkedAsk {
    try await ask(linkedBy: text, for: Visitor(by: .terminal)) { (ask) throws(Problem) in
      let edition = try await edition(of: ask, for: .ownProcess)
      return edition.authored.requestedLanguage.map(edition.inLanguage) ?? edition
    }
  }

  private func ask(
    linkedBy text: String, for visitor: Visitor, _ edition: (Ask) async throws(Problem) -> Edition
  ) async throws(Problem) -> LinkedAsk {
    guard let token = LinkToken(text), let ask = try await withStore({ try await $0.ask(linkedBy: token) })
    else { throw Problem("unknown-link") }
    let edition = try await edition(ask)
    let by = try admit(visitor, to: edition.authored.answerers, of: ask)
    // Decided again when it is answered.
    guard try await withStore({ try await $0.mayBeAnswered(ask, by: by.person) }) else { throw Problem("not-for-you") }
    return LinkedAsk(ask, edition, linkedBy: text, by: by, self)
  }

  /// Admits a visitor to a standing prompt, or to a question.
  ///
  /// - Parameters:
  ///   - visitor: who visits, and how that is known.
  ///   - answerers: whom the prompt names.
  ///   - ask: what a program asked, or `nil` for a standing prompt.
  /// - Returns: who would answer it.
  /// - Throws: `Problem` 401 for a visitor without a name if it is for some people only, 403 for somebody else.
  func admit(_ visitor: Visitor, to answerers: Answerers, of ask: Ask? = nil) throws(Problem) -> Ended.By {
    let (requester, person) = (ask?.terms.requestedBy, ask?.terms.person)
    if let person, let visitor = visitor.person, visitor.key != person.key { throw Problem("not-for-you") }
    let by = person.map { Ended.By(.program, $0) } ?? visitor.by
    let lists = [answerers, ask?.terms.answerers ?? Answerers()]
    let isForSome = lists.contains { !$0.isEmpty } || requester != nil && (reader.knowsVisitors || person != nil)
    guard isForSome else { return by }
    guard let person = by.person else {
      throw visitor.isNameless ? Problem("sign-in-needed.nameless") : Problem("sign-in-needed")
    }
    guard person.key != requester?.key, lists.allSatisfy({ $0.admit(person) }) else { throw Problem("not-for-you") }
    return by
  }
}
