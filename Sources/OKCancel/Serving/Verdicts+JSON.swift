internal import MicroHTTP
public import Prompts
internal import StrictJSON

extension Verdicts {
  /// As `POST /validate` answers it: `{"isValid":…,"message":…,"fields":{…}}`.
  public var json: String { String(decoding: jsonBytes, as: UTF8.self) }

  var jsonBytes: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("isValid", isValid)
      json.member("message", ifPresent: message)
      json.member("fields") { json in
        json.object { json in
          for entry in entries { json.member(entry.field) { $0.value(entry.verdict) } }
        }
      }
    }
    return json.bytes
  }

  var response: Response { Response(.ok, type: "application/json", bytes: jsonBytes).limited }
}

extension JSONWriter {
  /// `{"isValid":false,"rule":"nonEmpty","message":"…"}`
  mutating func value(_ verdict: Verdict) {
    object { json in
      json.member("isValid", verdict.isValid)
      if case .invalid(let rule, let message) = verdict {
        json.member("rule", rule)
        json.member("message", message)
      }
    }
  }
}
