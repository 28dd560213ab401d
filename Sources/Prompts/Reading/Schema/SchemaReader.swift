internal import Platform

extension Prompt {
  /// Reads a JSON Schema (2020-12) of an object as a prompt with a field for each property, and reports every fault.
  ///
  /// - Parameters:
  ///   - schema: draft-07 and OpenAPI 3.0 have other spellings of some keywords, which are read too.
  ///   - title: or `nil` for that of the schema.
  ///   - message: or `nil` for the schema's description.
  package init?(schema: Node, title: String? = nil, message: String? = nil, _ reading: inout Reading) {
    var reader = SchemaReader(schema, reading)
    reader.unwrap()
    if let definition = reader.root.mappingValue(Self.definitionKey) {
      reader.reportUnusedExtras()
      reading = reader.reading
      self.init(definition, writtenAs: reader.root, title: title, message: message, &reading)
      return
    }
    let definition = reader.definition(title: title, message: message)
    reading = reader.reading
    guard let definition else { return nil }
    reading.namesKeywords = true
    defer { reading.namesKeywords = false }
    self.init(definition, &reading)
  }
}

/// Makes a definition of a JSON Schema: each property becomes a field.
///
/// The definition consists of nodes that stand for places in the schema, and it is read like any other. So there is one
/// reader of fields and rules, and the faults that it finds point into the schema. Each keyword is said exactly, is known
/// to say nothing about values, or is refused.
struct SchemaReader: FaultReporter {
  var root: Node
  /// What the schema stands in, outermost first: references may name its parts too.
  var wrappers: [Node] = []
  var reading: Reading
  /// The targets of references, each looked up once.
  private var targets: [[UInt8]: Node] = [:]
  /// The bytes of schemas that may still be read. A reference is read again for each property that has it.
  private var room = 256 * 1024
  /// The places of the alternatives that are being read, from the outside in.
  private var around: [String] = []
  /// The places of the first properties of the objects whose fields are being read, from the outside in.
  var aroundFields: [String] = []
  private static let referenceLimit = 32
  /// What other tools call a description.
  static let descriptions = ["markdownDescription", "description_md"]
  /// True if it accepts the spellings of OpenAPI 3.0 and draft-04, which a schema that names a later dialect cannot
  /// use.
  private var takesOldSpellings = true
  /// True if a `$ref` replaces the schema that it stands in, as it does up to draft-07.
  private var refReplaces = false
  /// The texts and values for people that were read.
  var read: [Node] = []
  /// The places of those of them that have an effect, besides the texts of the definition.
  var shown: [Node] = []
  /// The words of other tools that were left unread, each once.
  private var ignored: [Node.Entry] = []
  /// What stands under keys of ours, and the places of those keys that have an effect.
  private var (extras, used) = ([Node.Entry](), Set<[UInt8]>())
  /// The properties of the outermost object, and the names that were made for other fields.
  var (ownNames, names) = (TextSet([]), Set<String>())
  /// False while a schema is read of which no value may be left out, since something depends on what it does not take.
  var mayNarrow = true
  /// The paths of objects that are there even if nothing is asked for inside.
  var objects: [[String]] = []

  init(_ root: Node, _ reading: Reading) {
    self.root = root
    self.reading = reading
  }

  mutating func report(_ fault: FaultRow, at place: Node.Place) {
    let inJSON = reading.isJSON
    reading.add(Fault(fault, at: place, inJSON: inJSON))
  }

  mutating func warn(_ fault: FaultRow, at place: Node.Place) { reading.warn(fault, at: place) }

  // MARK: The object

