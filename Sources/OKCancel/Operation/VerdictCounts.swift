internal import Prompts

/// Verdicts given, by where they were asked for.
final class VerdictCounts: Sendable {
  enum Door: String, CaseIterable { case validate, submit }

  private let valid = Door.allCases.map { _ in Counter() }
  private let invalid = Door.allCases.map { _ in Counter() }

  func count(_ isValid: Bool, at door: Door) {
    let place = door == .validate ? 0 : 1
    (isValid ? valid : invalid)[place].add()
  }

  func write(to text: inout MetricsText) {
    text.family("okcancel_verdicts_total", .counter, "Verdicts on values, judged as they are typed or submitted.") {
      family in
      for (place, door) in Door.allCases.enumerated() {
        family.sample(valid[place].value, [("door", door.rawValue), ("verdict", "valid")])
        family.sample(invalid[place].value, [("door", door.rawValue), ("verdict", "invalid")])
      }
    }
  }
}
