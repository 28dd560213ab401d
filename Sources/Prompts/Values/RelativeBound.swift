/// A bound that moves with time: `now` or `today`, and perhaps a duration before or after it.
struct RelativeBound: Hashable, Sendable {
  enum Base: String, CaseIterable, Sendable { case now, today }

  private static let form = try! Pattern("(?:now|today)(?:[+-][0-9]{1,8}[mhdw])?")
  /// Seconds of a minute, an hour, a day and a week. A month has no length that every calendar agrees on.
  private static let units: [Character: Int] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
  /// 100 years.
  private static let limit = 36_525 * 86_400

  let base: Base
  /// Before or after it, in seconds; of `today` in whole days.
  let seconds: Int

  /// `nil` if the text is no such bound.
  init?(_ text: String) {
    guard Self.form.matches(text) else { return nil }
    base = text.hasPrefix("now") ? .now : .today
    let distance = text.dropFirst(base.rawValue.count), unit = distance.last.flatMap { Self.units[$0] } ?? 0
    seconds = (Int(distance.dropLast()) ?? 0) * unit
    if abs(seconds) > Self.limit || base == .today && (1..<86_400).contains(unit) { return nil }
  }

  /// True if a text tries to be one.
  static func isMeant(by text: String) -> Bool { Base.allCases.contains { text.hasPrefix($0.rawValue) } }

  /// The position of this bound now among dates or moments; see `Quantity.position`. `today` begins at midnight, or
  /// when clocks first show that day.
  ///
  /// - Parameter isMinimum: `now` then begins with its minute, since people enter no seconds.
  func position(among form: Quantity.Form, at now: Timestamp, in zone: Zone, isMinimum: Bool) -> Int {
    let moment = Int(now.milliseconds)
    if base == .now { return (isMinimum ? Day.floor(moment, 60_000) * 60_000 : moment) + seconds * 1000 }
    let local = ZonedTime(now, in: zone).day * 86_400 + seconds
    return (form == .date ? local : zone.seconds(ofLocal: local)) * 1000
  }

  /// True if nothing can be between this bound and that one, whatever the time.
  func isBeyond(_ max: RelativeBound) -> Bool {
    switch (base, max.base) {
    // Today began up to 25 hours ago.
    case (.today, .now): seconds - 25 * 3600 > max.seconds
    case (.now, .today): seconds >= max.seconds
    default: seconds > max.seconds
    }
  }
}
