internal import MicroHTTP
internal import Prompts
internal import StrictJSON

/// A request's body, read as what its Content-Type says.
enum Body {
  case form(Form)
  case json(JSON)

  /// - Throws: `Problem` 400 for what is malformed, 415 for another media type, character set or coding.
  init(_ request: Request) throws(Problem) {
    if let coding = try request.field("content-encoding") {
      throw Self.unread("A body coded as “\(coding)”", headers: [("Accept-Encoding", "identity")])
    }
    guard let type = try request.field("content-type").map(ContentType.init) else {
      throw Self.unread("A body without a Content-Type")
    }
    if let charset = type.charset, charset != "utf-8" { throw Self.unread("A body in the character set “\(charset)”") }
    switch type.essence {
    case "application/x-www-form-urlencoded":
      do throws(Form.Fault) {
        self = .form(try Form(parsing: request.body))
      } catch {
        throw .badRequest("The form cannot be read: \(error)")
      }
    case "application/json": self = .json(try Self.json(request.body))
    case let essence where essence.contains("/") && essence.hasSuffix("+json"):
      self = .json(try Self.json(request.body))
    case let essence: throw Self.unread("A body of type “\(essence)”")
    }
  }

  private static func unread(_ what: String, headers: [(name: String, value: String)] = []) -> Problem {
    Problem(
      status: .unsupportedMediaType,
      detail: "\(what) is not read here; send application/json or application/x-www-form-urlencoded in UTF-8.",
      headers: [("Accept", "application/json, application/x-www-form-urlencoded")] + headers)
  }

  private static func json(_ bytes: [UInt8]) throws(Problem) -> JSON {
    do throws(JSONFault) {
      return try JSON(parsing: bytes)
    } catch {
      throw .badRequest("The body is not JSON as it should be: \(error)")
    }
  }
}

extension Inputs {
  /// The fields of a form, less the names that are not fields but the form's own.
  init(_ form: Form, of prompt: Prompt, besides: [String] = []) throws(Problem) {
    self.init()
    for (name, value) in form where !besides.contains(name) {
      guard let field = prompt.field(name) else { throw .unknownField(name, of: prompt) }
      guard self[field.name] == nil else {
        if field.kind == .choices { continue }
        throw .badRequest("The field “\(field.name)” appears twice in the form; send it once.")
      }
      append(field.name, field.kind == .choices ? .choices(form.values(name)) : .text(value))
    }
  }

  /// A JSON object of values: texts as strings; numbers, true and false count as they are written; null is empty.
  init(_ json: JSON, of prompt: Prompt, at pointer: String) throws(Problem) {
    guard case .object(let members) = json else {
      throw .badRequest("Values must be an object, not \(json.kindInWords); send {\"field\": \"text\"}.")
    }
    self.init()
    reserve(members.count)
    for (index, member) in members.enumerated() {
      guard let field = prompt.field(member.key, near: index) else { throw .unknownField(member.key, of: prompt) }
      append(field.name, try Self.input(member.value, for: field, at: "\(pointer)/\(field.name)"))
    }
  }

  private static func input(
    _ json: JSON, for field: Field, at pointer: @autoclosure () -> String
  ) throws(Problem) -> Input {
    if field.kind == .choices {
      guard case .array(let elements) = json else {
        if case .null = json { return .choices([]) }
        throw .wrongType(json, "an array of strings", pointer())
      }
      var texts: [String] = []
      for element in elements {
        switch element {
        case .string(let text): texts.append(text)
        case .illFormedString: return .illFormed
        default: throw .wrongType(element, "a string", pointer())
        }
      }
      return .choices(texts)
    }
    return switch json {
    case .string(let text), .number(let text): .text(text)
    case .bool(let bool): .text(String(bool))
    case .null: field.kind.emptyInput
    case .illFormedString: .illFormed
    case .array, .object: throw .wrongType(json, "a string", pointer())
    }
  }
}

extension Problem {
  static func wrongType(_ json: JSON, _ expected: String, _ pointer: String) -> Problem {
    .badRequest("\(pointer) is \(json.kindInWords); send \(expected).")
  }

  static func unknownField(_ name: String, of prompt: Prompt) -> Problem {
    let remedy =
      prompt.fields.isEmpty ? "it has no fields" : Nearest.remedy(for: name, among: prompt.fields.map(\.name))
    return .badRequest("The prompt has no field “\(name)”; \(remedy)")
  }
}
