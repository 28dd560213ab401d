/// The outcome of a dialog.
///
/// ```swift
/// switch try await server.ask(prompt) {
/// case .ok(let values): print(values["email"]?.text ?? "")
/// case .action(let name, _): print(name)
/// case .cancelled, .expired, .withdrawn: break
/// }
/// ```
///
/// As JSON it is what `POST /prompts/{name}` returns: `{"outcome":"ok","values":{…}}`.
public enum Outcome: Sendable, Equatable {
  /// Valid values.
  case ok(Values)
  /// The Cancel button, or Escape; and why, if the prompt asks for that and the person said so.
  case cancelled(reason: String?)
  /// The action button's name, and the values if that button validates.
  case action(String, Values?)
  /// Nobody answered in time.
  case expired
  /// The program took its question back.
  case withdrawn

  /// Cancel without a reason. In a `switch` with a `default`, `case .cancel` is every Cancel, whatever the reason.
  public static var cancel: Outcome { .cancelled(reason: nil) }

  /// True if the value is the pattern, or both are a Cancel and the pattern has no reason.
  public static func ~= (pattern: Outcome, outcome: Outcome) -> Bool {
    if pattern == .cancel, case .cancelled = outcome { true } else { pattern == outcome }
  }

  /// True if the person pressed OK, with valid values.
  public var isOK: Bool { kind == .ok }

  /// An outcome without its values.
  package enum Kind: String, Sendable, CaseIterable, Codable {
    case ok, cancel, action, expired, withdrawn
  }

  package var kind: Kind {
    switch self {
    case .ok: .ok
    case .cancelled: .cancel
    case .action: .action
    case .expired: .expired
    case .withdrawn: .withdrawn
    }
  }

  /// The action button’s name, or `nil` for every other outcome.
  public var action: String? { if case .action(let name, _) = self { name } else { nil } }

  /// Why the person pressed Cancel, or `nil` if they did not say, and for every other outcome.
  public var reason: String? { if case .cancelled(let reason) = self { reason } else { nil } }

  /// The values, or `nil` if there are none.
  public var values: Values? {
    switch self {
    case .ok(let values): values
    case .action(_, let values): values
    case .cancelled, .expired, .withdrawn: nil
    }
  }

  /// The one word for it.
  package var word: String { kind.rawValue }

  /// `nil` for an action without a name.
  init?(_ kind: Kind, _ action: String?, _ values: Values?, _ reason: String?) {
    switch kind {
    case .ok: self = .ok(values ?? [:])
    case .cancel: self = .cancelled(reason: reason)
    case .action:
      guard let action else { return nil }
      self = .action(action, values)
    case .expired: self = .expired
    case .withdrawn: self = .withdrawn
    }
  }
}

extension Outcome: Codable {
  private struct Members: Codable {
    let outcome: Kind
    let action: String?
    let values: Values?
    let reason: String?
  }

  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let members = try Members(from: decoder)
    guard let outcome = Outcome(members.outcome, members.action, members.values, members.reason) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the action has no name"))
    }
    self = outcome
  }

  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    try Members(outcome: kind, action: action, values: values, reason: reason).encode(to: encoder)
  }
}
