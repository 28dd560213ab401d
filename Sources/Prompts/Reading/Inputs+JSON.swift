package import StrictJSON

extension Inputs {
  /// Why a JSON value does not hold the inputs of a prompt.
  package enum Fault: Error {
    /// The text is not JSON, or it is more than a request may hold.
    case malformed(JSONFault)
    /// The inputs must be an object, and this is not one.
    case noObject(JSON)
    case unknownField(String)
    /// The field does not take such a value. `wanted` is what it takes, in a reader's words.
    case wrongType(JSON, wanted: String, field: String)
  }

  /// Reads the inputs from a JSON object, without a tree of it.
  ///
  /// Texts are strings; numbers, true and false count as they are written; null is empty.
  ///
  /// - Throws: `Fault`: that of the text if it is not JSON, otherwise that of the first wrong member.
  package init(
    parsing bytes: [UInt8], of fields: [Field], limits: JSONLimits = .request
  ) throws(Fault) {
    var reader = Reader(bytes, fields)
    let other: JSON?
    do throws(JSONFault) { other = try JSON.read(bytes, limits: limits, into: &reader) } catch {
      throw .malformed(error)
    }
    if let other { throw .noObject(other) }
    self = try reader.result()
  }

  /// Reads the inputs from a JSON object that has been parsed.
  package init(_ json: JSON, of prompt: borrowing Prompt) throws(Fault) {
    guard case .object(let members) = json else { throw .noObject(json) }
    var reader = Reader([], prompt.fields)
    for member in members {
      // The object was parsed strictly: no key appears twice.
      _ = reader.take(key: .made(member.key))
      reader.take(.made(member.value))
    }
    self = try reader.result()
  }

  /// Makes inputs of the members of an object.
  private struct Reader: JSONMemberReader {
    private let bytes: [UInt8]
    private let fields: [Field]
    private var inputs = Inputs()
    /// The field whose value comes next, or `nil` if the last key names no field.
    private var field: Field?
    private var unknown: [String] = []
    private var fault: Fault?

    /// - Parameter bytes: the text.
    init(_ bytes: [UInt8], _ fields: [Field]) { (self.bytes, self.fields) = (bytes, fields) }

    /// Hands over the inputs.
    func result() throws(Fault) -> Inputs {
      if let fault { throw fault }
      return inputs
    }

    private func text(at range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func take(key: JSONKey) -> Bool {
      let name =
        switch key {
        case .plain(let range): text(at: range)
        case .made(let name): name
        }
      field = fields.named(name)
      if field != nil { return inputs[name] == nil }
      if fault == nil { fault = .unknownField(name) }
      if unknown.contains(where: { isSame($0, name) }) { return false }
      unknown.append(name)
      return true
    }

    mutating func take(_ value: consuming JSONValue) {
      guard let field else { return }
      let json: JSON =
        switch value {
        case .string(let range): .string(text(at: range))
        case .number(let range): .number(text(at: range))
        case .made(let json): json
        }
      do throws(Fault) {
        inputs.append(field.name, try Input(json, for: field))
      } catch {
        if fault == nil { fault = error }
        // Keep its name, so that it cannot appear twice.
        inputs.append(field.name, .illFormed)
      }
    }
  }
}

extension Input {
  fileprivate init(_ json: consuming JSON, for field: Field) throws(Inputs.Fault) {
    let (kind, name) = (field.kind, field.name)
    switch json {
    // A value that is always a number is the same however it is written: 5.0 is an integer.
    case .number(let literal) where field.answer.type == .number:
      self = .text(ExactNumber(literal)?.exactLiteral ?? literal)
    case .array(let elements) where kind == .choices: try self.init(elements, named: name)
    case .null: self = kind.emptyInput
    case let json where kind == .choices: throw .wrongType(json, wanted: "an array of strings", field: name)
    case .string(let text), .number(let text): self = .text(text)
    case .bool(let bool): self = .text(bool ? "true" : "false")
    case .illFormedString: self = .illFormed
    case .array, .object: throw .wrongType(json, wanted: "a string", field: name)
    }
  }

  /// What is chosen of a `choices` field.
  private init(_ elements: [JSON], named name: String) throws(Inputs.Fault) {
    var texts: [String] = []
    for element in elements {
      switch element {
      case .string(let text): texts.append(text)
      case .illFormedString:
        self = .illFormed
        return
      default: throw .wrongType(element, wanted: "a string", field: name)
      }
    }
    self = .choices(texts)
  }
}