  /// The schema as a definition, or `nil` if it does not describe an object.
  mutating func definition(title: String?, message: String?) -> Node? {
    let count = reading.faults.count
    if root.elements != nil { return refuse("wrapped", at: root.place) }
    let dialect = root.mappingValue("$schema")?.scalarText ?? ""
    takesOldSpellings = dialect.isEmpty || dialect.contains("draft-04")
    refReplaces = ["draft-04", "draft-06", "draft-07"].contains(where: dialect.contains)
    guard let said = statements(of: root, isCounted: false), var object = object(said) else { return nil }
    guard object.isObject else { return refuse("no-object", at: root.place) }
    if object.properties.isEmpty, object.conditions.isEmpty,
      let any = object.closing.first(where: { $0.value.entries?.isEmpty == false })
    {
      return refuse("any-properties", ["keyword": any.key], at: any.place)
    }
    object.defaults = defaultOfWrappers ?? object.defaults
    var texts: [Node.Entry] = []
    for (key, keyword, given) in [("title", "title", title), ("message", "description", message)] {
      let own = said[keyword].map { Node.Entry(key, $0.value) } ?? text(keyword, ofWrappersAs: key)
      // One that is given takes the place of the schema's own.
      if given != nil { shown += [own?.value].compactMap(\.self) }
      texts += [given.map { Node.Entry(key, .string($0), at: Node.Place(line: 0, column: 0)) } ?? own].compactMap(
        \.self)
    }
    let fields = fields(of: object).flatMap(\.nodes)
    if texts["title"] == nil {
      report("no-title", at: root.place)
      texts.append(Node.Entry("title", .string("T"), at: root.place))
    }
    let definition = Node(
      texts + entries(of: object.extras, keys: ["ok", "cancel", "buttons", "okWhenInvalid"])
        + [
          Node.Entry("fields", Node(fields, standingFor: root.place)),
          Node.Entry("objects", .array(objects.map { .string(JSONPointer.text($0)) }), at: root.place),
        ], standingFor: root.place)
    let shown = Set((definition.texts + shown).map(\.place.id))
    if let first = ignored.first {
      let (keys, tools) = (ignored.map(\.key), Self.tools(of: ignored.map(\.key)))
      let words = keys.map { "`\($0)`" }.joined(separator: ", ")
      warn(
        keys.count == 1
          ? FaultRow("ignored", ["words": words, "tools": tools])
          : FaultRow("ignored.several", ["words": words, "tools": tools]), at: first.keyPlace)
    }
    var told: Set<ObjectIdentifier?> = []
    for text in read where !shown.contains(text.place.id) && told.insert(text.place.id).inserted {
      warn("not-shown", at: text.place)
    }
    if reading.faults.count == count { reportUnusedExtras() }
    return definition
  }

  /// The entries of all `x-okcancel` objects. An entry with an unknown or repeated key is reported and left out.
  mutating func entries(of extras: [Statement], keys: [String]) -> [Node.Entry] {
    var entries: [Node.Entry] = []
    for extra in extras {
      used.insert(Array(extra.place.pointer.utf8))
      let remedy = FaultRow("write-extras", ["key": keys[0]])
      for entry in reading.mapping(extra.value, as: "`x-okcancel`", keys: keys, remedy: remedy)?.entries ?? [] {
        if entries[entry.key] != nil {
          report("extra-twice", ["key": entry.key], at: entry.keyPlace)
        } else {
          entries.append(entry)
        }
      }
    }
    return entries
  }

  /// Notes what a schema has under keys of ours, which must not be lost.
  mutating func noteExtras(of schema: Node) {
    extras += (schema.entries ?? []).filter { ["x-okcancel", Prompt.definitionKey].contains($0.key) }
  }

  /// Reports what stands under a key of ours where it has no effect.
  mutating func reportUnusedExtras() {
    for extra in extras where used.insert(Array(extra.keyPlace.pointer.utf8)).inserted {
      report("cannot-be-said.unused", ["keyword": extra.key], at: extra.keyPlace)
    }
  }

  /// The entries of `properties`.
  mutating func entries(_ statement: Statement) -> [Node.Entry] {
    statement.value.entries
      ?? refuse("properties-not-object", ["found": statement.value.kindInWords], at: statement.value.place) ?? []
  }

  /// The names that a `required` lists.
  mutating func names(_ statement: Statement) -> [Node.Entry] {
    (reading.list(statement.value, "required") ?? []).compactMap { node in
      reading.string(node, "required").map { Node.Entry(key: $0, keyPlace: node.place, value: node) }
    }
  }

  /// Reports a keyword that cannot be said.
  mutating func reportUnsayable(_ statement: Statement, _ remedy: String?, among keywords: [String]) {
    let remedy = remedy ?? Self.remedy(for: statement.key, among: keywords)
    report("cannot-be-said", ["keyword": statement.key, "remedy": remedy], at: statement.place)
  }

