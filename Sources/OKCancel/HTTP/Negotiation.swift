internal import MicroHTTP
internal import Prompts

extension Request {
  /// The language in which this person wants something that there is in several: what the address says, or the ask, or
  /// the browser.
  ///
  /// - Parameter asked: the language of the ask, or `nil` if it has none.
  /// - Returns: one of those on offer, or `nil` if none of them is wanted.
  func language(among offered: [Language], asked: Language? = nil) -> Language? {
    // What is no tag is nobody's wish. A person cannot mend a link.
    if let tag = query.values("lang").first, let found = Language(tag)?.lookup(in: offered) { return found }
    if let found = asked?.lookup(in: offered) { return found }
    for range in acceptedLanguages {
      if let found = Language(range)?.lookup(in: offered) { return found }
    }
    return nil
  }
}

/// A server's own language, and what it says where no prompt does.
struct OwnSentences: Sendable {
  private let usual: Sentences

  init(_ language: Language) { usual = Sentences(in: language) }

  /// In the language that the person wants, if it is built in.
  func sentences(for request: Request) -> Sentences {
    guard let language = request.language(among: Languages.offered), language != usual.language else { return usual }
    return Sentences(in: language)
  }
}
