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
  /// Names of the predicates that rules may ask, or `nil` if a server decides that.
  let predicates: [String]?
  /// The command line, which tells which of several fields a rule judges.
  let arguments: [String]

  func prompt() throws -> Prompt {
    if fields.isEmpty, !rules.isEmpty { throw fail(.usage, "--rule needs a --field to judge") }
    let owners = fields.count == 1 ? rules.map { _ in 0 } : Self.fieldsBeforeRules(in: arguments)
    if owners.count != rules.count || owners.contains(-1) {
      throw fail(
        .usage, "of several fields --rule judges the one before it; put it there, or give a file as --prompt")
    }
    let yaml = yaml(rules: Dictionary(grouping: zip(owners, rules), by: \.0).mapValues { $0.map(\.1) })
    do throws(DefinitionFaults) {
      return try DefinitionFile(path: "options.yaml", bytes: Array(yaml.utf8), predicates: predicates).prompt.prompt
    } catch {
      for fault in error.faults { standardError("okcancel: \(fault.sentence)") }
      throw ExitCode.usage
    }
  }

  /// For each `--rule` the index of the last `--field` before it, or -1 if there is none. ArgumentParser keeps the order
  /// of one option's values, but not between two options.
  private static func fieldsBeforeRules(in arguments: [String]) -> [Int] {
    var (field, found) = (-1, [Int]())
    for argument in arguments {
      switch argument.cut(at: "=")?.head ?? argument {
      case "--field": field += 1
      case "--rule": found.append(field)
      default: break
      }
    }
    return found
  }

  /// Field names and rules go in as they are: the reader of definitions says what is wrong with them.
  ///
  /// - Parameter rules: by the index of their field.
  private func yaml(rules: [Int: [String]]) -> String {
    var lines = ["title: \(Self.quoted(title ?? fields.first.map { "Enter \($0.cut(at: ":")?.head ?? $0)" } ?? ""))"]
    if let message { lines.append("message: \(Self.quoted(message))") }
    if !fields.isEmpty { lines.append("fields:") }
    for (place, field) in fields.enumerated() {
      let parts = field.cut(at: ":")
      lines.append("  - name: \(Self.quoted(parts?.head ?? field))")
      if let parts { lines.append("    kind: \(Self.quoted(parts.tail))") }
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
