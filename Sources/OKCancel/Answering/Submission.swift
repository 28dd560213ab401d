internal import Prompts

/// The way a person ends a dialog: the outcome, and the inputs, not judged yet.
struct Submission: Sendable {
  /// The action's button, or `nil` for OK and Cancel.
  private var action: Prompt.Button?
  private var isCancel = false
  /// The values to judge, or those that the action's conditions need; for Cancel, the reason. `nil` if nothing is judged.
  let inputs: Inputs?

  /// The press of Cancel. A reason that the prompt does not ask for is ignored.
  static func cancel(_ reason: Input?) -> Submission {
    Submission(isCancel: true, inputs: Inputs([(Field.reasonName, reason ?? .text(""))]))
  }

  /// The press of OK.
  static func ok(_ inputs: Inputs) -> Submission { Submission(inputs: inputs) }

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
  var hasValues: Bool { inputs != nil && !isCancel && action?.validates ?? true }

  /// Judges the inputs; `nil` if there are none.
  ///
  /// - Throws: `Problem` as `Judging.begin`, and 400 if the action does not apply to what was entered.
  func judged(
    by judging: Judging, of edition: Edition, for payer: Payer
  ) throws(Problem) -> Eventual<Verdicts?> {
    guard let inputs, let edition = isCancel ? edition.reason : edition else { return .now(nil) }
    return try judging.begin(
      inputs, of: edition, only: hasValues || isCancel ? nil : [], as: action, for: payer
    ).then { verdicts throws(Problem) in
      if verdicts.refusesAction, let action { throw Problem("wrong-action.not-shown", ["title": action.title]) }
      return .now(verdicts)
    }
  }

  /// - Parameter verdicts: those on the inputs, all of them valid; or `nil` if nothing was judged.
  func ended(_ verdicts: Verdicts?) -> Ended {
    let values = hasValues ? verdicts?.values(of: inputs ?? Inputs()) : nil
    if let action { return Ended(.action(action.name ?? "", values)) }
    guard isCancel else { return Ended(.ok(values ?? Values([]))) }
    return Ended(.cancelled(reason: verdicts?.values(of: inputs ?? Inputs())[Field.reasonName]?.text))
  }
}
