package extension Inputs {
  /// Reads the inputs of a prompt from an object, and reports every fault.
  ///
  /// Texts are strings; numbers count by their value where a number is asked for, and else as they are written, as true
  /// and false do; null is empty.
  ///
  /// - Parameters:
  ///   - node: from strict JSON, in which no key appears twice.
  ///   - isInitial: whether a choice that is left out has its field's own initial value.
  init(_ node: Node, of fields: [Field], isInitial: Bool = false, _ reading: inout Reading) {
    self.init()
    var shared: [Shared] = []
    read(node, in: [], of: fields, &shared, &reading)
    while !shared.isEmpty {
      // What is chosen may stand in such a place too.
      let count = shared.count
      shared.removeAll { value in
        let index = value.indices.first { index in
          fields.mayApply(fields[index]) { tag in
            isInitial && self[fields[tag].name] == nil
              ? fields[tag].value.text ?? "" : chosen(in: fields[tag])
          }
        }
        if let index { read(value.node, of: fields, at: index, &reading) }
        return index != nil
      }
      guard shared.count == count else { continue }
      // No field of these applies yet, so each holds it that can.
      for value in shared {
        let able = value.indices.filter { index in
          var attempt = Reading()
          return attempt.input(value.node, of: fields, at: index) != nil && attempt.faults.isEmpty
        }
        for index in able.isEmpty ? [value.indices[0]] : able { read(value.node, of: fields, at: index, &reading) }
      }
      break
    }
  }

  /// A value in a place that several fields share.
  private typealias Shared = (node: Node, indices: [Int])

  private mutating func read(_ node: Node, of fields: [Field], at index: Int, _ reading: inout Reading) {
    if let input = reading.input(node, of: fields, at: index) { append(fields[index].name, input) }
  }

  /// Reads the object at a path.
  private mutating func read(
    _ node: Node, in path: [String], of fields: [Field], _ shared: inout [Shared], _ reading: inout Reading
  ) {
    for entry in reading.entries(node, as: "`\(path.last ?? "values")`", remedy: FaultRow("write-values")) ?? [] {
      let path = path + [entry.key], indices = fields.indices.filter { fields.stands($0, at: path) }
      if fields.haveValues(in: path) || indices.contains(where: { fields[$0].answer.type == .object }) {
        for index in indices { append(fields[index].name, .text(entry.value.isNull ? "false" : "true")) }
        if !entry.value.isNull { read(entry.value, in: path, of: fields, &shared, &reading) }
      } else if indices.count > 1 {
        shared.append((entry.value, indices))
      } else if let index = indices.first {
        read(entry.value, of: fields, at: index, &reading)
      } else {
        let known = fields.filter { $0.path.count >= path.count && ValuePath.isIn($0.path, path.dropLast()) }
        let names = known.map { $0.path[path.count - 1] }.reduce(into: [String]()) {
          if !$0.contains($1) { $0.append($1) }
        }
        reading.report(
          "no-such-field", ["name": entry.key, "nearest": Nearest(to: entry.key, among: names)], at: entry.keyPlace)
      }
    }
  }

  /// The same of JSON, or `nil` if something is wrong, or there are objects in it or places that fields share: then it is
  /// to be read as a node. What has no fault is read without the places that faults would need, which take longer than a
  /// verdict.
  init?(faultless json: JSON, of fields: [Field]) {
    guard case .object(let members) = json else { return nil }
    self.init(reserving: members.count)
    for member in members {
      guard let index = fields.index(ofMember: member.key), fields[index].answer.type != .object,
        let input = Input(member.value, as: fields[index].kind, isNumber: fields.takeNumbers(at: index))
      else { return nil }
      append(fields[index].name, input)
    }
  }
}

extension [Field] {
  /// True if the field at this index takes numbers. It is asked of the array: a field by itself would be copied.
  fileprivate func takeNumbers(at index: Int) -> Bool {
    self[index].readsNumbers || self[index].answer.types.contains(.number)
  }
}

extension Input {
  /// Reads the input that means the same as a JSON value, or `nil` if none in a field of this kind does.
  fileprivate init?(_ value: JSON, as kind: Field.Kind, isNumber: Bool) {
    switch value {
    case .null: self = kind.emptyInput
    case .array(let elements) where kind.isList:
      let texts = elements.compactMap { element -> String? in
        switch element {
        case .string(let text): text
        case .number(let literal) where kind == .list: Input(number: literal, isNumber: isNumber).text
        default: nil
        }
      }
      guard texts.count == elements.count else { return nil }
      self = .choices(texts)
    case _ where kind == .choices: return nil
    case .string(let text): self = .text(text)
    case .bool(let bool): self = .text(String(bool))
    case .number(let literal): self.init(number: literal, isNumber: isNumber)
    case .illFormedString: self = .illFormed
    case .array, .object: return nil
    }
  }

  /// - Parameter isNumber: whether the field takes numbers: one is the same however JSON writes it, so 42.0 is an integer.
  fileprivate init(number literal: String, isNumber: Bool) {
    let isPlain = !isNumber || literal.utf8.allSatisfy(ASCII.isDigit)
    self = .text(isPlain ? literal : ExactNumber(literal)?.exactLiteral ?? literal)
  }
}

extension Reading {
  fileprivate mutating func input(_ node: Node, of fields: [Field], at index: Int) -> Input? {
    let (name, kind) = (fields[index].name, fields[index].kind)
    switch node.content {
    case .null: return kind.emptyInput
    case .sequence(let elements) where kind == .list:
      if elements.contains(where: { if case .illFormed = $0.content { true } else { false } }) { return .illFormed }
      let texts = elements.compactMap { element -> String? in
        if case .number(let literal) = element.content {
          return Input(number: literal, isNumber: fields.takeNumbers(at: index)).text
        }
        return string(element, name)
      }
      return texts.count == elements.count ? .choices(texts) : nil
    case _ where kind == .choices: return list(node, name).flatMap { choices($0, name) }
    case .number(let literal): return Input(number: literal, isNumber: fields.takeNumbers(at: index))
    case .illFormed: return .illFormed
    default: return string(node, name, orLiteral: true).map { .text($0) }
    }
  }

  /// Reads an input: a text, or a list of chosen values.
  package mutating func input(_ node: Node, _ key: String) -> Input? {
    switch node.content {
    case .illFormed: .illFormed
    case .sequence(let elements): choices(elements, key)
    default: string(node, key).map { .text($0) }
    }
  }

  private mutating func choices(_ elements: [Node], _ key: String) -> Input? {
    if elements.contains(where: { if case .illFormed = $0.content { true } else { false } }) { return .illFormed }
    let texts = elements.compactMap { string($0, key) }
    return texts.count == elements.count ? .choices(texts) : nil
  }
}
