internal import ArgumentParser
internal import Definitions
internal import OKCancel

/// A prompt from the options of `ask`, read as a definition file is, so that it has the same faults.
struct AskOptions {
  let title: String?
  let message: String?
  /// `name[:kind]`
  let fields: [String]
  /// Rules of the last field, as YAML.
  let rules: [String]

  func prompt() throws -> Prompt {
    if fields.isEmpty, !rules.isEmpty { throw fail(.usage, "--rule needs a --field to judge") }
    if fields.count > 1, !rules.isEmpty {
      throw fail(
        .usage, "--rule belongs to the only --field; for more fields write a definition file and give it as --prompt")
    }
    do throws(DefinitionFaults) {
      return try DefinitionFile(path: "options.yaml", bytes: Array(yaml.utf8)).prompt.prompt
    } catch {
      for fault in error.faults { standardError("okcancel: \(fault.sentence)") }
      throw ExitCode.usage
    }
  }

  /// Field names and rules go in as they are: what is wrong with them is for the reader to say.
  private var yaml: String {
    var lines = ["title: \(Self.quoted(title ?? fields.first.map { "Enter \($0.prefix { $0 != ":" })" } ?? ""))"]
    if let message { lines.append("message: \(Self.quoted(message))") }
    if !fields.isEmpty { lines.append("fields:") }
    for field in fields {
      let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      lines.append("  - name: \(Self.quoted(parts[0]))")
      if parts.count == 2 { lines.append("    kind: \(Self.quoted(parts[1]))") }
      if !rules.isEmpty { lines.append("    rules:") }
      for rule in rules { lines.append("      - \(rule.split(separator: "\n").joined(separator: " "))") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A YAML scalar in single quotes, whatever is in the text; line breaks and controls as spaces.
  private static func quoted(_ text: String) -> String {
    let clean = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    return "'" + clean.replacing("'", with: "''") + "'"
  }
}
