internal import ArgumentParser
internal import Definitions
internal import Foundation
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
        findings += definition.warnings.map { Finding(level: .warning, fault: $0) }
      } catch {
        findings += error.faults.map { Finding(level: .error, fault: $0) }
      }
    }
    switch format {
    case .text:
      for each in findings {
        standardOutput((each.level == .warning ? each.fault.asWarning : each.fault.description).visible)
      }
    case .json: standardOutput(Self.json { $0.array(findings) { $0.write($1) } })
    case .github: for each in findings { standardOutput(each.annotation) }
    case .sarif: standardOutput(Self.json { $0.sarif(findings) })
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

  private static func json(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    write(&json)
    return String(decoding: json.bytes, as: UTF8.self)
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

  private static func escaped(_ text: String) -> String {
    text.visible.replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ finding: Finding) {
    let fault = finding.fault
    object { json in
      json.member("file", fault.file)
      if let line = fault.line { json.member("line", line) }
      if let column = fault.column { json.member("column", column) }
      if let end = fault.endColumn { json.member("endColumn", end) }
      json.member("what", fault.what)
      json.member("remedy", fault.remedy)
      json.member("rule", fault.rule)
      json.member("level", finding.level.rawValue)
    }
  }

  /// A log of SARIF 2.1.0 (OASIS).
  fileprivate mutating func sarif(_ findings: [Finding]) {
    object { json in
      json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      json.member("version", "2.1.0")
      json.member("runs") { json in
        json.array([findings]) { json, findings in
          json.object { json in
            json.member("tool") { json in
              json.object { json in
                json.member("driver") { json in
                  json.object { json in
                    json.member("name", "okcancel")
                    json.member("version", OKCancelServer.version)
                    json.member("rules") { json in
                      json.array(Set(findings.map(\.fault.rule)).sorted()) { json, rule in
                        json.object { $0.member("id", rule) }
                      }
                    }
                  }
                }
              }
            }
            json.member("columnKind", "unicodeCodePoints")
            json.member("results") { $0.array(findings) { $0.result($1) } }
          }
        }
      }
    }
  }

  private mutating func result(_ finding: Finding) {
    let fault = finding.fault
    object { json in
      json.member("ruleId", fault.rule)
      json.member("level", finding.level.rawValue)
      json.member("message") { json in json.object { $0.member("text", fault.sentence) } }
      json.member("locations") { json in
        json.array([fault]) { json, fault in
          json.object { json in
            json.member("physicalLocation") { json in
              json.object { json in
                json.member("artifactLocation") { json in json.object { $0.member("uri", Self.uri(of: fault.file)) } }
                guard let line = fault.line, let column = fault.column else { return }
                json.member("region") { json in
                  json.object { json in
                    json.member("startLine", line)
                    json.member("startColumn", column)
                    if let end = fault.endColumn { json.member("endColumn", end) }
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// A relative reference, or a whole URI for an absolute path (RFC 3986).
  private static func uri(of path: String) -> String {
    let allowed = CharacterSet(charactersIn: "/-._~").union(.init(charactersIn: "0"..."9"))
      .union(.init(charactersIn: "A"..."Z")).union(.init(charactersIn: "a"..."z"))
    let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }
}
