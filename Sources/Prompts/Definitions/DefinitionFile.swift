internal import Foundation
internal import Platform

extension NamedPrompt {
  /// The prompt of a definition file, under the file's name.
  ///
  /// - Parameter file: the path of a `.yaml`, `.yml` or `.json` file of at most 1 MiB. Its translations are read from the
  ///   files beside it that are named like `email.de.yaml`.
  /// - Throws: `DefinitionFaults` with every fault of the files.
  public static func read(file: String) throws(DefinitionFaults) -> NamedPrompt {
    try DefinitionFile(path: file).prompt
  }

  /// The prompts of all definition files in a folder, sorted by name. Hidden files, files with other extensions and
  /// folders below it are ignored.
  ///
  /// - Throws: `DefinitionFaults` with every fault of every file.
  public static func read(folder: String) throws(DefinitionFaults) -> [NamedPrompt] {
    try read(folder: folder, predicates: nil, in: nil)
  }
}

extension Prompt {
  /// The prompt of a definition in YAML or, if it begins with a brace, JSON.
  ///
  /// ```swift
  /// let prompt = try Prompt(definition: "title: Your name\nfields: [{name: name, rules: [nonEmpty]}]")
  /// ```
  ///
  /// - Throws: `DefinitionFaults` with every fault of the text, by line and column.
  public init(definition: String) throws(DefinitionFaults) {
    self = try DefinitionFile(text: Array(definition.utf8), of: "definition").prompt.prompt
  }

  /// The prompt of a JSON Schema (2020-12) of an object: a field for each property.
  ///
  /// Every answer is valid by that schema, and typed as it says. What a dialog cannot say exactly is a fault.
  ///
  /// - Parameters:
  ///   - schema: JSON.
  ///   - title: what the dialog asks, or `nil` for the schema's title.
  ///   - message: text under the title, or `nil` for the schema's description.
  /// - Throws: `DefinitionFaults` with every fault of the schema, by line and column.
  public init(schema: String, title: String? = nil, message: String? = nil) throws(DefinitionFaults) {
    self = try DefinitionFile.prompt(ofSchema: "schema", Array(schema.utf8), title: title, message: message).prompt
  }
}

extension CannedAnswer {
  /// The answers in a YAML or JSON file, by the name or title of a prompt.
  ///
  /// - Throws: `DefinitionFaults` with every fault of the file.
  package static func read(file: String) throws(DefinitionFaults) -> [String: [CannedAnswer]] {
    let suffix = file.hasSuffix(".json") ? "json" : "yaml"
    return try DefinitionFile.read(
      DefinitionFile.bytes(of: file), as: suffix, of: file, ifEmpty: CannedAnswer.contents
    ) { read($0, &$1) }.value
  }
}

