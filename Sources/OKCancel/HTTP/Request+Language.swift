internal import MicroHTTP
internal import Prompts

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
