import Prompts
import ServedFields

/// What the server's code makes of a line `{"schema":…,"values":[…]}`: `{"refused":[…]}`, or the schema of the prompt that
/// it becomes and, for each object of values, the answer, or null if it is not valid.
enum SchemaVerdict {
  static func json(_ schema: JSON, _ values: [JSON]) -> String {
    // A line's own limits are those of a request.
    var reading = Reading(budget: .form)
    var json = JSONWriter()
    json.object { json in
      guard let prompt = Prompt(schema: Node(schema), title: "Fuzz", &reading), reading.faults.isEmpty,
        !reading.isOverBudget
      else {
        json.member("refused") {
          $0.array(reading.faults.map(\.description) + (reading.isOverBudget ? ["too costly"] : []))
        }
        return
      }
      json.member("schema") { prompt.writeSchema(to: &$0, id: "/fuzz") }
      json.member("kept", isKept(prompt))
      json.member("answers") { json in
        json.array(values) { json, values in
          if let answer = answer(values, to: prompt) { json.value(answer) } else { json.null() }
        }
      }
    }
    return json.text
  }

  private static func answer(_ values: JSON, to prompt: Prompt) -> Values? {
    var reading = Reading()
    guard
      let inputs = Inputs(faultless: values, of: prompt.fields)
        ?? (try? reading.whole { Inputs(Node(values), of: prompt.fields, &$0) }),
      let verdicts = Judge().judge(inputs, of: prompt.edition()).verdicts, verdicts.isValid
    else { return nil }
    return verdicts.values(of: inputs)
  }

  /// Whether the prompt is the same after it was stored as a definition and read again.
  private static func isKept(_ prompt: Prompt) -> Bool {
    var reading = Reading()
    let json = try? JSON(parsing: Array(prompt.definition.utf8), limits: .file)
    let read = json.flatMap { Prompt(Node($0), &reading) }
    return reading.faults.isEmpty && read?.definition == prompt.definition
  }
}