/// A prompt read from its definition file, under the file's name.
package struct DefinitionFile: Sendable {
  /// The endings of a definition file's name, after the prompt's name.
  static let extensions = ["yaml", "yml", "json"]
  /// What to write into an empty one.
  static let beginning = FaultRow("write-beginning")

  /// The prompt, named as the file is without its extension, with its translations.
  package let prompt: NamedPrompt
  /// Warnings, such as texts without a translation.
  package let warnings: [FileFault]

  /// Reads a file and the translations beside it.
  ///
  /// - Parameters:
  ///   - path: a `.yaml`, `.yml` or `.json` file of at most 1 MiB.
  ///   - title: what the dialog asks, for a JSON Schema, or `nil` for the schema's title.
  ///   - predicates: names of those that rules may ask, besides the built-in ones. Others are faults or, if it is `nil`,
  ///     warnings.
  ///   - language: that of a definition that names none, if it is known.
  /// - Throws: `DefinitionFaults` with every fault of the files.
  package init(
    path: String, title: String? = nil, predicates: [String]? = nil, in language: Language? = nil,
    timeZone: Field.TimeZone? = nil
  ) throws(DefinitionFaults) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    let translations = names.sorted().compactMap { TranslationFile(path: folder + $0) }
    if let translation = translations.first(where: { $0.path == path }) { throw translation.orphaned }
    try self.init(
      path: path, bytes: nil, title: title, predicates: predicates, translations: translations, in: language,
      timeZone: timeZone)
  }

  /// Reads the definition on standard input, as JSON if it begins like an object of it.
  ///
  /// - Throws: `DefinitionFaults`, whose file is `stdin`.
  package static func standardInput(
    predicates: [String]? = nil, in language: Language? = nil
  ) throws(DefinitionFaults) -> DefinitionFile {
    let bytes = Array((try? FileHandle.standardInput.read(upToCount: SourceText.sizeLimit + 1)) ?? Data())
    return try DefinitionFile(text: bytes, of: "stdin", predicates: predicates, in: language)
  }

  /// Reads a text, as JSON if it begins like an object of it.
  fileprivate init(
    text: [UInt8], of name: String, predicates: [String]? = nil, in language: Language? = nil
  ) throws(DefinitionFaults) {
    let isJSON = text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
    try self.init(
      path: "\(name).\(isJSON ? "json" : "yaml")", bytes: text, file: name, predicates: predicates, in: language)
  }

  /// Reads the contents of a file. The path gives their format and the prompt's name.
  ///
  /// - Parameters:
  ///   - bytes: or `nil` to read them.
  ///   - file: what faults call the file, or `nil` for its path.
  ///   - translations: files of which only this prompt's are read.
  ///   - language: that of a definition that names none, if it is known.
  package init(
    path: String, bytes: [UInt8]?, file: String? = nil, title: String? = nil, predicates: [String]? = nil,
    translations: [TranslationFile] = [], in language: Language? = nil, timeZone: Field.TimeZone? = nil
  ) throws(DefinitionFaults) {
    let bytes = if let bytes { bytes } else { try Self.bytes(of: path) }
    let (stem, suffix) = Self.parts(of: path)
    var (prompt, warnings) = try Self.read(
      bytes, as: suffix, of: file ?? path, besides: Self.fault(stem: stem, suffix: suffix), predicates: predicates,
      in: language, timeZone: timeZone, ifNotJSON: Self.isSchema(path) ? Self.notSchema : nil
    ) { node, reading in
      Self.isSchema(path) ? Prompt(schema: node, title: title, &reading) : Prompt(node, &reading)
    }
    var wrong: [FileFault] = []
    for file in translations where file.prompt == stem {
      do throws(DefinitionFaults) {
        warnings += try file.translate(&prompt, from: prompt.language ?? language)
      } catch {
        wrong += error.faults
      }
    }
    if !wrong.isEmpty { throw DefinitionFaults(faults: wrong) }
    self.prompt = NamedPrompt(name: stem, prompt: prompt, wasRead: true)
    self.warnings = warnings
  }

  /// The prompt of a file that holds a JSON Schema, whatever it is called.
  ///
  /// - Parameters:
  ///   - bytes: what it holds, or `nil` to read it.
  ///   - title: or `nil` for that of the schema.
  ///   - message: or `nil` for the schema's description.
  ///   - predicates: those that rules may ask, or `nil` if that is decided elsewhere.
  /// - Throws: `DefinitionFaults` with every fault of the file.
  package static func prompt(
    ofSchema path: String, _ bytes: [UInt8]? = nil, title: String?, message: String?, predicates: [String]? = nil,
    timeZone: Field.TimeZone? = nil
  ) throws(DefinitionFaults) -> (prompt: Prompt, warnings: [FileFault]) {
    let bytes = if let bytes { bytes } else { try Self.bytes(of: path) }
    let (prompt, warnings) = try read(
      bytes, as: "json", of: path, predicates: predicates, timeZone: timeZone, ifNotJSON: notSchema
    ) { node, reading in
      Prompt(schema: node, title: title, message: message, &reading)
    }
    return (prompt, warnings)
  }

  /// Reads the contents of a file, with warnings.
  ///
  /// - Parameters:
  ///   - suffix: the file name's extension, which says the format.
  ///   - fault: a fault that was found before, which is reported with the others.
  ///   - remedy: what to write into an empty file.
  ///   - other: the fault of a file that is in no way JSON, and should be; `nil` for that of any such file.
  ///   - value: what is read, or `nil` if it cannot be.
  static func read<Value>(
    _ bytes: [UInt8], as suffix: String?, of file: String, besides fault: FaultRow? = nil,
    predicates: [String]? = nil, in language: Language? = nil, timeZone: Field.TimeZone? = nil,
    ifEmpty remedy: FaultRow = beginning, ifNotJSON other: FaultRow? = nil, _ value: (Node, inout Reading) -> Value?
  ) throws(DefinitionFaults) -> (value: Value, warnings: [FileFault]) {
    var (reading, node) = (Reading(predicates: predicates, language: language, timeZone: timeZone), Node?.none)
    reading.isJSON = suffix == "json"
    if let fault { reading.report(fault, at: .start) }
    do throws(Fault) {
      switch suffix {
      case "json": node = try SourceText(bytes).json(ifNone: other ?? FaultRow("json.none"))
      case "yaml", "yml": node = try YAMLReader.read(SourceText(bytes), &reading, ifEmpty: remedy)
      default: break
      }
    } catch {
      reading.add(error)
    }
    let value = node.flatMap { value($0, &reading) }
    guard let value, reading.faults.isEmpty else {
      throw DefinitionFaults(faults: FileFault.placed(reading.faults, in: bytes, of: file))
    }
    return (value, FileFault.placed(reading.warnings, in: bytes, of: file))
  }

  // MARK: The file's name

  /// The prompt's name and the extension, or `nil` if there is none. For a translation, the name includes a dot and the
  /// language.
  static func parts(of path: String) -> (stem: String, suffix: String?) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (String(name), nil) }
    let stem = isSchema(path) ? name.dropLast(schemaEnding.count) : name[..<dot]
    return (String(stem), String(name[name.utf8.index(after: dot)...]))
  }

  /// The ending of the name of a file that holds a JSON Schema.
  private static let schemaEnding = ".schema.json"

  private static let notSchema = FaultRow("json.no-schema")

  private static func isSchema(_ path: String) -> Bool { path.hasSuffix(schemaEnding) }

  private static func fault(stem: String, suffix: String?) -> FaultRow? {
    guard let suffix else { return FaultRow("file-extension.none") }
    if !extensions.contains(suffix) { return FaultRow("file-extension", ["found": suffix]) }
    return NamedPrompt.isName(stem) ? nil : FaultRow("file-name", ["stem": stem])
  }

  // MARK: The file's contents

  /// The bytes of an ordinary file, up to one byte more than the limit.
  ///
  /// - Throws: `DefinitionFaults` with the reason why it cannot be read.
  static func bytes(of path: String) throws(DefinitionFaults) -> [UInt8] {
    do throws(RegularFile.ReadError) { return try RegularFile(path, first: SourceText.sizeLimit + 1).bytes } catch {
      // The system's list of a folder repairs a name that is not UTF-8, and nothing has the name that comes of it.
      let isRepaired = error == .system(errno: ENOENT) && path.unicodeScalars.contains("\u{FFFD}")
      let fault = isRepaired ? FaultRow("file-name", ["stem": parts(of: path).stem]) : Self.fault(error)
      throw DefinitionFaults(faults: [FileFault(file: path, fault, at: .file)])
    }
  }

  private static func fault(_ error: RegularFile.ReadError) -> FaultRow {
    switch error {
    case .system(ENOENT), .system(ENOTDIR): FaultRow("unreadable-file.missing")
    case .system(EACCES): FaultRow("unreadable-file.forbidden")
    case .irregular(S_IFDIR): FaultRow("unreadable-file.folder")
    case .irregular(S_IFIFO): FaultRow("unreadable-file.fifo")
    // No socket can be opened.
    case .irregular(S_IFSOCK), .system(ENXIO): FaultRow("unreadable-file.socket")
    case .irregular: FaultRow("unreadable-file.device")
    case .system(let code): FaultRow("unreadable-file", ["why": String(cString: strerror(code))])
    }
  }
}
