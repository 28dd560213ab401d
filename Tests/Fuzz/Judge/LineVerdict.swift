import Prompts
import ServedFields

/// What the server's code says of one case.
enum LineVerdict {
  case verdict(Verdict, by: DecidedBy)
  case doesNotApply
  /// The rules are not accepted, or the line is no case.
  case refused(String)

  init(on line: String) {
    guard let json = try? JSON(parsing: Array(line.utf8), limits: .file),
      let judged = json["field"]?.text, let inputs = json["values"].flatMap(Inputs.init(written:))
    else {
      self = .refused("this is no case")
      return
    }
    let served = json["fields"]?.elements ?? []
    var reading = Reading()
    let fields = served.compactMap { Field(served: $0, &reading) }
    if let fault = reading.faults.first {
      self = .refused(fault.sentence)
    } else if fields.count == served.count,
      case .decided(let verdicts) = Judge().judge(
        inputs, of: Prompt(title: "Fuzz", fields: fields).edition(), only: [judged]),
      let field = fields.first(where: { $0.name == judged })
    {
      self = verdicts[judged].map { .verdict($0, by: field.decidedBy) } ?? .doesNotApply
    } else {
      self = .refused("a field is none, or its predicate is not built in")
    }
  }

  var json: String {
    var json = JSONWriter()
    json.object { json in
      switch self {
      case .verdict(let verdict, let decidedBy):
        json.member("isValid", verdict.isValid)
        if case .invalid(let rule, let message) = verdict {
          json.member("rule", rule)
          json.member("message", message)
        }
        if decidedBy == .server { json.member("decidedBy", "server") }
      case .doesNotApply:
        json.member("isValid", true)
        json.member("applies", false)
      case .refused(let why): json.member("refused", why)
      }
    }
    return json.text
  }
}
