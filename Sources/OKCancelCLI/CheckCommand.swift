internal import ArgumentParser
internal import Foundation
internal import OKCancel
internal import Prompts

/// `okcancel check FILE…`
struct CheckCommand: Command {
  @Argument(help: .of("check.files"), completion: .file(extensions: ["yaml", "yml", "json"])) var files: [String]
  @Option(.word("check.format", of: Format.self), default: .text) var format
  @Flag("strict") var strict
  @Option(.text("check.title")) var title

  @OptionGroup var predicates: PredicateOptions
  @Option(.language("language"), inWords: Configuration().language) var language
  @Option(.timeZone) var timeZone

  enum Format: String, CaseIterable { case text, json, github, sarif }

  func run() throws {
    let (format, names, authorLanguage) = try Failure.Collected().reading {
      (try self.format(), Array(try predicates.commands().keys), try language() ?? .english)
    }
    let (known, timeZone) = (names.isEmpty ? nil : names, try timeZone())
    var findings: [CheckFinding] = []
    for file in originals() {
      do throws(DefinitionFaults) {
        let definition =
          file == "-"
          ? try DefinitionFile.standardInput(predicates: known, in: authorLanguage)
          : try DefinitionFile(
            path: file, title: title.text, predicates: known, in: authorLanguage, timeZone: timeZone)
        findings += definition.warnings.map { CheckFinding(level: strict ? .error : .warning, fault: $0) }
      } catch {
        findings += error.faults.map { CheckFinding(level: .error, fault: $0) }
      }
    }
    switch format {
    case .text:
      for each in findings {
        try standardOutput((each.level == .warning ? each.fault.asWarning : each.fault.description).revealed)
      }
    case .json: try standardOutput(JSON.array(findings.map(\.json)).text)
    case .github: for each in findings { try standardOutput(each.annotation) }
    case .sarif: try standardOutput(Self.sarif(findings).text)
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
  private static func sarif(_ findings: [CheckFinding]) -> JSON {
    let rules = Set(findings.map(\.fault.rule)).sorted().map { ["id": .string($0)] as JSON }
    let driver: JSON = ["name": "okcancel", "version": .string(OKCancelServer.version), "rules": .array(rules)]
    let run: JSON = [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .array(findings.map(\.sarif)),
    ]
    return ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
  }
}

/// A fault of a definition, or what may be one.
private struct CheckFinding {
  enum Level: String { case error, warning }

  let level: Level
  let fault: FileFault

  /// A workflow command of GitHub's: nothing in it may end it or begin another.
  var annotation: String {
    let place = [("line", fault.line), ("col", fault.column), ("endColumn", fault.endColumn)]
    let properties =
      ["file=\(Self.property(fault.file))"] + place.compactMap { name, number in number.map { "\(name)=\($0)" } }
      + ["title=\(Self.property(fault.rule))"]
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
    let place: JSON = [
      "artifactLocation": ["uri": .string(Self.uri(of: fault.file))],
      "region": fault.line == nil || fault.column == nil ? nil : region,
    ]
    return [
      "ruleId": .string(fault.rule), "level": .string(level.rawValue), "message": ["text": .string(fault.sentence)],
      "locations": [["physicalLocation": place]],
    ]
  }

  /// A relative reference, or a whole URI for an absolute path (RFC 3986).
  private static func uri(of path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + path.percentEncoded(except: "A-Za-z0-9/._~-")
  }

  private static func escaped(_ text: String) -> String { text.revealed.percentEncoded(except: "^%\n") }
  private static func property(_ text: String) -> String { text.revealed.percentEncoded(except: "^%\n:,") }
}

extension JSON {
  fileprivate init?(_ integer: Int?) {
    guard let integer else { return nil }
    self = .number(String(integer))
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
