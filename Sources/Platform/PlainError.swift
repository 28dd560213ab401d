/// An error that only says in words what is wrong and, if that helps, what to do: nobody decides anything by it.
public struct PlainError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and, if that helps, what to do.
  public let description: String

  package init(_ description: String) { self.description = description }
}
