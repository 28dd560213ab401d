internal import ArgumentParser
internal import Foundation
internal import OKCancel
internal import Prompts

/// The question of `ask`: a prompt that the options describe or name, its initial values, the material for the
/// decision, and data that stays with the ask.
struct QuestionOptions: ParsableArguments {
  @Option(.text("prompt")) var prompt
  @Option(.text("schema")) var schema
  @Option(.text("title")) var title
  @Option(.text("message")) var message
  @Option(.text("ok")) var ok
  @Option(.text("cancel")) var cancel
  @Option(.word("reason", of: Prompt.Button.Reason.self)) var reason
  @Option(repeating: .text("field")) var field
  @Flag(help: .of("optional")) var optional: Int
  @Option(repeating: .text("help-text"), isInLines: true) var helpText
  @Option(repeating: .text("rule"), isInLines: true) var rule
  @Option(repeating: .text("message-for"), isInLines: true) var messageFor
  @Option(repeating: .text("option"), isInLines: true) var option
  @Option(repeating: .text("value"), isInLines: true) var value
  @Option(repeating: .text("context"), isInLines: true) var context
  @Option(.timeZone) var timeZone
  @Option(repeating: .text("metadata"), isInLines: true) var metadata
  @Option(repeating: .id("for", read: Answerers.Entry.init(reading:))) var `for`
  @Option(repeating: .id("not-by", read: Answerers.Entry.init(reading:))) var notBy
  @Option(.id("requested-by", read: Person.id)) var requestedBy
  @Option(repeating: .text("notify")) var notify

  /// Options describe the whole question: variables only count if none is given.
  func ignoreVariablesBesideOptions() {
    let parts = [prompt, schema, title, message, ok, cancel] + field + helpText + rule + messageFor + option
    guard parts.contains(where: { $0.flag != nil }) else { return }
    for setting in parts + value + context + metadata { unsetenv(Variable(setting.name).name) }
  }

  /// The prompt to ask, or `nil` for a name that only a server knows, and if nothing is described.
  ///
  /// - Parameters:
  ///   - language: that of a prompt that names none, or `nil`.
  ///   - person: the language of the person at this terminal, or `nil` if it is not known.
  ///   - predicates: names of those that rules may ask, or `nil` if the server decides that.
  ///   - warn: told of what `check` warns of.
  func definition(
    in language: Language?, for person: Language?, hasServer: Bool, predicates: [String]?,
    warn: ([FileFault]) -> Void
  ) throws -> Prompt? {
    guard var prompt = try described(in: language, for: person, hasServer, predicates, warn) else { return nil }
    let inputs = try Inputs(value.texts, of: prompt.fields.map { ($0.name, $0.kind) })
    for index in prompt.fields.indices {
      guard let given = inputs[prompt.fields[index].name] else { continue }
      let input = given.held(as: prompt.fields[index].kind)
      if let problem = prompt.fields[index].problem(holding: input) {
        throw Failure("initial-value", ["name": prompt.fields[index].name, "problem": problem])
      }
      prompt.fields[index].value = input
    }
    prompt.context += try blocks()
    return prompt
  }

  private func described(
    in language: Language?, for person: Language?, _ hasServer: Bool, _ predicates: [String]?,
    _ warn: ([FileFault]) -> Void
  ) throws -> Prompt? {
    // Read even if this question has no use for it: a wrong one is an error.
    let timeZone = try timeZone()
    let hasTexts = [title, message].contains { $0.text != nil }
    let hasParts =
      [ok, cancel].contains { $0.text != nil } || reason.text != nil || optional > 0
      || ![field, helpText, rule, messageFor, option].allSatisfy(\.texts.isEmpty)
    if let schema = schema.text {
      guard prompt.text == nil, !hasParts else { throw Failure("schema-is-whole") }
      var (prompt, warnings) = try DefinitionFile.prompt(
        ofSchema: schema, title: title.text, message: message.text, predicates: predicates, timeZone: timeZone)
      warn(warnings)
      prompt.language = prompt.language ?? language
      return prompt
    }
    if let path = prompt.text {
      guard !hasTexts, !hasParts else { throw Failure("prompt-is-whole") }
      let isName = !path.contains("/") && !path.contains(".")
      if isName && hasServer { return nil }
      guard !isName || FileManager.default.fileExists(atPath: path) else { throw Failure("no-prompt", ["name": path]) }
      let language = language ?? .english
      let file = try DefinitionFile(path: path, predicates: predicates, in: language, timeZone: timeZone)
      warn(file.warnings)
      return file.prompt.inLanguage(language).prompt
    }
    guard title.text != nil || !field.texts.isEmpty else { return nil }
    // The author of a command line asks in their own language.
    let author = language ?? person.flatMap { Sentences(in: $0).areInLanguage ? $0 : nil } ?? .english
    var reading = Reading(predicates: predicates)
    let json = try definition(isEnglish: author == .english, &reading)
    do throws(InlineFaults) {
      var prompt = try reading.whole { Prompt(Node(inOrder: json), &$0) }
      prompt.language = author
      return prompt
    } catch { throw Failure(ofOptions: error) }
  }

