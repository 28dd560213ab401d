internal import Prompts

/// The words of the pages in one language, except those about verdicts, which `Prompts.Sentences` has.
///
/// Scripts have no words: they show what the templates put into the page. Another language is another value.
package struct Words: Sendable {
  /// A language tag (BCP 47), for the page's `lang`.
  package let language: String
  /// By the names the templates use, as `text.NAME`.
  let phrases: [String: String]
  let endings: [Outcome.Kind: (heading: String, sentence: String)]
  /// A heading for a problem's status and the reason phrase that goes with it.
  let heading: @Sendable (_ status: Int, _ reason: String) -> String

  /// Whether the language is written from right to left.
  var isRightToLeft: Bool {
    let primary = language.prefix { $0 != "-" }.lowercased()
    return ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(primary)
  }

  package static let english = Words(
    language: "en",
    phrases: [
      "allPrompts": "All prompts",
      "again": "Ask again",
      "checking": "Checking…",
      "choose": "Choose…",
      "errorPrefix": "Error:",
      "hidePassword": "Hide",
      "none": "None",
      "noPrompts": "There are no prompts yet.",
      "optional": "optional",
      "problem": "There is a problem",
      "prompts": "Prompts",
      "refused": "Enter another value",
      "showPassword": "Show",
      "status": "Status",
      "unreachable": "The server cannot be reached just now. Try again in a moment.",
    ],
    endings: [
      .ok: ("Thank you", "The answer was accepted."),
      .cancel: ("Cancelled", "Nothing was answered."),
      .action: ("Done", "The choice was received."),
    ],
    heading: { status, reason in
      switch status {
      case 404: "Not found"
      case 405: "Not possible here"
      case 409: "Answered already"
      case 410: "No longer open"
      case 413, 414, 431: "Too large"
      case 500...: "Something went wrong here"
      default: reason
      }
    })
}
