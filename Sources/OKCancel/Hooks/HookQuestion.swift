internal import Platform
internal import Prompts

/// A decision that a coding agent wants from a person.
package struct HookQuestion: Sendable {
  /// The tool with which Claude Code asks people.
  static let questionTool = "AskUserQuestion"

  /// The tool with which Claude Code asks to carry out a plan.
  private static let planTool = "ExitPlanMode"

  /// The kind of question, which decides how the answer is written.
  enum Kind {
    /// May the agent make a call?
    case permission
    /// The agent's own questions, as it asked them, and each as the dialog's fields have it, in order.
    case questions([JSON], texts: [String])
    /// The form of an MCP server.
    case form(schema: JSON, message: String)
  }

  let call: HookCall
  let kind: Kind
  /// True if it is asked whether a call may be made.
  var isPermission: Bool { if case .permission = kind { true } else { false } }
  let folder: String?
  private let input: JSON
  /// The offers to allow more calls like this one.
  var suggestions: [HookSuggestion] = []

  /// - Parameter omitted: called with the reason for each suggestion that a person is not offered.
  /// - Throws: why nobody can be asked what the event asks.
  init(ofCall event: HookEvent.Members, omitted: (_ why: String) -> Void) throws(PlainError) {
    guard let call = event.call, let input = event.input else {
      throw PlainError("its tool or input is missing, or too long")
    }
    self.call = call
    self.input = input
    folder = event.folder
    guard input.isShownAsItIs else { throw PlainError("a carriage return in it could hide something") }
    guard call.agent.host == .claude, call.tool == Self.questionTool else {
      kind = .permission
      // Nobody can approve a plan that they do not see: it may be in a file.
      if isAboutPlan, Reading.isBlank(input.text("plan") ?? "") { throw PlainError("its plan is in a file") }
      if !isAboutPlan { suggestions = HookSuggestion.offered(by: event, omitted: omitted) }
      return
    }
    guard case .array(let questions)? = input["questions"], (1...10).contains(questions.count) else {
      throw PlainError("it does not have 1 to 10 questions")
    }
    let texts = questions.compactMap { $0.text("question") }
    // Answers stand under their questions.
    guard texts.count == questions.count, TextSet(texts).count == texts.count else {
      throw PlainError("its questions have no text, or the same")
    }
    kind = .questions(questions, texts: texts)
  }

  private var isAboutPlan: Bool { call.agent.host == .claude && call.tool == Self.planTool }

  /// - Throws: as the other.
  init(ofForm event: HookEvent.Members) throws(PlainError) {
    guard event.json["mode"] == nil || event.json.text("mode") == "form" else { throw PlainError("it is not a form") }
    guard let server = event.json.text("mcp_server_name"),
      let message = event.json.text("message"), case .object? = event.json["requested_schema"],
      let schema = event.json["requested_schema"]
    else { throw PlainError("its server, message or schema is missing, or too long") }
    input = ["message": .string(message), "schema": schema]
    call = HookCall(event.agent, server, input)
    kind = .form(schema: schema, message: message)
    folder = event.folder
  }
}

// MARK: Asking

