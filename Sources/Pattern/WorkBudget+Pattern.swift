internal import Base

extension WorkBudget {
  /// Takes what a pattern needs from what is left.
  ///
  /// - Throws: `PatternFault` with the reason `tooCostly` if there is not enough.
  mutating func pay(_ work: Int) throws(PatternFault) {
    guard spend(work) else { throw PatternFault(.tooCostly, column: 1) }
  }
}
