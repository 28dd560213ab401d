/// A time zone of the IANA database: which offset from UTC is in use when.
///
/// Seconds are counted since 1970-01-01T00:00:00, in UTC or, where they are called local, as a clock there shows them. Leap
/// seconds are not counted.
package final class Zone: Sendable {
  /// Its name in the IANA database, like `Europe/Berlin`.
  let name: String
  /// The moments at which the offset changes, in UTC and ascending, each with the offset from then on in seconds east
  /// of UTC.
  private let changes: [(seconds: Int, offset: Int)]
  /// The offset before the first change.
  private let first: Int
  /// The rule that holds after the last change, or `nil` if that offset stays.
  private let rest: YearlyRule?

  init(name: String, first: Int, changes: [(seconds: Int, offset: Int)] = [], rest: YearlyRule? = nil) {
    self.name = name
    self.first = first
    self.changes = changes
    self.rest = rest
  }

  /// One offset for ever, in seconds east of UTC.
  /// Whether clocks there always show the same, as in two names of one zone.
  func agrees(with other: Zone) -> Bool {
    // The rule after the last change has the same year again and again.
    let weeks = stride(from: 4_102_444_800, to: 4_102_444_800 + 54 * 604_800, by: 604_800)
    return first == other.first && changes.elementsEqual(other.changes, by: ==)
      && weeks.allSatisfy { offset(at: $0) == other.offset(at: $0) }
  }

  convenience init(offset: Int) { self.init(name: "", first: offset) }

  static let utc = Zone(name: "UTC", first: 0)

  /// The offset in use at a moment, in seconds east of UTC.
  func offset(at seconds: Int) -> Int {
    if let rest, seconds >= changes.last?.seconds ?? .min { return rest.offset(at: seconds) }
    return changes.last { $0.seconds <= seconds }?.offset ?? first
  }
}

// MARK: Local times

extension Zone {
  /// A local time on clocks, which show it once, twice or never.
  enum Occurrence: Hashable, Sendable {
    /// Once, as nearly always: the offset in use.
    case once(Int)
    /// Twice, since clocks were turned back: the earlier and the later offset.
    case twice(Int, Int)
    /// Never: at a moment, clocks go from one local time straight to another.
    case never(from: Int, to: Int, at: Int)
  }

  /// Finds out whether clocks show a local time once, twice or never.
  func occurrence(ofLocal local: Int) -> Occurrence {
    // No offset is a whole day or more. Where the offset changes twice within two days, each is in use for some hours.
    let nearby = stride(from: -26, through: 26, by: 4).map { offset(at: local + $0 * 3600) }
    // The larger the offset, the earlier the moment.
    let offsets = Set(nearby).sorted(by: >)
    let fitting = offsets.filter { offset(at: local - $0) == $0 }
    if let earlier = fitting.first, let later = fitting.last {
      return earlier == later ? .once(earlier) : .twice(earlier, later)
    }
    // The change is after the moment that the larger offset makes of it, and not after the other.
    guard let largest = offsets.first, let smallest = offsets.last else { return .once(first) }
    var (low, high) = (local - largest, local - smallest)
    let before = offset(at: low)
    while high - low > 1 {
      let middle = (low + high) / 2
      if offset(at: middle) == before { low = middle } else { high = middle }
    }
    return .never(from: high + before, to: high + offset(at: high), at: high)
  }

  /// The moment of a local time, in seconds. If the local time occurs twice, `later` says which one is meant; if it
  /// never occurs, this is the moment when clocks skip it.
  func seconds(ofLocal local: Int, later: Bool = false) -> Int {
    switch occurrence(ofLocal: local) {
    case .once(let offset): local - offset
    case .twice(let first, let second): local - (later ? second : first)
    case .never(_, _, let change): change
    }
  }
}
