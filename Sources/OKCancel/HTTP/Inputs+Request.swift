internal import MicroHTTP
internal import Prompts

extension Inputs {
  /// The fields of a form, except the names that are the form's own, and those that a browser extension has added to a
  /// page's form.
  init(_ form: Form, of fields: [Field], besides: [String] = []) throws(Problem) {
    self.init()
    for (name, value) in form.pairs where !besides.contains(name) {
      guard let field = fields.named(name) else {
        if form[Form.versionName] != nil { continue }
        throw Problem(unknownField: name, of: fields)
      }
      guard self[field.name] == nil else {
        if field.kind == .choices { continue }
        throw Problem("sent-twice.form", ["what": "The field “\(field.name)”"])
      }
      append(field.name, field.kind == .choices ? .choices(form.values(name)) : .text(value))
    }
  }

  /// The same with each initial date and time as it was given, where a browser's control has written it in its own way:
  /// with `T` between them, and without seconds if there are none.
  ///
  /// - Parameter initial: read only if a field needs it.
  func untouched(_ fields: [Field], holding initial: () throws(Problem) -> Inputs) throws(Problem) -> Inputs {
    guard fields.contains(where: { $0.kind == .dateTime }) else { return self }
    let initial = try initial()
    return Inputs(
      entries.map { name, input in
        guard fields.named(name)?.kind == .dateTime, let sent = input.text, let given = initial[name]?.text,
          Quantity.areSameTime(sent, given)
        else { return (name, input) }
        return (name, .text(given))
      })
  }

  /// The fields of a form, or the members of a JSON object, as the request's Content-Type says.
  init(_ request: Request, of edition: Edition) throws(Problem) {
    let fields = edition.prompt.fields
    switch try Body(request, limits: .values) {
    case .form(let form): try self.init(form, of: fields)
    case .json(let json): try self.init(json, of: fields)
    }
  }

  /// The members of an object.
  ///
  /// - Parameter key: that of the object in a body, or `nil` if it is the body.
  init(_ json: JSON, under key: String? = nil, of fields: [Field]) throws(Problem) {
    if let inputs = (key.map { json[$0] } ?? json).flatMap({ Inputs(faultless: $0, of: fields) }) {
      self = inputs
    } else {
      let body = Node(json)
      try self.init(key.flatMap(body.mappingValue) ?? body, of: fields)
    }
  }

  init(_ node: Node, of fields: [Field]) throws(Problem) {
    self = try Problem.reading { Inputs(node, of: fields, &$0) }
  }
}
