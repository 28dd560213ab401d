internal import Prompts

/// The way a person ends a dialog: the outcome, and the inputs, not judged yet.
struct Submission: Sendable {
  /// The action's button, or `nil` for OK and Cancel.
  private let action: Prompt.Button?
  /// The values to judge, or those that the action's conditions need; `nil` if nothing is judged, as for Cancel.
  let inputs: Inputs?

  static let cancel = Submission(action: nil, inputs: nil)

  /// The press of OK.
  static func ok(_ inputs: Inputs) -> Submission { Submission(action: nil, inputs: inputs) }

  /// The press of an action's button.
  ///
  /// - Parameter inputs: only read if the action needs them.
  static func action(
    _ button: Prompt.Button, _ inputs: () throws(Problem) -> Inputs
  ) throws(Problem) -> Submission {
    let needsInputs = button.validates || !button.when.isEmpty
    return Submission(action: button, inputs: needsInputs ? try inputs() : nil)
  }

  /// True if there are values to judge, keep and return.
  var hasValues: Bool { inputs != nil && action?.validates ?? true }

  /// Judges the inputs; `nil` if there are none.
  ///
  /// - Throws: `Problem` as `Judging.begin`, and 400 if the action does not apply to what was entered.
  func judged(
    by judging: Judging, of edition: Edition, for payer: Payer
  ) throws(Problem) -> Eventual<Verdicts?> {
    guard let inputs else { return .now(nil) }
    return try judging.begin(
      inputs, of: edition, only: hasValues ? nil : [], as: action, for: payer
    ).then { verdicts throws(Problem) in
      if verdicts.refusesAction, let action { throw Problem(.actionDoesNotApply(action)) }
      return .now(verdicts)
    }
  }

  /// - Parameter verdicts: those on the inputs, all of them valid; or `nil` if nothing was judged.
  func ended(_ verdicts: Verdicts?) -> Ended {
    let values = hasValues ? verdicts?.values(of: inputs ?? Inputs()) : nil
    if let action { return Ended(.action(action.name ?? "", values)) }
    return Ended(inputs == nil ? .cancel : .ok(values ?? Values([])))
  }
}