  // MARK: What a schema says

  /// A keyword and its value.
  struct Statement {
    var key: String
    /// The place of the keyword.
    let place: Node.Place
    var value: Node
    /// True if it stands in the schema itself and not in one that it refers to.
    let isOwn: Bool
    /// The schema that it stands in.
    let schema: Node

    /// True if it says nothing about values.
    var isAnnotation: Bool { SchemaReader.isAnnotation(key) }

    /// The types of whose values it says something, or `nil` for all.
    var types: Set<String>? { SchemaReader.speech[key] }

    func speaks(of type: String) -> Bool { types?.contains(type) ?? true }
  }

  /// All that a schema says: its own keywords, then those of what `$ref` and `allOf` name. Old spellings become new ones.
  ///
  /// - Parameters:
  ///   - path: the references that led here.
  ///   - isCounted: whether it counts as one of the schemas that are read again and again.
  mutating func statements(
    of schema: Node, through path: [String] = [], isOwn: Bool = true, isCounted: Bool = true
  ) -> [Statement]? {
    if case .bool(let takesAny) = schema.content {
      return takesAny ? [] : [Statement(key: "false", place: schema.place, value: schema, isOwn: isOwn, schema: schema)]
    }
    guard let entries = schema.entries else {
      let isRequired = schema.elements != nil && schema.place.pointer.hasSuffix("/properties/required")
      return refuse(
        isRequired ? FaultRow("required-inside") : FaultRow("not-a-schema", ["found": schema.kindInWords]),
        at: schema.place)
    }
    guard !isCounted || takes(schema) else { return nil }
    if isCounted, let id = entries["$id"], schema.mentions("$ref") {
      return refuse("reference-below-id", at: id.keyPlace)
    }
    let isReplaced = refReplaces && entries["$ref"] != nil
    var (said, referenced) = ([Statement](), [Statement]())
    noteExtras(of: schema)
    for entry in entries {
      if said[entry.key] != nil {
        reading.report("repeated-key", ["key": entry.key], at: entry.keyPlace)
        continue
      }
      switch entry.key {
      case "$ref":
        guard let (pointer, target) = target(of: entry.value) else { return nil }
        if path.count == Self.referenceLimit { return refuse("deep-reference", at: entry.value.place) }
        if path.contains(where: { isSame($0, pointer) }) {
          return refuse("circular-reference", ["pointer": pointer], at: entry.value.place)
        }
        guard let more = statements(of: target, through: path + [pointer], isOwn: false) else { return nil }
        referenced += more
      case _ where isReplaced && !Self.isAnnotation(entry.key):
        return refuse("beside-reference", ["keyword": entry.key], at: entry.keyPlace)
      case "allOf":
        guard let parts = reading.list(entry.value, "allOf") else { return nil }
        for part in parts {
          guard let more = statements(of: part, through: path, isOwn: isOwn) else { return nil }
          referenced += more
        }
      default:
        // The title of what a reference names is the name of a type.
        let isForPeople = (["description", "default", "examples", "example"] + Self.descriptions).contains(entry.key)
        if isForPeople || entry.key == "title" && isOwn, !entry.value.saysNothing {
          read.append(entry.value)
        }
        // Texts for the values of an `enum`, which is read later.
        if (Self.titles + Self.hints).contains(entry.key), let texts = schema.texts(ofValuesIn: [entry.key]) {
          read += texts.compactMap(\.self)
        } else if Self.tool(of: entry.key) != nil, ignored[entry.key] == nil {
          ignored.append(entry)
        }
        said.append(Statement(key: entry.key, place: entry.keyPlace, value: entry.value, isOwn: isOwn, schema: schema))
      }
    }
    return respelled(said) + referenced
  }

  /// Reads one of several alternatives, unless references lead back to one that is being read, or ever deeper.
  mutating func alternative<Value>(_ schema: Node, read: (inout Self, [Statement]) -> Value?) -> Value? {
    let pointer = schema.place.pointer
    if around.contains(pointer) { return refuse("circular-reference", ["pointer": "#\(pointer)"], at: schema.place) }
    if around.count == Self.referenceLimit { return refuse("deep-reference", at: schema.place) }
    around.append(pointer)
    defer { around.removeLast() }
    return statements(of: schema).flatMap { read(&self, $0) }
  }

