internal import Prompts

extension PlainError {
  private static let settings = SentenceTable("Sources/Asks/settings.txt", columns: 2)

  /// - Parameter id: of a row of `settings.txt`.
  init(row id: String, _ facts: SentenceTable.Facts = [:]) { self.init(Self.settings.fields(of: id, facts)[0]) }
}
