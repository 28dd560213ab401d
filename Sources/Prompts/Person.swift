/// A person with a name, as somebody who knows them says.
package struct Person: Sendable, Equatable {
  /// Identifies them among all others; only this counts.
  package let id: String
  /// Their name, or `nil`.
  package var name: String?

  package init(id: String, name: String? = nil) {
    self.id = id
    self.name = name
  }
}
