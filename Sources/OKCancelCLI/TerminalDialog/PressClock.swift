/// Tells presses that a person can have meant from those that came too early: typed ahead, held down, or pasted into
/// what stood there before.
///
/// A press counts if it began 0.3 s after the question appeared. A key that is held down since then does not begin to
/// count.
struct PressClock: Sendable {
  static let delay = Duration.milliseconds(300)
  /// Keys repeat faster.
  static let pause = Duration.milliseconds(100)

  private var opening: ContinuousClock.Instant?

  init() {}

  /// The question was drawn; only the first time matters.
  mutating func appeared(at now: ContinuousClock.Instant) {
    if opening == nil { opening = now + Self.delay }
  }

  /// True if what began then counts. Nothing does before the question has appeared.
  mutating func counts(_ began: ContinuousClock.Instant) -> Bool {
    guard let opening else { return false }
    if began >= opening { return true }
    self.opening = max(opening, began + Self.pause)
    return false
  }

  /// True if the press counts. Whoever waits may always be interrupted.
  mutating func counts(_ press: Press) -> Bool {
    press.key == .interrupt || press.key == .suspend || counts(press.began)
  }
}