extension HookQuestion {
  /// The question as `POST /asks` takes it.
  func body(in sentences: Sentences) -> JSON {
    let host = call.agent.host
    let metadata: JSON = [
      "host": .string(host.rawValue), "session": .string(call.agent.session), "tool": .string(call.tool),
    ]
    var context: [JSON] = [table()]
    let question: JSON
    switch kind {
    case .permission:
      context = material
      question = [
        "definition": [
          "title": .string("\(host.name): \(call.tool)"),
          "fields": suggestions.isEmpty ? nil : [choice(in: sentences)], "ok": .string(sentences(.allow)),
          "cancel": ["title": .string(sentences(.deny)), "reason": "optional"],
        ]
      ]
    case .questions(let questions, _):
      let names = questions.map { questions.count == 1 ? "" : ($0.text("header") ?? $0.text("question") ?? "") + ": " }
      let previews = zip(questions, names).flatMap { Self.previews(of: $0, under: $1) }
      let rest = zip(questions, names).flatMap { Self.rest(of: $0, under: $1) }
      context = previews + [table(of: rows(besides: ["questions"]) + rest)]
      let headers = questions.compactMap { $0.text("header") }.filter { !$0.isEmpty }
      question = [
        "definition": [
          "title": .string(headers.isEmpty ? host.name : headers.joined(separator: " · ")),
          "fields": .array(questions.enumerated().flatMap { Self.fields($1, at: $0, in: sentences) }),
          "cancel": ["reason": "optional"],
        ]
      ]
    case .form(let schema, let message):
      let extras = schema["x-okcancel"] ?? [:]
      func button(_ role: String) -> JSON { ["title": extras.text(role).map(JSON.string), "role": .string(role)] }
      let buttons: JSON = [
        ["title": .string(sentences(.deny)), "role": "action", "name": "decline", "validates": false],
        button("cancel"), button("ok"),
      ]
      // The server's name and its message stand in their places.
      let texts = ["title", "description"].compactMap { key in schema[key].map { Self.row(key, $0) } }
      context = [table(of: texts)]
      let others = JSON.object(extras.members.filter { !["ok", "cancel"].contains($0.key) })
      let own =
        JSON.object(schema.members.filter { $0.key != "x-okcancel" })
        + ["x-okcancel": others + ["buttons": buttons]]
      question = ["schema": own, "title": .string("\(host.name): \(call.tool)"), "message": .string(message)]
    }
    return question + ["context": .array(context.map(\.withReturns)), "metadata": ["hook": metadata]]
  }

  /// The choice of what is allowed, if more than this call can be.
  private func choice(in sentences: Sentences) -> JSON {
    let once: JSON = ["value": .string(Self.once), "title": .string(sentences(.onlyThisTime))]
    return [
      "name": .string(Field.suggestions), "kind": "choice", "label": .string(sentences(.whatIsAllowed)),
      "value": .string(Self.once), "options": .array([once] + suggestions.map { $0.option(in: sentences) }),
    ]
  }

  private static let once = "once"

  /// The field of a question, and one for an answer that is none of the options.
  private static func fields(_ question: JSON, at index: Int, in sentences: Sentences) -> [JSON] {
    let text = question.text("question") ?? ""
    let isLabel = text.unicodeScalars.count <= 200 && !text.unicodeScalars.contains("\n")
    let isOfSeveral = if case .bool(true)? = question["multiSelect"] { true } else { false }
    let (name, title) = (JSON.string(name(ofField: index)), JSON.string(sentences(.ownWords)))
    let own = JSON.string(ownWords(for: question))
    // An option whose label is no text makes the definition a wrong one, so that nobody is asked; so do no options.
    var options = options(of: question).map { option -> JSON in
      ["value": option.text("label").map(JSON.string) ?? .null, "help": option["description"]]
    }
    if !options.isEmpty { options.append(["value": own, "title": title]) }
    return [
      [
        "name": name, "kind": isOfSeveral ? "choices" : "choice",
        "label": isLabel ? .string(text) : question["header"] ?? .string("\(index + 1)"),
        "help": isLabel ? nil : .string(text), "options": .array(options), "required": true,
      ],
      [
        "name": .string(Self.name(ofWords: index)), "kind": "multiline", "label": title, "required": true,
        "when": ["field": name, "oneOf": [own]],
      ],
    ]
  }

  fileprivate static func name(ofField index: Int) -> String { "question\(index + 1)" }
  fileprivate static func name(ofWords index: Int) -> String { "words\(index + 1)" }

  /// The value of the option for an answer in one's own words: it is no label.
  fileprivate static func ownWords(for question: JSON) -> String {
    let labels = TextSet(options(of: question).compactMap { $0.text("label") })
    var value = "other"
    while labels.contains(value) { value += "-" }
    return value
  }

  // MARK: Context

  /// The text of a command or a file, in the order in which one of them is looked for.
  private static let texts = [("command", "sh"), ("content", nil), ("file_text", nil)]
  /// The members of an edit: the text that goes, and the one that comes.
  private static let edits = [("old_string", "new_string"), ("old_str", "new_str")]

