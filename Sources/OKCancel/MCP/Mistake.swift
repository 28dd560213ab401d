internal import Prompts

/// A model's mistake with a tool, with its facts.
enum Mistake: Error {
  case arguments(InlineFaults)
  case tooManyBytes(Int, limit: Int), unreadable(JSONFault)
  case nothingAsked, askedTwice(String, String), besidePrompt(String), withoutFields(String), badSchema(JSON)
  case tooManyCalls, lostLink(ask: String)

  /// Tells the model what to send instead.
  var sentence: String {
    switch self {
    case .arguments(let faults): faults.entries.map(\.sentence).joined(separator: "\n")
    case .tooManyBytes(let count, let limit):
      "These arguments have \(count) bytes; keep to \(limit), and link to the rest."
    case .unreadable(let fault):
      if case .tooManyKeys = fault.reason {
        "These arguments cannot be read: \(fault.sentence), and a question has at most \(Prompt.fieldLimit) fields."
      } else {
        "These arguments cannot be read: \(fault.sentence)."
      }
    case .nothingAsked:
      "Say what to ask: a `title`, and `fields` or a `schema` if there is something to fill in; "
        + "or the name of a `prompt` that list_prompts returned."
    case .askedTwice(let one, let other): "`\(one)` and `\(other)` both say what to fill in; keep one of them."
    case .besidePrompt(let key):
      "`prompt` names a whole prompt, with its own title and fields; leave `\(key)` out, or `prompt`."
    case .withoutFields(let key):
      "`\(key)` goes with `fields`; leave it out, or write `fields` instead of a `schema`."
    case .badSchema(let json):
      "`schema` is \(json.kindInWords); send the JSON Schema itself, as an object and not as a string."
    case .tooManyCalls: "Too many calls are waiting; wait until some of them have returned."
    case .lostLink(let ask):
      "This question is open, but its link cannot be read any more; withdraw it with withdraw_ask, by its id \(ask), "
        + "and ask again."
    }
  }
}
