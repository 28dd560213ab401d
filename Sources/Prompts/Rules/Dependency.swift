/// The field, the time or the predicate that a condition depends on besides the text.
enum Dependency {
  /// Another field, of this name.
  case field(String)
  /// The time of the verdict, or a time zone.
  case time(isRelative: Bool, lacksZone: Bool)
  /// The predicate of this name; `isOwn` if the rule brings its closure.
  case predicate(String, reading: [String], isOwn: Bool)

  /// The names of the fields that it looks at.
  var fields: [String] {
    switch self {
    case .field(let name): [name]
    case .predicate(_, let names, _): names
    case .time: []
    }
  }
}
