/// An error that only says in words what is wrong and, if that helps, what to do: nobody decides anything by it.
package struct PlainError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
