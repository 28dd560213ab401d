internal import ArgumentParser
internal import Definitions
internal import Foundation
internal import MCP
internal import OKCancel
internal import StrictJSON

/// `okcancel check FILE…`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find errors in prompt definitions.",
    discussion: """
      Prints every error as FILE:LINE:COLUMN: what is wrong; what to do. The
      translations beside a definition are checked with it.
      Warns of texts without a translation, of translations of nothing, and of
      predicates that no --predicate registers; if you give any, it is an error.
      With --strict every warning is an error.
      Exit codes: 0 no errors, 65 errors, 64 wrong usage.

      Examples:
        okcancel check Examples/*.yaml
        okcancel check --format github Prompts/*.yaml
      """)

  @Argument(
    help: "Definition files, or - for standard input.", completion: .file(extensions: ["yaml", "yml", "json"]))
  var files: [String]
  @Option(
    .word(
      "format", "How to print errors: text, json, github (annotations of a workflow) or sarif. (default: text)",
      "format")) var format: Given<Format>
  @Flag(help: "Treat every warning as an error.") var strict = false

  @OptionGroup var predicates: PredicateOptions
  @OptionGroup var language: LanguageOption

  enum Format: String, CaseIterable { case text, json, github, sarif }

  func run() throws {
    let format = try format() ?? .text
    let names = Array(try predicates.commands().keys)
    let known = names.isEmpty ? nil : names
    let own = try language.given()
    var findings: [Finding] = []
    for file in originals() {
      do throws(DefinitionFaults) {
        let definition =
          file == "-"
          ? try DefinitionFile.standardInput(predicates: known)
          : try DefinitionFile(path: file, predicates: known, in: own)
        findings += definition.warnings.map { Finding(level: strict ? .error : .warning, fault: $0) }
      } catch {
        findings += error.faults.map { Finding(level: .error, fault: $0) }
      }
    }
    switch format {
    case .text:
      for each in findings {
        standardOutput((each.level == .warning ? each.fault.asWarning : each.fault.description).visible)
      }
    case .json: standardOutput(JSON.array(findings.map(\.json)).text)
    case .github: for each in findings { standardOutput(each.annotation) }
    case .sarif: standardOutput(Self.sarif(findings).text)
    }
    if findings.contains(where: { $0.level == .error }) { throw ExitCode.definitionFault }
  }

  /// The definitions, each once: that of a translation is checked with all of its translations.
  private func originals() -> [String] {
    var originals: [String] = []
    for file in files {
      let found = TranslationFile(path: file)?.originals.first { FileManager.default.fileExists(atPath: $0) } ?? file
      if !originals.contains(found) { originals.append(found) }
    }
    return originals
  }

  /// A log of SARIF 2.1.0 (OASIS).
  private static func sarif(_ findings: [Finding]) -> JSON {
    let rules = Set(findings.map(\.fault.rule)).sorted().map { ["id": .string($0)] as JSON }
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        [
          "tool": [
            "driver": ["name": "okcancel", "version": .string(OKCancelServer.version), "rules": .array(rules)]
          ],
          "columnKind": "unicodeCodePoints",
          "results": .array(findings.map(\.sarif)),
        ]
      ],
    ]
  }
}

/// A fault of a definition, or what may be one.
private struct Finding {
  enum Level: String { case error, warning }

  let level: Level
  let fault: FileFault

  /// A workflow command of GitHub's: nothing in it may end it or begin another.
  var annotation: String {
    var properties = ["file=\(Self.property(fault.file))"]
    if let line = fault.line { properties.append("line=\(line)") }
    if let column = fault.column { properties.append("col=\(column)") }
    if let end = fault.endColumn { properties.append("endColumn=\(end)") }
    properties.append("title=\(Self.property(fault.rule))")
    return "::\(level.rawValue) \(properties.joined(separator: ","))::\(Self.escaped(fault.sentence))"
  }

  var json: JSON {
    [
      "file": .string(fault.file), "line": JSON(fault.line), "column": JSON(fault.column),
      "endColumn": JSON(fault.endColumn), "what": .string(fault.what), "remedy": .string(fault.remedy),
      "rule": .string(fault.rule), "level": .string(level.rawValue),
    ]
  }

  /// A result of SARIF.
  var sarif: JSON {
    let region: JSON = [
      "startLine": JSON(fault.line), "startColumn": JSON(fault.column), "endColumn": JSON(fault.endColumn),
    ]
    return [
      "ruleId": .string(fault.rule),
      "level": .string(level.rawValue),
      "message": ["text": .string(fault.sentence)],
      "locations": [
        [
          "physicalLocation": [
            "artifactLocation": ["uri": .string(Self.uri(of: fault.file))],
            "region": fault.line == nil || fault.column == nil ? nil : region,
          ]
        ]
      ],
    ]
  }

  /// A relative reference, or a whole URI for an absolute path (RFC 3986).
  private static func uri(of path: String) -> String {
    let allowed = CharacterSet(charactersIn: "/-._~").union(.init(charactersIn: "0"..."9"))
      .union(.init(charactersIn: "A"..."Z")).union(.init(charactersIn: "a"..."z"))
    let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }

  private static func escaped(_ text: String) -> String {
    text.visible.replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

extension JSON {
  fileprivate init?(_ integer: Int?) {
    guard let integer else { return nil }
    self = .number(String(integer))
  }

  fileprivate var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }
}
