internal import ArgumentParser
internal import Definitions
internal import OKCancel

/// A prompt from the options of `ask`, read like a definition file, so that it has the same faults.
struct AskOptions {
  let title: String?
  let message: String?
  /// `name[:kind]`
  let fields: [String]
  /// As YAML.
  let rules: [String]
  /// `value[=title]`
  let options: [String]
  /// Names of the predicates that rules may ask, or `nil` if a server decides that.
  let predicates: [String]?
  /// The command line, which tells which of several fields a rule or option belongs to.
  let arguments: [String]

  /// - Parameter isEnglish: whether a title that is not given may be an English sentence.
  func prompt(isEnglish: Bool) throws -> Prompt {
    let name = fields.first.map { $0.cut(at: ":")?.head ?? $0 } ?? ""
    let title = title ?? (isEnglish && !name.isEmpty ? "Enter \(name)" : name)
    let yaml = yaml(title, rules: try owned(rules, by: "--rule"), options: try owned(options, by: "--option"))
    do throws(DefinitionFaults) {
      return try DefinitionFile(path: "options.yaml", bytes: Array(yaml.utf8), predicates: predicates).prompt.prompt
    } catch {
      for fault in error.faults { standardError("okcancel: \(fault.sentence)") }
      throw ExitCode.usage
    }
  }

  /// The values of an option by the index of the field that they belong to: the last `--field` before each of them.
  private func owned(_ values: [String], by option: String) throws -> [Int: [String]] {
    if fields.isEmpty, !values.isEmpty { throw fail(.usage, "\(option) needs a --field before it") }
    var owners = values.map { _ in 0 }
    if fields.count != 1 {
      // ArgumentParser keeps the order of one option's values, but not between two options.
      var field = -1
      owners = arguments.compactMap { argument in
        let name = argument.cut(at: "=")?.head ?? argument
        if name == "--field" { field += 1 }
        return name == option ? field : nil
      }
    }
    if owners.count != values.count || owners.contains(-1) {
      throw fail(
        .usage, "of several fields \(option) belongs to the one before it; put it there, or give a file as --prompt")
    }
    return Dictionary(grouping: zip(owners, values), by: \.0).mapValues { $0.map(\.1) }
  }

  /// Field names and rules go in as they are: the reader of definitions says what is wrong with them.
  ///
  /// - Parameter rules: by the index of their field, as the options are.
  private func yaml(_ title: String, rules: [Int: [String]], options: [Int: [String]]) -> String {
    var lines = ["title: \(Self.quoted(title))"]
    if let message { lines.append("message: \(Self.quoted(message))") }
    if !fields.isEmpty { lines.append("fields:") }
    for (place, field) in fields.enumerated() {
      let parts = field.cut(at: ":")
      lines.append("  - name: \(Self.quoted(parts?.head ?? field))")
      if let parts { lines.append("    kind: \(Self.quoted(parts.tail))") }
      if options[place] != nil { lines.append("    options:") }
      for option in options[place] ?? [] {
        let parts = option.cut(at: "=") ?? (option, option)
        lines.append("      - {value: \(Self.quoted(parts.head)), title: \(Self.quoted(parts.tail))}")
      }
      if rules[place] != nil { lines.append("    rules:") }
      for rule in rules[place] ?? [] {
        lines.append("      - \(rule.split(whereSeparator: \.isNewline).joined(separator: " "))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A YAML scalar in single quotes; line breaks and control characters become spaces.
  private static func quoted(_ text: String) -> String {
    let clean = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    return "'" + clean.replacing("'", with: "''") + "'"
  }
}