  /// All that is known of a call: the command or the change, and the rest as a table.
  private var material: [JSON] {
    if isAboutPlan, let plan = input.text("plan") {
      return [["markdown": .string(plan)], table(of: rows(besides: ["plan"]))]
    }
    for (key, language) in Self.texts {
      // An empty one stands in the table, where it can be seen.
      guard let text = input.text(key), !text.isEmpty else { continue }
      return [["code": .string(text), "language": language.map(JSON.string)], table(of: rows(besides: [key]))]
    }
    for (old, new) in Self.edits {
      // One edit, or several of one file.
      let several: [JSON]? = if case .array(let edits)? = input["edits"] { edits } else { nil }
      let diffs = (several ?? [input]).compactMap { edit -> JSON? in
        guard let removed = edit.text(old), let added = edit.text(new) else { return nil }
        return ["diff": .string(Self.diff(removed, added))]
      }
      guard !diffs.isEmpty, diffs.count == (several?.count ?? 1) else { continue }
      let others = (several ?? []).enumerated().flatMap { index, edit in
        Self.rows(of: edit, besides: [old, new], under: "edits \(index + 1): ")
      }
      return diffs + [table(of: rows(besides: several == nil ? [old, new] : ["edits"]) + others)]
    }
    return [table(of: rows(besides: []))]
  }

  /// The members of the tool's input besides these.
  private func rows(besides shown: [String]) -> [JSON] { Self.rows(of: input, besides: shown) }

  private static func rows(of object: JSON, besides shown: [String], under name: String = "") -> [JSON] {
    object.members.filter { !shown.contains($0.key) }.map { row(name + $0.key, $0.value) }
  }

  /// The tool, the folder and these rows; in cells, so that no text can pass for another.
  private func table(of rows: [JSON] = []) -> JSON {
    var known: [JSON] = folder.map { [["cwd", .string($0)]] } ?? []
    if let subagent = call.agent.subagent { known.append(["agent_id", .string(subagent)]) }
    return ["table": ["columns": ["tool", .string(call.tool)], "rows": .array(known + rows)]]
  }

  private static func row(_ name: String, _ value: JSON) -> JSON {
    let text = if case .string(let text) = value { text } else { String(decoding: value.bytes, as: UTF8.self) }
    return [.string(name), .string(text)]
  }

  /// What each option of a question looks like, under its label.
  ///
  /// - Parameter name: what tells the question from others, before the label.
  private static func previews(of question: JSON, under name: String) -> [JSON] {
    options(of: question).flatMap { option -> [JSON] in
      guard let label = option.text("label"), let preview = option.text("preview"), !preview.isEmpty else { return [] }
      return [["text": .string(name + label)], ["code": .string(preview)]]
    }
  }

  /// The members of a question and its options that neither a field nor a preview shows, as rows.
  private static func rest(of question: JSON, under name: String) -> [JSON] {
    let own = question.members.filter { member in
      switch (member.key, member.value) {
      case ("question", _), ("options", _), ("header", .string), ("multiSelect", .bool): false
      default: true
      }
    }
    return own.map { row(name + $0.key, $0.value) }
      + options(of: question).flatMap { option in
        option.members.filter { member in
          if case .string(let text) = member.value, member.key == "preview", !text.isEmpty { return false }
          return !["label", "description"].contains(member.key)
        }.map { row("\(name)\(option.text("label") ?? ""): \($0.key)", $0.value) }
      }
  }

  private static func options(of question: JSON) -> [JSON] {
    if case .array(let options)? = question["options"] { options } else { [] }
  }

  /// The lines that are removed and added, between those that stay.
  private static func diff(_ old: String, _ new: String) -> String {
    func lines(_ text: String) -> [Substring.UnicodeScalarView] {
      text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let (old, new) = (lines(old), lines(new))
    let same = zip(old, new).prefix { $0.elementsEqual($1) }.count
    let rest = zip(old.dropFirst(same).reversed(), new.dropFirst(same).reversed()).prefix { $0.elementsEqual($1) }.count
    let parts = [
      (" ", old.prefix(same)), ("-", old.dropFirst(same).dropLast(rest)), ("+", new.dropFirst(same).dropLast(rest)),
      (" ", old.suffix(rest)),
    ]
    return parts.flatMap { mark, lines in lines.map { mark + String($0) } }.joined(separator: "\n")
  }
}

extension JSON {
  /// The same with each carriage return written out in its texts, since a dialog shows none.
  fileprivate var withReturns: JSON {
    switch self {
    case .string(let text):
      let parts = text.unicodeScalars.split(separator: "\r", omittingEmptySubsequences: false)
      return .string(parts.map { String($0) }.joined(separator: "⟨U+000D⟩"))
    case .array(let elements): return .array(elements.map(\.withReturns))
    case .object(let members): return .object(members.map { Member($0.key, $0.value.withReturns) })
    default: return self
    }
  }

