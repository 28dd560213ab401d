/// The inputs of a person, by field, in the order in which they were sent.
package struct Inputs: Sendable {
  package private(set) var entries: [(name: String, input: Input)] = []

  package init(_ entries: [(name: String, input: Input)] = []) { self.entries = entries }

  /// - Parameter count: how many there will be.
  init(reserving count: Int) { entries.reserveCapacity(count) }

  package mutating func append(_ name: String, _ input: Input) { entries.append((name, input)) }

  /// The number of bytes of UTF-8 of all inputs together.
  var byteCount: Int { entries.reduce(0) { $0 + $1.input.byteCount } }

  /// A size that grows with the work that judging them can take: bytes of UTF-8, and each choice besides.
  package var size: Int {
    entries.reduce(0) { size, entry in
      if case .choices(let texts) = entry.input {
        size + texts.count + entry.input.byteCount
      } else {
        size + entry.input.byteCount
      }
    }
  }

  /// The input for a field, or `nil` if nothing was sent for it.
  package subscript(name: String) -> Input? { entries.first { isSame($0.name, name) }?.input }

  /// The input that was sent for a field, as its rules see it; an empty one if nothing was sent.
  func normalized(for field: Field) -> Input {
    (self[field.name] ?? field.kind.emptyInput).normalized(for: field)
  }

  /// Without those of the fields of these names.
  package func without(_ names: [String]) -> Inputs {
    Inputs(entries.filter { entry in !names.contains { isSame($0, entry.name) } })
  }
}
