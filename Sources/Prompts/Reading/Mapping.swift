/// A map whose keys are known and unique.
package struct Mapping: Sendable {
  package let place: Node.Place
  var entries: [Node.Entry]

  package subscript(key: String) -> Node? { entry(key)?.value }

  func entry(_ key: String) -> Node.Entry? { entries[key] }

  package var keys: [String] { entries.map(\.key) }

  /// Without the keys whose value is null: in a request they count as left out.
  package var given: Mapping {
    Mapping(place: place, entries: entries.filter { !$0.value.isNull })
  }
}