  /// A definition of what the options say. Field names and rules go in as they are: the reader of definitions says what
  /// is wrong with them.
  ///
  /// - Parameter isEnglish: whether a title that is not given may be an English sentence.
  private func definition(isEnglish: Bool, _ reading: inout Reading) throws -> JSON {
    let fields = field.texts.map { text in (name: text.cut(at: ":")?.head ?? text, kind: text.cut(at: ":")?.tail) }
    let (helpTexts, rules, options) = (try byField(helpText), try byField(rule), try byField(option))
    let optionals = try group([String](repeating: "", count: optional), of: "--optional", by: "--field", fields.count)
    let (messagesByField, messages) = (
      try byField(messageFor), try group(messageFor.texts, of: "--message-for", by: "--rule", rule.texts.count)
    )
    var ruleCount = 0
    let described = try fields.enumerated().map { place, field in
      var unclaimed = messagesByField[place]?.count ?? 0
      let rules = try rules[place]?.compactMap { rule in
        let messages = messages[ruleCount] ?? []
        (ruleCount, unclaimed) = (ruleCount + 1, unclaimed - messages.count)
        return try Self.json(of: rule, messages, &reading)
      }
      // The rule before it belongs to another field.
      if unclaimed != 0 { throw Failure("no-owner", ["option": "--message-for", "owner": "--rule"]) }
      let head: JSON = [
        "name": Self.line(field.name), "kind": field.kind.map { Self.line($0) },
        "optional": optionals[place].map { _ in true },
      ]
      let options = options[place]?.map { option -> JSON in
        let (value, title) = option.cut(at: "=") ?? (option, option)
        // A program gets the value just as it has given it, or an error.
        return ["value": Self.line(value) { _ in true }, "title": Self.line(title)]
      }
      return head + .object((helpTexts[place] ?? []).map { .init("help", Self.lines($0)) })
        + ["options": options.map(JSON.array), "rules": rules.map(JSON.array)]
    }
    let first = fields.first?.name ?? ""
    let title = title.text ?? (isEnglish && !first.isEmpty ? "Enter \(first)" : first)
    let cancel = cancel.text.map { Self.line($0) }
    return [
      "title": Self.line(title), "message": message.text.map(Self.lines), "ok": ok.text.map { Self.line($0) },
      "cancel": try reason().map { ["title": cancel, "reason": .string($0.rawValue)] } ?? cancel,
      "fields": described.isEmpty ? nil : .array(described),
    ]
  }

  /// A rule is a word or a map, as in a definition; a message makes a map of it.
  ///
  /// - Returns: `nil` if what was reported leaves nothing of it.
  private static func json(of rule: String, _ messages: [String], _ reading: inout Reading) throws(Failure) -> JSON? {
    let rule = rule.split(whereSeparator: \.isNewline).joined(separator: " ")
    let json: JSON?
    do throws(Fault) { json = try Definition.value(ofYAML: rule, &reading) } catch {
      throw Failure("unreadable-rule", ["rule": rule, "why": error.sentence])
    }
    guard let json, !messages.isEmpty else { return json }
    let said = JSON.object(messages.map { .init("message", lines($0)) })
    switch json {
    case .object, .null: return json + said
    case .string(let word): return .object([.init(word, true)]) + said
    default: return json
    }
  }

