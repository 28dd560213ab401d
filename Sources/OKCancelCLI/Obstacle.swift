internal import Prompts

/// The reason something could not be done, such as opening a browser.
struct Obstacle: CustomStringConvertible {
  let description: String

  /// - Parameter id: of a row of `failures.txt`.
  init(_ id: String, _ facts: SentenceTable.Facts = [:]) { description = Failure.table.fields(of: id, facts)[1] }
}