  /// True if a dialog shows every text in it as it is: a carriage return would look like a line feed.
  fileprivate var isShownAsItIs: Bool {
    switch self {
    case .string(let text):
      let scalars = Array(text.unicodeScalars)
      return scalars.indices.allSatisfy { scalars[$0] != "\r" || $0 + 1 < scalars.count && scalars[$0 + 1] == "\n" }
    case .array(let elements): return elements.allSatisfy(\.isShownAsItIs)
    case .object(let members): return members.allSatisfy(\.value.isShownAsItIs)
    default: return true
    }
  }
}

// MARK: Deciding

extension HookQuestion {
  /// A model repeats a call that was denied without a word.
  private static let denial = "The person denied this. Do not try it again; ask them how to go on."

  /// The decision for the host, or `nil` if nobody has decided. Only what a person answered is a decision.
  func decision(after ended: Ended) -> [UInt8]? {
    guard ended.by?.way != .test else { return nil }
    switch (kind, ended.outcome) {
    case (.form, .ok(let values)): return elicited("accept", values)
    case (.form, .action("decline", _)): return elicited("decline")
    case (.form, .cancelled): return elicited("cancel")
    case (.permission, .ok(let values)):
      // Claude Code ignores a plain `allow` of a plan.
      if isAboutPlan { return decided("allow", ["updatedInput": input]) }
      guard case .text(let chosen)? = values[Field.suggestions], chosen != Self.once else { return decided("allow") }
      // Byte by byte: Swift takes texts for the same that differ in code points.
      guard let suggestion = suggestions.first(where: { $0.value.utf8.elementsEqual(chosen.utf8) }) else { return nil }
      return decided("allow", ["updatedPermissions": [suggestion.json]])
    case (.questions(let questions, let texts), .ok(let values)):
      var answers: [JSON.Member] = []
      for (index, text) in texts.enumerated() {
        let own = Self.ownWords(for: questions[index])
        let words: String? = if case .text(let words)? = values[Self.name(ofWords: index)] { words } else { nil }
        let labels: [String]
        switch values[Self.name(ofField: index)] {
        case .text(let label)?: labels = [label]
        case .choices(let chosen)?: labels = chosen
        default: return nil
        }
        answers.append(.init(text, .string(labels.map { $0 == own ? words ?? "" : $0 }.joined(separator: ", "))))
      }
      let given = JSON.object(input.members.filter { $0.key != "answers" })
      return decided("allow", ["updatedInput": given + ["answers": .object(answers)]])
    case (.permission, .cancelled(let reason)), (.questions, .cancelled(let reason)):
      return decided("deny", ["message": .string(reason ?? Self.denial)])
    case (_, .action), (_, .expired), (_, .withdrawn): return nil
    }
  }

  /// True if a server's decision gives the host no permission but one that it suggested.
  package func isAnswered(by decision: [UInt8]) -> Bool {
    guard let json = try? JSON(parsing: decision, limits: .file) else { return false }
    guard let given = json["hookSpecificOutput"]?["decision"]?["updatedPermissions"] else { return true }
    return suggestions.contains { JSON.array([$0.json]).bytes == given.bytes }
  }

  private func decided(_ behavior: String, _ more: JSON = [:]) -> [UInt8] {
    let decision: JSON = ["behavior": .string(behavior)] + more
    if call.agent.host == .copilot { return decision.bytes }
    return Self.output("PermissionRequest", ["decision": decision])
  }

  private func elicited(_ action: String, _ values: Values? = nil) -> [UInt8] {
    Self.output("Elicitation", ["action": .string(action), "content": values?.json])
  }

  private static func output(_ event: String, _ members: JSON) -> [UInt8] {
    let output: JSON = ["hookSpecificOutput": ["hookEventName": .string(event)] + members]
    return output.bytes
  }
}
