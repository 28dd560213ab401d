internal import Synchronization

/// An object made when it is first asked for, and the same ever after. It is read without a lock.
///
/// Two who ask first at once may both make it; both get the same one. The standard library's `AtomicLazyReference` is
/// the same, but every look at it goes through the runtime's tables of generic types.
final class Once<Object: AnyObject & Sendable>: Sendable {
  private let made = Atomic<Unmanaged<Object>?>(nil)

  deinit { made.load(ordering: .acquiring)?.release() }

  /// - Parameter make: makes the object; the same whoever calls it.
  func object(_ make: () -> Object) -> Object {
    if let made = made.load(ordering: .acquiring) { return made.takeUnretainedValue() }
    // Whoever is first leaves his reference here, until `deinit`.
    let mine = Unmanaged.passRetained(make())
    let (isFirst, others) = made.compareExchange(expected: nil, desired: mine, ordering: .acquiringAndReleasing)
    guard !isFirst, let others else { return mine.takeUnretainedValue() }
    mine.release()
    return others.takeUnretainedValue()
  }
}
