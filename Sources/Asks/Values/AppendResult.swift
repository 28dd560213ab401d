/// The result of keeping an answer to a standing prompt.
package enum AppendResult: Sendable {
  /// A new answer.
  case kept(StandingAnswer.Cursor)
  /// The answer that was kept with this key and body before, and its receipt.
  case existing(StandingAnswer, Receipt?)
  /// The key was used with another body.
  case conflict

  init(_ result: InsertResult) throws {
    self =
      switch result {
      case .inserted(let row): .kept(StandingAnswer.Cursor(position: try row.kept(row.integer("position"))))
      case .existing(let row): .existing(try StandingAnswer(row), row.text("receipt").flatMap { Receipt($0) })
      case .conflict: .conflict
      }
  }
}
