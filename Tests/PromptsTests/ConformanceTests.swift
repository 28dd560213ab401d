import Foundation
import ServedFields
import TestSupport
import Testing

@testable import Prompts

/// Runs the corpus in `Tests/Conformance`, whose README says how a case is read.
@Suite struct `The conformance corpus` {
  static let directory = Repository.root.appending(path: "Tests/Conformance")

  static var files: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.filter { $0.hasSuffix(".json") && $0 != "schema.json" }.sorted()
  }

  @Test func `has a file for every rule`() {
    let missing = Rule.names.filter { !Self.files.contains("\($0).json") }
    #expect(missing == [])
  }

  /// Promise 1.2 | The server and the browser give every text the same verdict. | `make fuzz`
  /// ASVS 2.2.3 | checks across fields | `sameAs`, `compare`
  @Test(arguments: files) func `holds`(file: String) throws {
    let json = try corpus(file)
    for group in json["groups"]?.elements ?? [] { try judge(group, of: file) }
    for rewritten in json["rewritten"]?.elements ?? [] {
      #expect(try Pattern(rewritten["pattern"]?.text ?? "").source == rewritten["served"]?.text)
    }
    for refused in json["refused"]?.elements ?? [] { refuse(refused, in: file) }
    #expect((json["groups"]?.elements.count ?? 0) + (json["refused"]?.elements.count ?? 0) > 0)
  }

  private func corpus(_ file: String) throws -> JSON {
    let bytes = Array(try Data(contentsOf: Self.directory.appending(path: file)))
    return try JSON(parsing: bytes, limits: JSONLimits(depth: 64, keys: 1_000_000, string: 1 << 20))
  }

  // MARK: Verdicts

  private func judge(_ group: JSON, of file: String) throws {
    let about = "\(file), \(group["description"]?.text ?? "?")"
    let prompt = Prompt(title: "T", fields: try (group["fields"]?.elements ?? []).map { try field($0, about) })
    for (field, served) in zip(prompt.fields, group["fields"]?.elements ?? []) {
      #expect((field.decidedBy == .server) == isMarked(served), "\(about): \(field.name)")
    }
    let judged = group["field"]?.text ?? prompt.fields[0].name
    let now = now(group)
    for test in group["cases"]?.elements ?? [] {
      let inputs = inputs(of: test, for: judged)
      let shown = "\(about): \(shown(test))"
      guard let verdicts = Judge().judge(inputs, of: prompt.edition(), only: [judged], at: now).verdicts else {
        Issue.record("\(shown) is undecided")
        continue
      }
      guard let verdict = verdicts[judged] else {
        if test["applies"] == nil { Issue.record("\(shown) has no verdict here") }
        continue
      }
      if test["applies"] != nil { Issue.record("\(shown) has a verdict here") }
      switch (verdict, test["valid"]?.isTrue ?? false) {
      case (.valid, true): break
      case (.valid, false): Issue.record("\(shown) is valid here")
      case (.invalid(let rule, _), true): Issue.record("\(shown) is not valid here, by the rule \(rule)")
      case (.invalid(let rule, let message), false):
        if rule != test["rule"]?.text { Issue.record("\(shown) fails by the rule \(rule) here") }
        if message.isEmpty { Issue.record("\(shown) has no message") }
      }
    }
  }

  /// When a group is judged, if it says so.
  private func now(_ group: JSON) -> Timestamp {
    let date = group["now"]?.text.flatMap { ISO8601DateFormatter().date(from: $0) }
    return Timestamp(milliseconds: Int64((date?.timeIntervalSince1970 ?? 0) * 1000))
  }

  /// Whether some rule is marked as the server's.
  private func isMarked(_ json: JSON) -> Bool {
    switch json {
    case .object(let members): members.contains { $0.key == "decidedBy" || isMarked($0.value) }
    case .array(let elements): elements.contains(where: isMarked)
    default: false
    }
  }

  private func field(_ json: JSON, _ about: String) throws -> Field {
    var reading = Reading()
    let field = try #require(Field(served: json, &reading))
    for fault in reading.faults { Issue.record("\(about): \(fault.sentence)") }
    return field
  }

  private func inputs(of test: JSON, for field: String) -> Inputs {
    test["values"].flatMap(Inputs.init(written:)) ?? Inputs(test["text"].map { [(field, Input(written: $0))] } ?? [])
  }

  private func shown(_ test: JSON) -> String {
    String(decoding: (test["text"] ?? test["values"] ?? .null).bytes, as: UTF8.self)
  }

  // MARK: Languages

  /// Every verdict is the same, and what it says is in the language.
  @Test(arguments: files) func `holds in every language`(file: String) throws {
    let languages = Languages.offered.filter { $0 != .english }
    for group in try corpus(file)["groups"]?.elements ?? [] {
      let about = "\(file), \(group["description"]?.text ?? "?")"
      let fields = try (group["fields"]?.elements ?? []).map { try field($0, about) }
      let judged = group["field"]?.text ?? fields[0].name
      let english = Prompt(title: "T", fields: fields).edition()
      let others = languages.map { ($0, Prompt(title: "T", language: $0.tag, fields: fields).edition()) }
      for test in group["cases"]?.elements ?? [] where test["valid"]?.isTrue == false {
        let inputs = inputs(of: test, for: judged)
        let said = verdict(on: inputs, by: english, only: judged, at: now(group))
        for (language, other) in others {
          guard case .invalid(_, let said)? = said,
            case .invalid(let rule, let message)? = verdict(on: inputs, by: other, only: judged, at: now(group))
          else {
            Issue.record("\(about): \(shown(test)) is valid in \(language)")
            continue
          }
          if rule != test["rule"]?.text { Issue.record("\(about): \(shown(test)) fails by the rule \(rule)") }
          if message.isEmpty || message == said { Issue.record("\(about): \(language) says “\(message)”") }
        }
      }
    }
  }

  private func verdict(on inputs: Inputs, by edition: Edition, only judged: String, at now: Timestamp) -> Verdict? {
    Judge().judge(inputs, of: edition, only: [judged], at: now).verdicts?[judged]
  }

  // MARK: Refused patterns

  private func refuse(_ refused: JSON, in file: String) {
    guard let source = refused["pattern"]?.corpusText else {
      Issue.record("\(file): a refused case has no pattern")
      return
    }
    do {
      _ = try Pattern(source, ignoreCase: refused["ignoreCase"]?.isTrue ?? false)
      Issue.record("\(file): \(source) is accepted here")
    } catch {
      if case .number(let column)? = refused["column"], Int(column) != error.column {
        Issue.record("\(file): \(source) is refused at column \(error.column) here, not \(column)")
      }
    }
  }
}
