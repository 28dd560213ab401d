/// A fault in words.
package struct FaultSentence {
  /// The id by which tools group such faults: `no-such-key`. Clients rely on it, so it never changes.
  package let id: String
  package let what: String
  package let remedy: String

  package init(_ id: String, _ what: String, _ remedy: String) {
    self.id = id
    self.what = what
    self.remedy = remedy
  }

  /// `what is wrong; what to do`
  package var whole: String { "\(what); \(remedy)" }
}
