/// Where the values of fields stand in an answer.
enum ValuePath {
  /// The members that lead to a value, or `nil` if this is no pointer to a member.
  static func members(of pointer: String) -> [String]? {
    let members = JSONPointer.names(in: pointer)
    return !members.isEmpty && isSame(JSONPointer.text(members), pointer) ? members : nil
  }

  /// True if a path begins with these members, compared byte by byte.
  static func isIn(_ path: some Collection<String>, _ around: some Collection<String>) -> Bool {
    path.count >= around.count && zip(path, around).allSatisfy { isSame($0, $1) }
  }
}

extension [Field] {
  /// The index of the one field whose value is this member of an answer; `nil` if there is none, or several.
  func index(ofMember name: String) -> Int? {
    var found: Int?
    for index in indices where self[index].path.count == 1 && isSame(self[index].path[0], name) {
      guard found == nil else { return nil }
      found = index
    }
    return found
  }

  /// True if the value of the field at this index stands at a path.
  func stands(_ index: Int, at path: [String]) -> Bool {
    self[index].path.count == path.count && ValuePath.isIn(self[index].path, path)
  }

  /// True if values of several fields stand in one place: only one of these fields applies at a time.
  var sharePlaces: Bool {
    indices.contains { index in
      let path = self[index].path
      if path.count == 1, isSame(path[0], self[index].name) { return false }
      return indices.contains { $0 != index && stands($0, at: path) }
    }
  }

  /// The values of a choice or switch for which a condition can hold, and the index of that field; `nil` if the condition
  /// looks at something else.
  private func choice(of when: When) -> (index: Int, values: [String])? {
    guard let index = index(of: when.field), [.choice, .boolean].contains(self[index].kind), let values = when.values
    else { return nil }
    return (index, values)
  }

  /// True if two fields never apply together, because they depend on different values of one choice.
  func exclude(_ one: Field, _ other: Field) -> Bool {
    one.when.compactMap(choice).contains { first in
      other.when.compactMap(choice).contains { second in
        first.index == second.index && !first.values.contains { value in second.values.contains { isSame($0, value) } }
      }
    }
  }

  /// True if what was chosen lets a field apply, whatever its other conditions say.
  ///
  /// - Parameter chosen: the text of the field at an index.
  func mayApply(_ field: Field, _ chosen: (Int) -> String) -> Bool {
    field.when.compactMap(choice).allSatisfy { index, values in
      let text = chosen(index)
      return values.contains { isSame($0, text) }
    }
  }

  /// The value of a field in an answer, or `nil` if it has none there.
  package func value(of field: Field, in values: Values) -> Prompts.Value? {
    let applies = mayApply(field) { index in
      let value = values[path: self[index].path]
      return value?.object == nil ? value?.description ?? "" : "true"
    }
    guard applies else { return nil }
    return values[path: field.path]
  }

  /// True if a value that has a path of its own stands in an object at this one.
  func haveValues(in path: [String]) -> Bool {
    contains { $0.path.count > path.count && ValuePath.isIn($0.path, path) }
  }
}

extension Values {
  /// Values in objects, as their paths say.
  ///
  /// - Parameters:
  ///   - placed: a value that is an object may have others inside.
  ///   - objects: the paths of objects that are there without members too if those around them are; outer ones first.
  init(placing placed: [(path: [String], value: Prompts.Value)], keeping objects: [[String]] = []) {
    var placed = placed
    for object in objects {
      let around = object.dropLast()
      let isThere = placed.contains { path, value in
        ValuePath.isIn(path, around) && (path.count > around.count || value.object != nil)
      }
      if around.isEmpty || isThere { placed.append((object, .object([:]))) }
    }
    self.init(placed.map { ($0.path[...], $0.value) })
  }

  private init(_ placed: [(path: ArraySlice<String>, value: Prompts.Value)]) {
    var entries: [(name: String, value: Prompts.Value)] = []
    let isFlat = placed.allSatisfy { $0.path.count == 1 }
    for (path, value) in placed {
      guard let name = path.first, isFlat || !entries.contains(where: { isSame($0.name, name) }) else { continue }
      let inner = isFlat ? [] : placed.filter { $0.path.count > 1 && isSame($0.path[$0.path.startIndex], name) }
      entries.append((name, inner.isEmpty ? value : .object(Values(inner.map { ($0.path.dropFirst(), $0.value) }))))
    }
    self.init(entries)
  }

  /// The value at a path, or `nil` if there is none.
  package subscript(path path: some Collection<String>) -> Prompts.Value? {
    guard let first = path.first, let value = self[first] else { return nil }
    return path.count == 1 ? value : value.object?[path: path.dropFirst()]
  }
}

extension Inputs {
  /// The inputs as JSON `values` have them, in objects. Names that no field has stand in the outermost one; an object
  /// for which there is a box that is off is left out.
  package func values(of fields: [Field]) -> Values {
    let entries = fields.sharePlaces ? entriesThatApply(among: fields) : entries
    let absent = fields.filter { field in
      field.answer.type == .object && entries.contains { isSame($0.name, field.name) && $0.input.text != "true" }
    }
    return Values(
      placing: entries.compactMap { name, input in
        let field = fields.named(name), path = field?.path ?? [name]
        if absent.contains(where: { ValuePath.isIn(path, $0.path) }) { return nil }
        if field?.answer.type == .object { return (path, .object([:])) }
        return switch field.map({ input.held(as: $0.kind) }) ?? input {
        case .text(let text): (path, .text(text))
        case .choices(let texts): (path, .choices(texts))
        case .illFormed: (path, .null)
        }
      })
  }

  /// The text that a field holds.
  func chosen(in field: Field) -> String { normalized(for: field).text ?? "" }

  /// The entries without those of fields that do not apply, if another's stands in the same place.
  private func entriesThatApply(among fields: [Field]) -> [(name: String, input: Input)] {
    let placed = entries.map { entry in (entry: entry, field: fields.named(entry.name)) }
    let applying = placed.filter { $0.field.map { fields.mayApply($0) { chosen(in: fields[$0]) } } ?? true }
    return placed.filter { one in
      guard let field = one.field, !applying.contains(where: { isSame($0.entry.name, field.name) }) else { return true }
      return field.answer.type != .object && !applying.contains { $0.field.map { $0.at == field.at } ?? false }
    }.map(\.entry)
  }
}
