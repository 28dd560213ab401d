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
  /// What to say of an ask to whoever comes after it has ended in this way.
  var ended: @Sendable (_ outcome: String) -> (heading: String, sentence: String) = { ($0, "") }
  /// A heading for a problem's status and the reason phrase that goes with it.
  let heading: @Sendable (_ status: Int, _ reason: String) -> String
  /// What to do about a problem, for a person, or `nil` if its detail says so.
  var sentence: @Sendable (_ status: Int) -> String? = { _ in nil }

  /// Whether the language is written from right to left.
  var isRightToLeft: Bool {
    let primary = language.prefix { $0 != "-" }.lowercased()
    return ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(primary)
  }

  package static let english = Words(
    language: "en",
    phrases: [
      "again": "Open it again",
      "checking": "Checking…",
      "choose": "Choose…",
      "close": "You can close this page.",
      "errorPrefix": "Error:",
      "hidePassword": "Hide",
      "none": "None",
      "noPrompts": "There are no prompts yet.",
      "optional": "optional",
      "problem": "There is a problem",
      "problems": "{n} problems.",
      "prompts": "Prompts",
      "refused": "Enter another value",
      "showPassword": "Show",
      "unreachable": "The server cannot be reached; try again",
    ],
    endings: [
      .ok: ("Thank you", "The answer was accepted."),
      .cancel: ("Cancelled", "Nothing was answered."),
      .action: ("Done", "The choice was received."),
    ],
    ended: { outcome in
      switch outcome {
      case "expired": ("Too late", "The time to answer is over.")
      case "withdrawn": ("No longer needed", "The question was taken back.")
      default: ("Already answered", "This question has its answer.")
      }
    },
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
    },
    sentence: { status in
      switch status {
      case 404: "There is no question at this address. Check the link, or ask for a new one."
      case 405: "Open the link once more."
      case 413, 431: "More was sent than can be read. Go back, shorten it and send it again."
      case 500...: "Try again in a moment. If this stays, tell whoever sent you the link."
      default: nil
      }
    })
}
