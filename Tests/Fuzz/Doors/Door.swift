import OKCancel
import Prompts

/// A way in, what goes through it, and what must not come of it.
struct Door {
  let name: String
  /// What it takes; cases are these with changes.
  let seeds: [[UInt8]]
  /// What changes may put in.
  let words: [[UInt8]]
  let visit: ([UInt8]) -> Visit

  /// Bodies posted to a server: answered, never with 5xx, and with the JSON that the type promises.
  static func posted(
    _ name: String, _ type: String, _ seeds: [[UInt8]], _ words: [[UInt8]], to target: Target,
    at path: @escaping () -> String, check: @escaping (Answer) -> String? = Door.fault,
    after: @escaping (Answer) -> String? = { _ in nil }
  ) -> Door {
    Door(name: name, seeds: seeds, words: words) { body in
      guard let answer = target.post(path(), type: type, body: body) else {
        return Visit(outcome: "none", fault: "no answer")
      }
      let faultLater = after(answer)
      return Visit(outcome: String(answer.status), fault: check(answer) ?? faultLater)
    }
  }

  private static func fault(of answer: Answer) -> String? {
    if answer.status >= 500 { return "status \(answer.status)" }
    let type = answer.header("content-type") ?? ""
    guard type.hasSuffix("json") else { return "an answer of type “\(type)”" }
    guard let json = try? JSON(parsing: answer.body, limits: .file) else {
      return "an answer that is not JSON"
    }
    guard answer.status >= 400 else { return nil }
    guard type == "application/problem+json", case .string(let detail)? = json["detail"], !detail.isEmpty else {
      return "a problem without detail"
    }
    return nil
  }

  /// A definition file: read, or refused with faults that have a place in the file and a remedy, in the file's order.
  static func definition(_ name: String, file: String, _ seeds: [[UInt8]], _ words: [[UInt8]]) -> Door {
    Door(name: name, seeds: seeds, words: words) { bytes in
      do throws(DefinitionFaults) {
        _ = try DefinitionFile(path: file, bytes: bytes)
        return Visit(outcome: "read")
      } catch {
        return Visit(outcome: "refused", fault: fault(of: error, in: bytes).map { "\($0): \(error)" })
      }
    }
  }

  private static func fault(of refusal: DefinitionFaults, in bytes: [UInt8]) -> String? {
    // Where the file ends is the line after its last.
    let lines = 2 + bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let places = refusal.faults.map { [$0.line ?? 0, $0.column ?? 0] }
    if places.isEmpty { return "no fault" }
    if !places.allSatisfy({ (1...lines).contains($0[0]) && $0[1] >= 1 }) { return "no place in the file" }
    if zip(places, places.dropFirst()).contains(where: { $1.lexicographicallyPrecedes($0) }) { return "out of order" }
    if !refusal.faults.allSatisfy({ $0.sentence.contains("; ") }) { return "no remedy" }
    // A complaint of libyaml that has no sentence of its own yet.
    return refusal.faults.contains { $0.sentence.hasPrefix("this is not YAML (") } ? "no sentence" : nil
  }

  /// Messages to one session of `okcancel mcp`: whatever comes in, only whole messages go out, each on a line.
  static func session(_ seeds: [[UInt8]], _ words: [[UInt8]]) -> Door {
    var session = Session(Session.Host(version: "1", process: "p") { "nonce" })
    return Door(name: "session", seeds: seeds, words: words) { bytes in
      var actions = session.receive(bytes)[...], sent: [[UInt8]] = []
      while let action = actions.popFirst() {
        switch action {
        case .send(let message), .deliver(let message, _): sent.append(message.bytes)
        case .work(let id, _):
          let isMade = bytes.count.isMultiple(of: 2)
          actions += session.resume(id, with: isMade ? .ask(AskState(id: "A1", link: "http://a/a/b")) : .refused("no"))
        case .background, .tell, .stop: break
        }
      }
      let wrong = sent.first { message in
        guard !message.contains(UInt8(ascii: "\n")), let json = try? JSON(parsing: message, limits: .file) else {
          return true
        }
        return (json["method"] != nil) == (json["result"] != nil || json["error"] != nil)
      }
      return Visit(
        outcome: "\(sent.count) sent", fault: wrong.map { "no message: \(String(decoding: $0, as: UTF8.self))" })
    }
  }

  /// A pattern: refused, or used on a text.
  static func pattern(_ seeds: [[UInt8]], _ words: [[UInt8]]) -> Door {
    Door(name: "pattern", seeds: seeds, words: words) { bytes in
      let source = String(decoding: bytes, as: UTF8.self)
      do throws(PatternFault) {
        let rule = try Rule.pattern(source, ignoreCase: bytes.count.isMultiple(of: 5))
        return Visit(outcome: rule.isValid(source) ? "matches itself" : "compiled")
      } catch {
        return Visit(outcome: "refused", fault: "\(error)".isEmpty ? "no words" : nil)
      }
    }
  }

  /// Whole requests, heads too, on connections of their own: what comes of them ends when the client has ended.
  static func raw(_ seeds: [[UInt8]], _ words: [[UInt8]], to target: Target) -> Door {
    Door(name: "request", seeds: seeds, words: words) { bytes in
      guard let connection = target.connect() else { return Visit(outcome: "closed", fault: "nobody listens") }
      guard let statuses = connection.statuses(after: bytes) else { return Visit(outcome: "open", fault: "held open") }
      let wrong = statuses.first { $0 >= 500 && ![501, 505].contains($0) }
      return Visit(
        outcome: statuses.isEmpty ? "none" : statuses.map(String.init).joined(separator: " "),
        fault: wrong.map { "status \($0)" })
    }
  }
}
