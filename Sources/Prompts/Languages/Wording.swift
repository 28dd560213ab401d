/// Everything that the server says to people, in one language.
///
/// Each language is one value of this type, in a file of its own. A sentence that is missing does not compile, and neither
/// does one without a form that the language's plural asks for. A sentence is whole: values take the places that are
/// named in braces, and nothing else is put together.
///
/// A rule's sentence says what to do and has no full stop.
struct Wording<Plural: PluralForms>: Sendable {
  /// A text by how many there may be: `{n}` is the number that the form goes with, of `between` the larger one.
  struct Count: Sendable {
    let exactly, atLeast, atMost: Plural
    /// From `{min}` to `{n}`.
    let between: Plural
  }

  /// From `{min}` to `{max}`, or bounded at one end.
  struct Range: Sendable {
    let between, atLeast, atMost: String
  }

  /// By the value of another field, called `{field}`.
  struct Order: Sendable {
    let less, lessOrEqual, greater, greaterOrEqual: String
  }

  /// The tag of the language.
  let tag: String
  /// What the language calls itself, as in a list of languages.
  let name: String

  /// Between the values of a list, with its space.
  let comma: String
  /// Between a field's name and what is said of it, with its space.
  let colon: String
  /// Between two sentences of which one has to be followed, with its spaces.
  let or: String

  // MARK: What a rule says

  let nonEmpty, notBlank, chooseOption: String
  let length: Count
  /// The text does not have the form that a pattern describes.
  let pattern: String
  /// A program of the operator's did not accept the value.
  let predicate: String
  /// That program, or the server, gave no result.
  let unchecked: String
  /// Each with an `{example}`.
  let email, url, integer, number, date, time, dateTime: String
  /// Clocks go from `{from}` straight to `{to}`; another `{offset}` from UTC is in use at that time; no such time zone is
  /// known, so that the time needs its offset, like the `{example}`.
  let skippedTime, otherOffset, unknownZone: String
  let numberRange, dateRange, timeRange, dateTimeRange: Range
  let wholeNumber: String
  /// A multiple of `{step}`.
  let multiple: String
  /// `{from}`, or that plus or minus a multiple of `{step}`.
  let multipleFrom: String
  /// Only `{value}` is accepted; one of the `{values}` is; one of so many that they are not listed.
  let onlyValue, oneOfValues, acceptedValue: String
  /// How many options are chosen.
  let count: Count
  /// The same text as in `{field}`.
  let sameAs: String
  let numberOrder, dateOrder, timeOrder, dateTimeOrder: Order
  let not: String
  /// The text holds control characters; it has several lines; it is neither `true` nor `false`.
  let text, line, boolean: String
  /// By how many characters one text is too long, and all texts together.
  let tooLong, tooLongTogether: Plural

  // MARK: When a field applies

  /// A `{value}` in quotation marks; what stands before the last of several, with its spaces.
  let quote, lastOr: String
  /// `{field}` has one of the `{values}`; one of them is chosen in it.
  let onlyIf, onlyIfChosen: String
  /// The switch `{field}` is on, or off.
  let onlyIfOn, onlyIfOff: String
  /// `{fields}` apply from now on, or no longer.
  let came, went: String

  // MARK: What pages say

  /// “3 problems.”, before the first of them, when OK is refused.
  let problems: Plural
  let page: PageWords
}

/// What pages say besides the messages of rules.
package struct PageWords: Sendable {
  /// A heading and a sentence under it.
  package struct Note: Sendable {
    package let heading, sentence: String
  }

  /// The buttons of a prompt that names none.
  package let ok, cancel: String
  /// Behind the label of a field that may stay empty.
  package let optional: String
  /// The first line of a menu; the radio button for no answer.
  package let choose, none: String
  /// The button beside a password, and what a screen reader calls it: with the `{field}`.
  package let show, hide, showField, hideField: String
  /// Under a date and time: it is in the `{zone}`.
  let timeZone: String
  /// While the server judges.
  package let checking: String
  /// A page's own check gave no message.
  package let refused: String
  /// The server does not respond; it did not take the answer.
  package let unreachable, failed: String
  /// Before the title of a page with errors, and above the list of them.
  package let error, problem: String
  /// What a screen reader calls the links to a page's other languages.
  package let languages: String

  /// The last line of the page after an answer, and its link.
  package let close, again: String
  /// After OK, Cancel and an action.
  package let accepted, cancelled, done: Note
  /// For whoever comes when the question has ended.
  package let expired, withdrawn, answered: Note
  /// Problems.
  package let notFound, notPossible, tooLarge, serverFault: Note
  /// The list of prompts, and that it is empty.
  package let prompts, noPrompts: String
}
