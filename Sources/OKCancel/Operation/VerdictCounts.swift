/// Verdicts given, by where they were requested.
final class VerdictCounts: Sendable {
  enum Door: String, CaseIterable { case validate, submit }

  /// For each door the valid ones, then the invalid ones.
  private let counters = Counters(2 * Door.allCases.count)

  func count(_ isValid: Bool, at door: Door) {
    counters.add(at: Self.place(isValid, door))
  }

  private static func place(_ isValid: Bool, _ door: Door) -> Int { (door == .validate ? 0 : 2) + (isValid ? 0 : 1) }

  func write(to text: inout MetricsText) {
    text.family("okcancel_verdicts_total") {
      family in
      for door in Door.allCases {
        for (isValid, verdict) in [(true, "valid"), (false, "invalid")] {
          family.sample(counters[Self.place(isValid, door)], [("door", door.rawValue), ("verdict", verdict)])
        }
      }
    }
  }
}
