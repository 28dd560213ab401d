/// A condition in a time zone: what a text means depends on it.
///
/// Only the server decides in a time zone: its clock counts, and so does its edition of the database of time zones.
protocol ZonedCondition: Condition {
  /// `nil` if texts are taken as they are.
  var timeZone: Field.TimeZone? { get set }
  /// True if it judges otherwise in a field that is in this time zone.
  func depends(on timeZone: Field.TimeZone) -> Bool
}

extension ZonedCondition {
  func depends(on timeZone: Field.TimeZone) -> Bool { true }

  fileprivate func inTimeZone(_ timeZone: Field.TimeZone) -> Self {
    var zoned = self
    zoned.timeZone = timeZone
    return zoned
  }

  func fault(in field: Field, of fields: [Field]) -> FaultRow? { field.faultOfTimeZone(timeZone, in: Self.name) }

  func decidedBy(on premise: Premise) -> DecidedBy { timeZone == nil ? .everywhere : .server }
  func work(on size: InputSize) -> Int { (timeZone == nil ? 2_000 : 20_000) + 5 * size.bytes }
}

/// The effect of a field's time zone on its rules.
extension Rule {
  /// This rule for a field in a time zone. A rule that names another time zone keeps it, which is reported as a fault.
  func inTimeZone(_ timeZone: Field.TimeZone) -> Rule {
    guard let zoned, zoned.timeZone == nil, zoned.depends(on: timeZone) else {
      return mapInner { $0.inTimeZone(timeZone) }
    }
    return Rule(zoned.inTimeZone(timeZone), message: message)
  }

  /// The time zone that it names by itself, or `nil`.
  var timeZone: Field.TimeZone? { zoned?.timeZone }

  private var zoned: (any ZonedCondition)? { condition as? any ZonedCondition }

  fileprivate var isRelative: Bool {
    flattened.contains { if case .time(isRelative: true, _)? = $0.condition.dependency { true } else { false } }
  }
}

extension Field {
  /// A text of this field as a value that can be compared, or `nil` if it is not of the field's kind.
  func quantity(_ text: String) -> Quantity? {
    guard let timeZone else { return kind.quantity(text) }
    if kind == .date { return Quantity(answer(to: text, in: timeZone), form: .date) }
    return (try? ZonedTime(text, in: timeZone)).map { Quantity(instant: $0.milliseconds, writtenAs: text) }
  }

  /// The answer that a valid text gives: a moment with its offset from UTC, or a date without the zone's name.
  func answer(to text: String, in timeZone: TimeZone) -> String {
    if kind == .dateTime { return (try? ZonedTime(text, in: timeZone))?.text ?? text }
    return kind == .date ? String(Substring(ZonedTime.Parts(text, in: timeZone).local)) : text
  }

  /// A text for the browser's own control, which takes no offset: the local time in the field's zone, or the time in
  /// UTC if that is the person's zone. In that case, `moment` is the moment itself if the text had an offset.
  package func controlText(for text: String) -> (text: String, moment: String?) {
    // Only a text that is typed is shown as it is.
    let text = kind.isTyped ? text : Input.text(text).normalized(for: self).text ?? text
    guard let timeZone, kind == .dateTime || kind == .date else { return (text, nil) }
    let parts = ZonedTime.Parts(text, in: timeZone)
    guard let offset = parts.offset, let local = Calendar.milliseconds(parts.local, as: .dateTime),
      let zone = timeZone == .person ? .utc : parts.zone
    else { return (String(Substring(parts.local)), nil) }
    let shown = ZonedTime(Timestamp(milliseconds: Int64(local - offset * 1000)), in: zone)
    return (shown.controlText, timeZone == .person ? shown.text : nil)
  }

  /// The fault if a rule of this field names this time zone, or `nil`.
  func faultOfTimeZone(_ named: TimeZone?, in rule: String) -> FaultRow? {
    guard let named, named != timeZone || ![.date, .dateTime].contains(kind) else { return nil }
    if let timeZone, timeZone != named {
      return FaultRow("other-time-zone", ["rule": rule, "named": named.word, "zone": timeZone.word])
    }
    return FaultRow("rule-with-time-zone", ["rule": rule, "kind": kind.withArticle])
  }

  /// The fault of the time zone of a field of this kind.
  var faultOfTimeZone: FaultRow? {
    guard timeZone != nil, kind != .dateTime else { return nil }
    return switch kind {
    case .date: (rules + allow).contains(where: \.isRelative) ? nil : FaultRow("time-zone.date")
    case .time: FaultRow("time-zone.time")
    default: FaultRow("time-zone", ["kind": kind.withArticle])
    }
  }
}

extension Field.TimeZone {
  /// - Parameter word: `person`, or a name in the database on this machine; any other gives `nil`.
  package init?(known word: String) {
    self.init(word: word)
    if ZoneFolder.system.zone(named: shownName) == nil { return nil }
  }
}

extension Reading {
  /// A time zone: the person's, or one of the database on this machine.
  mutating func timeZone(_ node: Node?) -> Field.TimeZone? {
    let remedy = FaultRow("no-time-zone", ["name": ""])
    guard let node, let word = string(node, "timeZone", remedy: remedy) else { return nil }
    let timeZone = Field.TimeZone(word: word), zones = ZoneFolder.system
    // A stored definition is judged later, and only then must the zone exist.
    if isKept || spend(100_000) && zones.zone(named: timeZone.shownName) != nil && zones.isInstalled { return timeZone }
    return refuse(
      zones.isInstalled ? FaultRow("no-time-zone", ["name": word]) : FaultRow("no-time-zones", ["folder": zones.path]),
      at: node.place)
  }
}
