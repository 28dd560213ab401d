internal import Prompts

extension Problem {
  /// Reads a value from JSON.
  ///
  /// - Throws: `Problem` 400 with every fault, and where it is.
  static func reading<Value>(_ read: (inout Reading) -> Value?) throws(Problem) -> Value {
    var reading = Reading(budget: .form)
    do throws(InlineFaults) { return try reading.whole(read) } catch {
      let problem =
        error.entries.first.map { Problem($0) } ?? Problem("too-costly.reading", ["allowed": WorkBudget.form])
      throw problem.with(error)
    }
  }
}

extension Reading {
  /// A request's body: an object without other keys. Those whose value is null count as left out.
  mutating func body(_ json: JSON, keys: [String], remedy: FaultRow) -> Mapping? {
    mapping(Node(json), as: "the body", keys: keys, remedy: remedy)?.given
  }
}