  private func byField(_ option: [Setting<String?>]) throws -> [Int: [String]] {
    try group(option.texts, of: "--" + option[0].name, by: "--field", field.texts.count)
  }

  /// An option's values by the index of the value of another option that they belong to: the last one before each.
  ///
  /// - Parameter owners: how many values the other option has.
  private func group(
    _ values: [String], of option: String, by owner: String, _ owners: Int
  ) throws -> [Int: [String]] {
    if owners == 0, !values.isEmpty { throw Failure("no-owner", ["option": option, "owner": owner]) }
    var places = values.map { _ in 0 }
    if owners != 1 {
      // ArgumentParser keeps the order of one option's values, but not between two options.
      var last = -1
      places = CommandLine.arguments.prefix { $0 != "--" }.compactMap { argument in
        let name = argument.cut(at: "=")?.head ?? argument
        if name == owner { last += 1 }
        return name == option ? last : nil
      }
    }
    if places.count != values.count || places.contains(-1) {
      throw Failure("unclear-owner", ["option": option, "owner": owner])
    }
    return Dictionary(grouping: zip(places, values), by: \.0).mapValues { $0.map(\.1) }
  }

  /// A text in one line.
  ///
  /// - Parameter isKept: true for a control character that stays what it is; all others become spaces.
  private static func line(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool = { _ in false }) -> JSON {
    let scalars = text.replacing("\r\n", with: "\n").unicodeScalars.map { $0.value < 0x20 && !isKept($0) ? " " : $0 }
    return .string(String(String.UnicodeScalarView(scalars)))
  }

  /// A text that may have several lines.
  private static func lines(_ text: String) -> JSON { line(text) { $0 == "\n" || $0 == "\t" } }

  /// Adds to the question what the options say beside the prompt.
  ///
  /// - Parameter fields: of the server's prompt, or `nil` if `definition` has it all.
  func complete(_ question: inout Question, of fields: [Field]?) throws {
    let names = metadata.texts.compactMap { $0.cut(at: "=").map { (name: $0.head, kind: Field.Kind.text) } }
    let data = try Inputs(metadata.texts, of: names)
    if !names.isEmpty {
      question.metadata = Dictionary(uniqueKeysWithValues: names.map { ($0.name, data[$0.name]?.text ?? "") })
    }
    (question.for, question.notBy) = (try self.for.values(), try notBy.values())
    question.requestedBy = try requestedBy().map { Person(id: $0) }
    if !notify.texts.isEmpty { question.notify = notify.texts }
    guard let fields else { return }
    question.values = try Inputs(value.texts, of: fields.map { ($0.name, $0.kind) }).values(of: fields)
    question.context = try blocks()
  }

  private func blocks() throws(Failure) -> [Prompt.Context] {
    let blocks = try Node(ContextFile.blocks(of: context.texts.map(ContextFile.init(path:))))
    var reading = Reading()
    do throws(InlineFaults) { return try reading.whole { Prompt.Context.read(blocks, &$0) } } catch {
      throw Failure("context", ["why": error.entries.map(\.sentence).joined(separator: "; ")])
    }
  }
}

extension Inputs {
  /// Reads `name=value`, as the command line gives them.
  ///
  /// - Parameter fields: their names and kinds. The values of a `list` are its lines, as in a form, so it may be given
  ///   several times, or with line breaks; an empty value is none.
  init(_ texts: [String], of fields: [(name: String, kind: Field.Kind)]) throws(Failure) {
    var given: [String: [String]] = [:]
    for text in texts {
      guard let (name, value) = text.cut(at: "=") else { throw Failure("no-value", ["text": text]) }
      guard let field = fields.first(where: { $0.name == name }) else {
        throw Failure("no-field", ["name": name, "nearest": Nearest(to: name, among: fields.map(\.name))])
      }
      if !field.kind.isList, given[name] != nil { throw Failure("twice", ["name": name]) }
      given[name, default: []].append(value)
    }
    self.init(
      fields.compactMap { field in
        given[field.name].map { texts in
          switch field.kind {
          case .list: (field.name, .text(texts.joined(separator: "\n")))
          case .choices: (field.name, .choices(texts.filter { !$0.isEmpty }))
          default: (field.name, .text(texts[0]))
          }
        }
      })
  }
}
