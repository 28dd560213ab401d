/// Who may answer a question, and who may not.
package struct Answerers: Sendable, Equatable {
  /// An entry of `for` or `notBy`.
  package enum Entry: Sendable, Equatable {
    /// The person with this id.
    case person(String)
    /// Everybody in this group; names of groups are compared exactly.
    case group(String)
    /// Whoever answered, or will answer, the ask with this id.
    case ask(String)

    /// An entry that was kept, or that is checked with its prompt: it may be one that names nobody.
    package init(_ text: String) {
      if text.hasPrefix("group:") {
        self = .group(String(text.dropFirst(6)))
      } else if text.hasPrefix("ask:") {
        self = .ask(String(text.dropFirst(4)))
      } else {
        self = .person(text)
      }
    }

    var text: String {
      switch self {
      case .person(let id): id
      case .group(let name): "group:\(name)"
      case .ask(let id): "ask:\(id)"
      }
    }

    func names(_ person: Person) -> Bool {
      switch self {
      case .person(let id): Person.key(id) == person.key
      case .group(let name): person.groups.contains { $0.utf8.elementsEqual(name.utf8) }
      case .ask: false
      }
    }
  }

  /// `for`: only these may answer; empty for everybody.
  package var only: [Entry] = []
  /// `notBy`: these may not.
  package var never: [Entry] = []

  package init() {}

  package var isEmpty: Bool { only.isEmpty && never.isEmpty }

  /// The ids of the asks that nobody may answer who answers this one.
  package var asks: [String] { never.compactMap { if case .ask(let id) = $0 { id } else { nil } } }

  /// The first of `for` and `notBy` that names a group, or `nil`.
  package var keyOfGroup: String? {
    let isGroup = { (entry: Entry) in if case .group = entry { true } else { false } }
    return only.contains(where: isGroup) ? "for" : never.contains(where: isGroup) ? "notBy" : nil
  }

  /// True if this person may answer, as far as names and groups tell.
  package func admit(_ person: Person) -> Bool {
    (only.isEmpty || only.contains { $0.names(person) }) && !excludes(person)
  }

  private func excludes(_ person: Person) -> Bool { never.contains { $0.names(person) } }
}

// MARK: Nobody

package extension Answerers {
  /// The reason nobody is left who may answer, with the ids that show it.
  enum Nobody: Equatable {
    /// The lists of `for` name nobody in common.
    case inCommon([[String]])
    /// All whom `for` leaves are excluded by `notBy`, or are those for whom a program asks.
    case allExcluded([String])
  }

  /// The reason nobody may answer a question that all of these are about, or `nil` if somebody can be left. Who belongs
  /// to a group is not known beforehand, so that a list with a group leaves somebody.
  ///
  /// - Parameter requester: the person for whom a program asks, and who therefore never answers; or `nil`.
  static func nobody(of all: [Answerers], besides requester: Person? = nil) -> Nobody? {
    let lists = all.compactMap(\.ids)
    guard let first = lists.first else { return nil }
    let others = lists.dropFirst().map { Set($0.map(Person.key)) }
    let common = first.filter { id in others.allSatisfy { $0.contains(Person.key(id)) } }
    if common.isEmpty { return .inCommon(lists) }
    let left = common.map { Person(id: $0) }.contains { person in
      person.key != requester?.key && !all.contains { $0.excludes(person) }
    }
    return left ? nil : .allExcluded(common)
  }

  /// The ids in `for`, or `nil` if others may answer, too.
  private var ids: [String]? {
    let ids = only.compactMap { if case .person(let id) = $0 { id } else { nil } }
    return ids.isEmpty || ids.count < only.count ? nil : ids
  }
}

// MARK: As JSON

extension Answerers {
  /// The keys of a definition, and of the body that asks.
  package static let keys = ["for", "notBy"]

  /// Reads `for` and `notBy` of a definition, and reports every fault.
  init(ofDefinition map: Mapping, _ reading: inout Reading) {
    self.init(only: map["for"], never: map["notBy"], &reading)
    // A stored question was made by the rules of its time.
    if !reading.isKept, Self.nobody(of: [self]) != nil, let node = map["for"] {
      reading.report("all-excluded", at: node.place)
    }
  }

  /// Reads `for` and `notBy`, and reports every fault of one of them.
  package init(only: Node?, never: Node?, _ reading: inout Reading) {
    self.only = Self.entries(only, "for", &reading)
    self.never = Self.entries(never, "notBy", &reading)
  }

  private static let limit = 100

  private static func entries(_ node: Node?, _ key: String, _ reading: inout Reading) -> [Entry] {
    guard let node, let elements = reading.list(node, key) else { return [] }
    if elements.isEmpty { reading.report(IDFault.blank.row(key, ""), at: node.place) }
    if elements.count > limit {
      reading.report(
        "too-many-people", ["key": key, "count": elements.count, "limit": limit], at: elements[limit].place)
    }
    return elements.prefix(limit).compactMap { element in
      guard let text = reading.string(element, key, remedy: FaultRow("write-people", ["key": key]))
      else { return nil }
      if reading.isKept { return Entry(text) }
      let entry: Entry
      do throws(IDFault) { entry = try Entry(reading: text) } catch {
        return reading.refuse(error.row(key, text), at: element.place)
      }
      if case .ask = entry, key == "for" { return reading.refuse("ask-in-for", ["text": text], at: element.place) }
      return entry
    }
  }

  /// Writes `for` and `notBy`, each only if it says something.
  package func writeMembers(to json: inout JSONWriter) {
    for (key, entries) in [("for", only), ("notBy", never)] where !entries.isEmpty {
      json.array(key, entries) { $0.value($1.text) }
    }
  }
}
