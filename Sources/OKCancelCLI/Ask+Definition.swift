internal import ArgumentParser
internal import Definitions
internal import Foundation
internal import OKCancel

extension Ask {
  /// The prompt that the options or a file describe, or `nil` for a name that only a server knows.
  ///
  /// - Parameter predicates: names of those that rules may ask, or `nil` if the server decides that.
  func definition(for person: Language?, predicates: [String]?) throws -> Prompt? {
    let given = try language.language()
    let hasParts = ok != nil || cancel != nil || !field.isEmpty || !rule.isEmpty || !option.isEmpty
    if let schema {
      guard prompt == nil, !hasParts else { throw Failure.schemaIsWhole }
      var prompt = try DefinitionFile.prompt(ofSchema: schema, title: title, message: message, predicates: predicates)
      prompt.language = prompt.language ?? given
      return prompt
    }
    if let prompt {
      guard title == nil, message == nil, !hasParts else { throw Failure.promptIsWhole }
      let isName = !prompt.contains("/") && !prompt.contains(".")
      if isName && server.text != nil { return nil }
      guard !isName || FileManager.default.fileExists(atPath: prompt) else { throw Failure.noPrompt(prompt) }
      return try DefinitionFile(path: prompt, predicates: predicates).prompt.inLanguage(given ?? .english).prompt
    }
    guard title != nil || !field.isEmpty else { return nil }
    // The author of a command line asks in their own language.
    let own = given ?? person.flatMap { Sentences(in: $0).areInLanguage ? $0 : nil } ?? .english
    let yaml = try yaml(isEnglish: own == .english)
    do throws(DefinitionFaults) {
      let file = try DefinitionFile(path: "options.yaml", bytes: Array(yaml.utf8), predicates: predicates)
      var prompt = file.prompt.prompt
      prompt.language = own
      return prompt
    } catch { throw Failure.options(error) }
  }

  /// A definition of what the options say. Field names and rules go in as they are: the reader of definitions says what
  /// is wrong with them.
  ///
  /// - Parameter isEnglish: whether a title that is not given may be an English sentence.
  private func yaml(isEnglish: Bool) throws -> String {
    let (rules, options) = (try owned(rule, by: "--rule"), try owned(option, by: "--option"))
    let first = field.first.map { $0.cut(at: ":")?.head ?? $0 } ?? ""
    let title = title ?? (isEnglish && !first.isEmpty ? "Enter \(first)" : first)
    var lines = ["title: \(Self.quoted(title))"]
    for (key, text) in [("message", message), ("ok", ok), ("cancel", cancel)] {
      if let text { lines.append("\(key): \(Self.quoted(text))") }
    }
    if !field.isEmpty { lines.append("fields:") }
    for (place, field) in field.enumerated() {
      let parts = field.cut(at: ":")
      lines.append("  - name: \(Self.quoted(parts?.head ?? field))")
      if let parts { lines.append("    kind: \(Self.quoted(parts.tail))") }
      if options[place] != nil { lines.append("    options:") }
      for option in options[place] ?? [] {
        let (value, title) = option.cut(at: "=") ?? (option, option)
        lines.append("      - {value: \(Self.quoted(value)), title: \(Self.quoted(title))}")
      }
      if rules[place] != nil { lines.append("    rules:") }
      for rule in rules[place] ?? [] {
        lines.append("      - \(rule.split(whereSeparator: \.isNewline).joined(separator: " "))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The values of an option by the index of the field that they belong to: the last `--field` before each of them.
  private func owned(_ values: [String], by option: String) throws -> [Int: [String]] {
    if field.isEmpty, !values.isEmpty { throw Failure.noField(before: option) }
    var owners = values.map { _ in 0 }
    if field.count != 1 {
      // ArgumentParser keeps the order of one option's values, but not between two options.
      var last = -1
      owners = CommandLine.arguments.compactMap { argument in
        let name = argument.cut(at: "=")?.head ?? argument
        if name == "--field" { last += 1 }
        return name == option ? last : nil
      }
    }
    if owners.count != values.count || owners.contains(-1) { throw Failure.unclearField(of: option) }
    return Dictionary(grouping: zip(owners, values), by: \.0).mapValues { $0.map(\.1) }
  }

  /// A YAML scalar in single quotes; line breaks and control characters become spaces.
  private static func quoted(_ text: String) -> String {
    let clean = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    return "'" + clean.replacing("'", with: "''") + "'"
  }
}
