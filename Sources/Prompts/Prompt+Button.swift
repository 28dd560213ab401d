extension Prompt {
  /// A button of the dialog; every one of them ends it.
  public struct Button: Sendable {
    /// What pressing the button does.
    public enum Role: String, Sendable, CaseIterable {
      /// Ends with `ok` and the values, if they are valid.
      case ok
      /// Ends with `cancel`; nothing is judged.
      case cancel
      /// Ends with `action` and the button's name.
      case action
    }

    /// Plain text on the button.
    public var title: String
    public var role: Role
    /// The action's name, as a program sees it; nil for `ok` and `cancel`.
    public var name: String?
    /// Whether an action needs valid input and gives its values. OK always does, Cancel never.
    public var validates: Bool
    /// Coloured as something that cannot be undone.
    public var isDestructive: Bool

    public init(
      _ title: String, role: Role, name: String? = nil, validates: Bool? = nil,
      isDestructive: Bool = false
    ) {
      self.title = title
      self.role = role
      self.name = name
      self.validates = role == .ok || (role == .action && validates ?? true)
      self.isDestructive = isDestructive
    }
  }
}
