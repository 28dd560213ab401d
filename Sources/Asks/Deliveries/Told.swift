package import Prompts

/// What became of one notice of a question: whether somebody was told.
package struct Told: Sendable, Equatable {
  enum State: String, Sendable { case waiting, sent, failed, withdrawn }

  let channel: String
  let state: State
  /// Of what it is doing now: sending the notice, or updating it. One that was sent has at least one.
  let attempts: Int
  /// When it came to be so.
  let at: Timestamp?
  /// What the other end said last, without secrets; or `nil` if it refused nothing.
  let error: String?

  package var json: JSON {
    [
      "channel": .string(channel), "state": .string(state.rawValue), "attempts": .number("\(attempts)"),
      "at": (at?.description).map(JSON.string), "error": error.map(JSON.string),
    ]
  }
}
