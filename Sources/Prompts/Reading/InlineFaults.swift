/// Everything wrong with something that did not come from a file.
package struct InlineFaults: Error, Sendable, CustomStringConvertible {
  /// Not empty, unless reading ended because it would have cost too much. Their places are JSON Pointers.
  package let entries: [Fault]
  /// The number of faults beyond those in `entries`.
  package var omittedFaultCount = 0
  /// True if reading ended because it would have cost too much.
  package var isOverBudget = false

  /// - Parameter entries: not empty.
  package init(_ entries: [Fault]) { self.entries = entries }

  init(of reading: Reading) {
    entries = Fault.inOrder(reading.faults)
    (omittedFaultCount, isOverBudget) = (reading.omittedFaultCount, reading.isOverBudget)
  }

  /// One fault a line.
  package var description: String { entries.map(\.description).joined(separator: "\n") }
}
