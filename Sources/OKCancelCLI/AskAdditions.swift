internal import ArgumentParser
internal import Foundation
internal import OKCancel
internal import Prompts
internal import StrictJSON

/// What `ask` adds to a prompt: initial values, what to decide on, and data that stays with the ask.
struct AskAdditions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An initial value of a field, like region=fra; repeatable, also for several values of a choices field.",
      valueName: "name=value"))
  var value: [String] = []
  @Option(
    help: ArgumentHelp(
      "A file to decide on, shown above the fields: a text, code or a diff; repeatable.", valueName: "file"),
    completion: .file())
  var context: [String] = []
  @Option(
    help: ArgumentHelp(
      "Data of yours that stays with the ask, like order=7; needs --server; repeatable.", valueName: "name=value"))
  var metadata: [String] = []

  /// Takes those of variables for options that are not given.
  mutating func takeVariables() {
    if value.isEmpty { value = Variable("value").lines }
    if context.isEmpty { context = Variable("context").lines }
    if metadata.isEmpty { metadata = Variable("metadata").lines }
  }

  func added(to prompt: Prompt) throws -> Prompt {
    var prompt = prompt
    let inputs = try Inputs(value, of: prompt.fields.map { ($0.name, $0.kind == .choices) })
    for index in prompt.fields.indices {
      prompt.fields[index].value = inputs[prompt.fields[index].name] ?? prompt.fields[index].value
    }
    let blocks = try Node(blocks())
    var reading = Reading()
    do throws(InlineFaults) { prompt.context += try reading.whole { Prompt.Context.read(blocks, &$0) } } catch {
      throw Failure.context(error)
    }
    return prompt
  }

  /// The members of `POST /asks` that say the same of a prompt of the server.
  ///
  /// - Parameter fields: of that prompt, and whether their values are lists; or `nil` if it is one of ours.
  func members(of fields: [(name: String, isList: Bool)]?) throws -> [JSON.Member] {
    var members: [JSON.Member] = []
    if !metadata.isEmpty {
      let names = metadata.compactMap { $0.cut(at: "=").map { (name: $0.head, isList: false) } }
      members.append(.init("metadata", try Self.object(metadata, of: names)))
    }
    guard let fields else { return members }
    if !value.isEmpty { members.append(.init("values", try Self.object(value, of: fields))) }
    if !context.isEmpty { members.append(.init("context", try blocks())) }
    return members
  }

  private static func object(_ texts: [String], of fields: [(name: String, isList: Bool)]) throws -> JSON {
    let inputs = try Inputs(texts, of: fields)
    return .object(
      fields.compactMap { field in
        inputs[field.name].map { input in
          .init(field.name, field.isList ? .array(input.texts.map(JSON.string)) : .string(input.text ?? ""))
        }
      })
  }

  /// The files as a prompt's context: a diff, a text, or else code in the language that the file's ending names.
  private func blocks() throws -> JSON {
    .array(
      try context.map { path in
        guard let bytes = FileManager.default.contents(atPath: path),
          let text = String(validating: bytes, as: UTF8.self)
        else { throw Failure.value(path, of: "--context", "name a file of UTF-8 text") }
        let ending = URL(filePath: path).pathExtension.lowercased()
        if ["diff", "patch"].contains(ending) || text.hasPrefix("diff --git ") { return ["diff": .string(text)] }
        if ["", "txt", "md", "log"].contains(ending) { return ["text": .string(text)] }
        return ["code": .string(text), "language": .string(ending)]
      })
  }
}

extension Inputs {
  /// Reads `name=value`, as the command line gives them.
  ///
  /// - Parameter fields: their names, and whether they take several values.
  init(_ texts: [String], of fields: [(name: String, isList: Bool)]) throws(Failure) {
    var given: [(name: String, texts: [String])] = []
    for text in texts {
      guard let (name, value) = text.cut(at: "=") else { throw Failure.noValue(text) }
      guard let field = fields.first(where: { $0.name == name }) else {
        throw Failure.noField(name, among: fields.map(\.name))
      }
      if let index = given.firstIndex(where: { $0.name == name }) {
        guard field.isList else { throw Failure.twice(name) }
        given[index].texts.append(value)
      } else {
        given.append((name, [value]))
      }
    }
    self.init(
      given.map { name, texts in
        (name, fields.contains { $0.name == name && $0.isList } ? .choices(texts) : .text(texts[0]))
      })
  }
}
