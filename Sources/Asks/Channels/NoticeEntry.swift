internal import Prompts

/// One question as a notice shows it: nobody's values, no context.
struct NoticeEntry: Sendable {
  let ask: AskID
  let title: String
  let language: Language
  let askedBy: String?
  let requestedBy: Person?
  let expiresAt: Timestamp
  /// `nil` once nobody can answer any more.
  let link: String?
  /// Its end: the outcome, who gave it and when; `nil` while it is open.
  let ended: (outcome: Outcome.Kind, by: String?, at: Timestamp)?

  /// Who asks and until when, or how it ended; a line for each, each in one line.
  var lines: [String] {
    let sentences = Sentences(in: language)
    guard let ended else {
      let asked = Sentence.asked(by: askedBy, for: requestedBy).map { sentences($0) }
      return [asked, sentences(.until(expiresAt.inMinutes))].compactMap(\.self).map(\.plain)
    }
    let note: PageNote =
      switch ended.outcome {
      case .ok, .action: .answered
      case .cancel: .cancelled
      case .expired: .expired
      case .withdrawn: .withdrawn
      }
    return [
      ([sentences[note].heading] + [ended.by, ended.at.inMinutes].compactMap(\.self)).joined(separator: ", ").plain
    ]
  }
}
