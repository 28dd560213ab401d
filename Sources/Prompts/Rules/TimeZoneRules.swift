internal import TimeZones

/// A condition in a time zone: what a text means depends on it.
///
/// Only the server decides in a time zone: its clock counts, and so does its edition of the database of time zones.
protocol ZonedCondition: Condition {
  /// `nil` if texts are taken as they are.
  var timeZone: Field.TimeZone? { get }
  /// The same for a field in a time zone.
  func inTimeZone(_ timeZone: Field.TimeZone) -> Self
}

extension ZonedCondition {
  func decidedBy(on premise: Premise) -> DecidedBy { timeZone == nil ? .everywhere : .server }
  func work(on size: InputSize) -> Int { (timeZone == nil ? 2_000 : 20_000) + 5 * size.bytes }
}

/// What a field's time zone is to its rules.
extension Rule {
  /// The time zone that the rule names by itself.
  var timeZone: Field.TimeZone? { (condition as? any ZonedCondition)?.timeZone }

  /// The same for a field in a time zone; one that names another keeps that, which is a fault.
  func inTimeZone(_ timeZone: Field.TimeZone) -> Rule {
    if let rule = condition as? any ZonedCondition {
      return rule.timeZone == nil ? Rule(rule.inTimeZone(timeZone), message: message) : self
    }
    guard let list = condition as? any Combinator else { return self }
    return Rule(type(of: list).init(rules: list.rules.map { $0.inTimeZone(timeZone) }), message: message)
  }

  fileprivate var isRelative: Bool { flattened.contains { ($0.condition as? RangeRule)?.isRelative ?? false } }
}

extension Field {
  /// Whether a verdict on it depends on the time.
  var readsClock: Bool { (rules + allow).contains(where: \.isRelative) }

  /// A text of this field as what it is compared as, or `nil` if it is not of its kind.
  func quantity(_ text: String) -> Quantity? {
    guard let timeZone else { return kind.quantity(text) }
    if kind == .date { return Quantity(answer(to: text, in: timeZone), form: .date) }
    return (try? ZonedTime(text, in: timeZone)).map { Quantity(instant: $0.milliseconds, writtenAs: text) }
  }

  /// What a valid text answers: a moment with its offset from UTC, or a date without the zone's name.
  func answer(to text: String, in timeZone: TimeZone) -> String {
    if kind == .dateTime { return (try? ZonedTime(text, in: timeZone))?.text ?? text }
    return kind == .date ? String(Substring(ZonedTime.Parts(text, in: timeZone).local)) : text
  }

  /// A text as the browser's own control takes it, which knows no offsets: what clocks in the field's zone show, or in UTC
  /// for that of the person. `moment` says which moment it was, if it had an offset.
  package func controlText(for text: String) -> (text: String, moment: String?) {
    guard let timeZone, kind == .dateTime || kind == .date else { return (text, nil) }
    let parts = ZonedTime.Parts(text, in: timeZone)
    guard let offset = parts.offset, let (date, time) = Calendar.dateTime(parts.local),
      let zone = timeZone == .person ? .utc : parts.zone
    else { return (String(Substring(parts.local)), nil) }
    let milliseconds = (Calendar.day(date) * 86_400 - offset) * 1000 + time
    let shown = ZonedTime(Timestamp(milliseconds: Int64(milliseconds)), in: zone)
    return (shown.controlText, timeZone == .person ? shown.text : nil)
  }

  /// What a rule of this field that names a time zone has wrong.
  func faultOfTimeZone(_ named: TimeZone?, in rule: String) -> (what: String, remedy: String)? {
    guard let named, named != timeZone || ![.date, .dateTime].contains(kind) else { return nil }
    if let timeZone, timeZone != named {
      return (
        "`\(rule)` is in the time zone `\(named.word)`, and its field in `\(timeZone.word)`",
        "remove `timeZone` from the rule"
      )
    }
    return ("`\(rule)` names a time zone, and this field is \(kind.withArticle)", "make the kind `dateTime`")
  }

  /// What is wrong with the time zone of a field of this kind.
  var faultOfTimeZone: (what: String, remedy: String)? {
    guard timeZone != nil, kind != .dateTime else { return nil }
    switch kind {
    case .date where readsClock: return nil
    case .date:
      return (
        "`timeZone` says which day is `today`, and no rule of this field asks that",
        "remove it, or add a rule like `- range: {min: today}`"
      )
    case .time:
      return (
        "a time of day has no offset from UTC, which depends on the date",
        "make the kind `dateTime`, or remove `timeZone`"
      )
    default:
      return ("\(kind.withArticle) field has no time zone", "remove `timeZone`, or make the kind `dateTime`")
    }
  }
}

extension Reading {
  /// A time zone: the person's, or one of the database on this machine.
  mutating func timeZone(_ node: Node?) -> Field.TimeZone? {
    guard let node, let word = string(node, "timeZone") else { return nil }
    let timeZone = Field.TimeZone(word: word), zones = ZoneFolder.system
    // What was kept is judged later, and then it is there or not.
    if isKept || spend(100_000) && zones.zone(named: timeZone.shownName) != nil && zones.isInstalled { return timeZone }
    if zones.isInstalled {
      report(
        "there is no time zone `\(word)`",
        "write a name of the IANA database, like `Europe/Berlin`, or `person` for the zone of the person who answers",
        at: node.place)
    } else {
      report(
        "there is no database of time zones in \(zones.path)",
        "install the package tzdata, or name its folder in TZDIR", at: node.place)
    }
    return nil
  }
}
