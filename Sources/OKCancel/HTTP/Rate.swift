/// The rate at which one client may do something: a number of times at once, refilled evenly over a period.
public struct Rate: Sendable, Hashable {
  /// 1 to 1,000,000.
  let count: Int
  let period: Duration

  /// Reads `60/m`: a count of 1 to 1,000,000, a slash, and `s`, `m` or `h`; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count), parts[0].first != "+",
      let period = Self.periods[String(parts[1])]
    else { return nil }
    self.count = count
    self.period = period
  }

  init(perMinute count: Int) {
    self.count = count
    period = .seconds(60)
  }

  private static let periods: [String: Duration] = ["s": .seconds(1), "m": .seconds(60), "h": .seconds(3600)]

  /// The rate as it is read, `60/m`.
  var text: String { "\(count)/" + Self.periods.filter { $0.value == period }.keys.joined() }
}
