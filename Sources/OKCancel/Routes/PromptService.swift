internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// The parts that the handlers share: the prompts on offer, their pages and their judge.
final class PromptService: Sendable {
  let registry: PromptRegistry
  var pages: Pages { registry.pages }
  let judging: Judging
  /// In the language of pages that belong to no prompt.
  let sentences: Sentences
  let predicateFailures: PredicateFailures
  /// `nil` if no other server shares the database.
  let agreement: PromptAgreement?
  let verdicts = VerdictCounts()

  init(
    registry: PromptRegistry, judging: Judging, sentences: Sentences, predicateFailures: PredicateFailures,
    agreement: PromptAgreement?
  ) {
    self.registry = registry
    self.judging = judging
    self.sentences = sentences
    self.predicateFailures = predicateFailures
    self.agreement = agreement
  }

  /// Judges without submitting.
  ///
  /// - Parameter only: names of the fields to judge, or `nil` for all.
  func verdicts(
    on inputs: Inputs, of target: some ShownAnswerable, only: [String]? = nil, for visit: Visit
  ) throws(Problem) -> Eventual<Response> {
    try judging.begin(
      inputs, of: target.edition, only: only, for: visit.payer
    ).then { verdicts in
      self.verdicts.count(verdicts.isValid, at: .validate)
      return .now(target.dialog.response(with: verdicts))
    }
  }

  /// `GET /`: the prompts on offer.
  ///
  /// - Parameter offered: what the visitor may answer.
  func index(_ offered: [PublishedPrompt], for visit: Visit) throws(Problem) -> Eventual<Response> {
    guard offered.count > 20 else { return .now(list(offered, for: visit.request)) }
    try judging.limiting.admit(visit.payer, as: .work)
    return .later { () throws(Problem) in
      try await self.judging.inBackground(for: visit.payer) { _ in self.list(offered, for: visit.request) }
    }
  }

  private func list(_ offered: [PublishedPrompt], for request: Request) -> Response {
    if request.wantsPage {
      let shown = offered.map { ($0.name, $0.inLanguage(of: request).edition, $0.dialog.address.page) }
      return .page(pages.index(shown, in: request.sentences(orElse: sentences)))
    }
    let entries = offered.map { published -> JSON in
      [
        "name": .string(published.name), "title": .string(published.inLanguage(of: request).edition.prompt.title),
        "href": .string(published.dialog.address.page),
      ]
    }
    return .json(JSON.array(entries).bytes)
  }
}

extension Request {
  /// Chooses the language for this person from those on offer: the one that `?lang=` names, else the one of the ask,
  /// else the first that the browser wants.
  ///
  /// - Parameter asked: the language of the ask, or `nil` if it has none.
  /// - Returns: one of those on offer, or `nil` if none of them is wanted.
  func language(among offered: [Language], asked: Language? = nil) -> Language? {
    // A malformed tag is ignored: a person cannot mend a link.
    if let tag = query.values("lang").first, let found = Language(tag)?.lookup(in: offered) { return found }
    if let found = asked?.lookup(in: offered) { return found }
    for range in acceptedLanguages {
      if let found = Language(range)?.lookup(in: offered) { return found }
    }
    return nil
  }

  /// Built-in sentences in the language that this person wants, or these if they are not built in.
  func sentences(orElse fallback: Sentences) -> Sentences {
    guard let language = language(among: Languages.offered), language != fallback.language else { return fallback }
    return Sentences(in: language)
  }
}
