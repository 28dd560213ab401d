/// A text on pages that is the same whatever they show. Templates know it by its name: `text.optional`.
package enum PageText: String, Sendable, CaseIterable {
  /// Between a field's name and what is said of it.
  case colon
  /// Before the names of what cannot be seen in a field's text.
  case hidden
  /// The buttons of a prompt that names none.
  case ok, cancel
  /// Behind the label of a field that may stay empty.
  case optional
  /// Under a list that has no hint of its own.
  case onePerLine
  /// The first line of a menu; the radio button for no answer.
  case choose, none
  /// The button beside a password.
  case showPassword, hidePassword
  /// The label of the field that asks why Cancel was pressed, and what it says if that must be said.
  case reason, reasonNeeded
  /// In a terminal, the button that leads from there back to the question.
  case back
  /// The search field above many options; how many of them are chosen and found.
  case search, chosenAndFound
  /// While the server judges.
  case checking
  /// Over a text that goes on below; the name of the material above the fields, which scrolls.
  case readOn, details
  /// The input of a field was too long to be sent back with the others.
  case enterAgain
  /// A page's own check gave no message.
  case refused
  /// An answer has been under way for seconds.
  case sending
  /// The server does not respond; it did not take the answer; the question is another one than the page showed.
  case unreachable, failed, changed
  /// Before the title of a page with errors, and above the list of them.
  case errorPrefix, problem
  /// The name that a screen reader reads for the links to a page's other languages.
  case languages
  /// The last line of the page after an answer, and its link.
  case close, again
  /// On that page: the program has not said what came of the answer, what it says, and that it has not said it in time.
  case running, resultDone, resultFailed, resultUnknown
  /// The button that closes an embedded dialog whose question has ended; the one beside a text that was kept.
  case leave, copy, copied
  /// The link of a page for people who have to sign in.
  case signIn
  /// The list of prompts, and that it is empty.
  case prompts, noPrompts
}

/// A heading and the sentence under it, which are all that a page says.
package enum PageNote: String, Sendable, CaseIterable {
  /// After OK, Cancel and an action.
  case accepted, cancelled, done
  /// The question has ended before this person answered.
  case expired, withdrawn, answered
  /// Problems. `notFound` is for a missing question, `noPage` for any other missing page.
  case notFound, noPage, notPossible, tooLarge, serverFault
  /// The question is for some people only: the visitor has no name, is signed in without one, or is somebody else.
  case signInFirst, nameless, notForYou
}

extension Outcome.Kind {
  /// The note for the person who has just brought it about.
  package var note: PageNote {
    switch self {
    case .ok: .accepted
    case .cancel: .cancelled
    case .action: .done
    case .expired: .expired
    case .withdrawn: .withdrawn
    }
  }
}
