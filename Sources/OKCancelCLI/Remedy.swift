internal import Prompts

/// What to do about a setting's value that cannot be used.
struct Remedy: Error, CustomStringConvertible {
  let description: String

  /// - Parameter id: of a row of `failures.txt`.
  init(_ id: String, _ facts: SentenceTable.Facts = [:]) { description = Failure.table.fields(of: id, facts)[1] }

  /// What something says that reads such values elsewhere, too.
  init(saying fault: any CustomStringConvertible) { description = fault.description }

  static func oneOf(_ words: [String]) -> Self { Remedy("word", ["words": words.joined(separator: ", ")]) }

  /// - Parameter name: the option or variable that has this value.
  func failure(of name: String, _ text: String) -> Failure {
    Failure("value", ["name": name, "text": text, "remedy": self])
  }
}
