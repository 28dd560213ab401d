extension Field {
  /// The time zone that the dates and times of a field are in.
  public enum TimeZone: Sendable, Hashable {
    /// A zone of the IANA database, like `Europe/Berlin`.
    case named(String)
    /// The zone of the person who answers, as their browser knows it. What comes without one is in UTC.
    case person

    /// `person`, or the zone's name.
    package var word: String {
      switch self {
      case .named(let name): name
      case .person: "person"
      }
    }

    /// - Parameter word: `person`, or a zone's name; whether there is such a zone is not checked.
    init(word: String) { self = word == "person" ? .person : .named(word) }

    /// The zone's name that a page shows until a script knows better.
    package var shownName: String { self == .person ? Zone.utc.name : word }
  }
}

/// A moment as a person in a time zone writes it.
///
/// The text is HTML's local date and time, and perhaps an offset from UTC as RFC 3339 has it:
/// `2026-03-29T03:30+02:00`, which must be in use there at that time. With `Z` it is a time in UTC, wherever the field is.
/// The zone's name may follow as in RFC 9557: `2026-03-29T03:30[Europe/Berlin]`. Of a field in a named zone it must be a
/// name of that zone.
struct ZonedTime {
  /// Milliseconds since 1970 in UTC.
  let milliseconds: Int
  /// Seconds east of UTC.
  private let offset: Int
  let zone: Zone

  /// Milliseconds since 1970 as clocks there show them.
  private var local: Int { milliseconds + offset * 1000 }

  /// The reason a text is no moment.
  enum ParseError: Error {
    /// It is no date and time.
    case form
    /// There is no such time zone here.
    case zone
    /// It names another time zone than that of its field, which has this name.
    case otherZone(String)
    /// Clocks go from one local time straight to another, past this one.
    case skipped(from: String, to: String)
    /// The text has a different offset; this one is in use there at that time.
    case offset(String)
  }

  init(_ text: String, in timeZone: Field.TimeZone) throws(ParseError) {
    let parts = Parts(text, in: timeZone)
    guard let local = Calendar.milliseconds(parts.local, as: .dateTime) else { throw .form }
    if let expected = parts.expectedZone { throw .otherZone(expected) }
    guard let zone = parts.zone else { throw .zone }
    self.zone = zone
    // `Z` says which moment it is, and nothing of what clocks show there (RFC 9557, section 2.2).
    if parts.isUTC {
      (milliseconds, offset) = (local, zone.offset(at: Day.floor(local, 1000)))
      guard Quantity(localText, form: .dateTime) != nil else { throw .form }
      return
    }
    switch zone.occurrence(ofLocal: Day.floor(local, 1000)) {
    case .once(let offset): self.offset = offset
    // The earlier one, unless it says which.
    case .twice(let earlier, let later): offset = parts.offset == later ? later : earlier
    case .never(let from, let to, _):
      throw .skipped(from: Self.clock(from, unlike: to), to: Self.clock(to, unlike: from))
    }
    // An offset of odd seconds is written without them, as browsers do.
    if let given = parts.offset, given != offset, offset % 60 == 0 || abs(given - offset) >= 60 {
      throw .offset(Self.text(ofOffset: offset))
    }
    milliseconds = local - offset * 1000
  }

  /// The local time of a moment.
  init(_ moment: Timestamp, in zone: Zone) {
    milliseconds = Int(moment.milliseconds)
    offset = zone.offset(at: Day.floor(milliseconds, 1000))
    self.zone = zone
  }

  /// The moment as RFC 3339 writes it, with the offset from UTC: `2026-03-29T03:30:00+02:00`. If the offset is not one
  /// of whole minutes, as before there was standard time, it is in UTC: `1799-12-31T23:06:32Z`.
  var text: String { hasWholeOffset ? Calendar.second(of: local) + Self.text(ofOffset: offset) : "\(utcText)Z" }

  /// True if its text has one of the years 0001 to 9999, as every date has.
  var hasYear: Bool { hasWholeOffset || Quantity(utcText, form: .dateTime) != nil }

  private var hasWholeOffset: Bool { offset % 60 == 0 }
  private var utcText: String { Calendar.second(of: milliseconds) }

  /// The time that clocks show, with seconds if there are any.
  var controlText: String { local % 60_000 == 0 ? localText : Calendar.second(of: local) }

  /// The time that clocks show, as an input for date and time expects it: `2026-03-29T03:30`.
  var localText: String { Calendar.minute(of: local) }

  /// The number of the day there.
  var day: Int { Day.floor(local, Calendar.millisecondsOfDay) }

  /// `03:00`, or with its date if the other is on another day.
  private static func clock(_ seconds: Int, unlike other: Int) -> String {
    let text = Calendar.minute(of: seconds * 1000)
    return Day.floor(seconds, 86_400) == Day.floor(other, 86_400) ? String(text.suffix(5)) : text
  }

  private static func text(ofOffset offset: Int) -> String {
    "\(offset < 0 ? "-" : "+")\(Calendar.minute(of: abs(offset) * 1000).suffix(5))"
  }
}

extension ZonedTime {
  /// The parts of a text: the local time, the offset and the zone's name.
  struct Parts {
    let local: Calendar.Bytes
    /// Seconds east of UTC, or `nil` if none is given.
    let offset: Int?
    /// True if it ends in `Z`.
    let isUTC: Bool
    private let timeZone: Field.TimeZone
    /// The name in brackets, without the mark that says that it must be understood (RFC 9557, section 3.3).
    private let name: Substring?

    init(_ text: String, in timeZone: Field.TimeZone) {
      self.timeZone = timeZone
      var rest = text[...]
      if rest.utf8.last == UInt8(ascii: "]"), rest.utf8.count <= 128,
        let start = rest.utf8.firstIndex(of: UInt8(ascii: "["))
      {
        let inside = rest[rest.utf8.index(after: start)...].dropLast()
        name = inside.utf8.first == UInt8(ascii: "!") ? inside.dropFirst() : inside
        rest = rest[..<start]
      } else {
        name = nil
      }
      isUTC = rest.utf8.last == UInt8(ascii: "Z")
      (local, offset) = Calendar.withoutOffset(rest.utf8)
    }

    /// The name of the field's zone, if the text names another one.
    var expectedZone: String? {
      guard case .named(let expected) = timeZone, let name, !isSame(String(name), expected) else { return nil }
      // A zone may have several names.
      guard let here = ZoneFolder.system.zone(named: expected), let named = ZoneFolder.system.zone(named: String(name)),
        here.agrees(with: named)
      else { return expected }
      return nil
    }

    /// The zone that the local time is in, or `nil` if it is not known here.
    ///
    /// For the person's zone, an offset is enough if the text does not name the zone.
    var zone: Zone? {
      switch timeZone {
      case .named(let name): expectedZone == nil ? ZoneFolder.system.zone(named: name) : nil
      case .person:
        // A browser may know a zone by a name that the database here lacks; then the offset is used.
        name.flatMap { ZoneFolder.system.zone(named: String($0)) } ?? offset.map(Zone.init(offset:))
          ?? (name == nil ? .utc : nil)
      }
    }
  }
}
