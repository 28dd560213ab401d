package import Base

/// A fault with its facts: an enumeration that says each of its cases in words in one place.
package protocol FaultCase: Sendable {
  var sentence: FaultSentence { get }
  var kind: Fault.Kind { get }
}

extension FaultCase {
  package var kind: Fault.Kind { .wrongValue }
}