  private mutating func takes(_ schema: Node) -> Bool {
    let size = schema.size
    if room < 0 || !reading.spend(5_000 + 20 * size) { return false }
    room -= size
    if room < 0 { report("too-large.schema", at: schema.place) }
    return room >= 0
  }

  /// Rewrites `nullable`, `example` and exclusive bounds that are true or false as later drafts write them, and
  /// descriptions of other tools.
  private mutating func respelled(_ said: [Statement]) -> [Statement] {
    var said = said
    func index(_ key: String) -> Int? { said.firstIndex { $0.key == key } }
    for (key, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
      guard let here = index(key), case .bool(let isExclusive) = said[here].value.content else { continue }
      var statement = said.remove(at: here)
      if !takesOldSpellings || index(bound) == nil {
        report("exclusive-is-a-number", ["keyword": key, "bound": bound], at: statement.place)
      } else if isExclusive, let limit = index(bound) {
        statement.value = said.remove(at: limit).value
        said.append(statement)
      }
    }
    if let here = index("nullable") {
      let statement = said.remove(at: here)
      if let type = index("type"), takesOldSpellings, case .string(let word) = said[type].value.content {
        if reading.bool(statement.value, "nullable") == true {
          let types = JSON.array([.string(word), .string("null")])
          said[type].value = Node(types, standingFor: said[type].value.place)
        }
      } else {
        let keyword = ["allOf", "$ref"].first { statement.schema.mappingValue($0) != nil }
        report(
          keyword.map { FaultRow("nullable-alone.beside", ["keyword": $0]) } ?? FaultRow("nullable-alone.schema"),
          at: statement.place)
      }
    }
    if let here = index("example") {
      said[here].key = "examples"
      said[here].value = Node([said[here].value], standingFor: said[here].value.place)
    }
    for key in Self.descriptions {
      if index("description") == nil, let here = index(key) { said[here].key = "description" }
    }
    return said
  }

  // MARK: References

  private mutating func target(of reference: Node) -> (pointer: String, node: Node)? {
    guard let text = reading.string(reference, "$ref") else { return nil }
    let pointer = String(decoding: Array(text.utf8)[...].percentDecoded().bytes, as: UTF8.self)
    guard pointer == "#" || pointer.hasPrefix("#/") else { return refuse("other-document", at: reference.place) }
    let known = Array(pointer.utf8)
    if let node = targets[known] { return (pointer, node) }
    guard let node = ([root] + wrappers.reversed()).compactMap({ part(pointer, of: $0) }).first,
      reading.spend(200_000)
    else { return refuse("broken-reference", ["text": text], at: reference.place) }
    targets[known] = node
    return (pointer, node)
  }

  /// The part of a document that a fragment names, or `nil` if there is none.
  private func part(_ pointer: String, of root: Node) -> Node? {
    var node = root
    for key in JSONPointer.names(in: pointer) {
      var next = node.mappingValue(key)
      if case .sequence(let elements) = node.content {
        next = Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      }
      let isOther = node.place.pointer != root.place.pointer && node.mappingValue("$id") != nil
      guard let next, !isOther else { return nil }
      node = next
    }
    return node
  }
}

extension [SchemaReader.Statement] {
  /// The first with this keyword.
  subscript(key: String) -> SchemaReader.Statement? { first { isSame($0.key, key) } }

  /// The title of the schema itself, unless that is empty: the title of what a reference names is the name of a type.
  var ownTitle: Node? { first { $0.key == "title" && $0.isOwn && $0.value.scalarText != "" }?.value }

  /// The first description that is not empty.
  var hint: Node? { first { $0.key == "description" && $0.value.scalarText != "" }?.value }
}

extension Node.Entry {
  /// An entry of the definition that is made of a schema.
  init(_ key: String, _ value: Node) { self.init(key: key, keyPlace: value.place, value: value) }

  init(_ key: String, _ json: JSON, at place: Node.Place) { self.init(key, Node(json, standingFor: place)) }
}
