/// Reads something, and reports by rows of `faults.txt` what is wrong with it.
package protocol FaultReporter {
  /// Reports what is wrong.
  mutating func report(_ fault: FaultRow, at place: Node.Place)
  /// Says what has no effect, or another than it seems to have.
  mutating func warn(_ fault: FaultRow, at place: Node.Place)
}

extension FaultReporter {
  /// Reports what is wrong.
  ///
  /// - Parameter name: of a row of `faults.txt`.
  package mutating func report(_ name: String, _ facts: SentenceTable.Facts = [:], at place: Node.Place) {
    report(FaultRow(name, facts), at: place)
  }

  /// Reports why there is no value.
  mutating func refuse<Value>(
    _ name: String, _ facts: SentenceTable.Facts = [:], at place: Node.Place
  ) -> Value? {
    refuse(FaultRow(name, facts), at: place)
  }

  mutating func refuse<Value>(_ fault: FaultRow, at place: Node.Place) -> Value? {
    report(fault, at: place)
    return nil
  }

  mutating func warn(_ name: String, _ facts: SentenceTable.Facts = [:], at place: Node.Place) {
    warn(FaultRow(name, facts), at: place)
  }
}
