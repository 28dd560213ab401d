/// A file that holds the texts of a prompt in another language: `email.de.yaml` beside `email.yaml`.
package struct TranslationFile: Sendable {
  /// The path of the file.
  let path: String
  /// The name of the prompt.
  let prompt: String
  private let tag: String
  private let suffix: String

  /// `nil` if a file of this name is no translation.
  package init?(path: String) {
    let (stem, suffix) = DefinitionFile.parts(of: path)
    let parts = stem.split(separator: ".", maxSplits: 1).map(String.init)
    // `email.schema.json` is a prompt.
    guard let suffix, DefinitionFile.extensions.contains(suffix), !stem.hasPrefix("."), parts.count == 2,
      parts[1] != "schema"
    else { return nil }
    self.path = path
    prompt = parts[0]
    tag = parts[1]
    self.suffix = suffix
  }

  /// The paths that its prompt may have.
  package var originals: [String] {
    (DefinitionFile.extensions + ["schema.json"]).map {
      String(path.dropLast(tag.utf8.count + 1 + suffix.utf8.count)) + $0
    }
  }

  /// Adds its texts to the prompt.
  ///
  /// - Returns: warnings.
  /// - Throws: `DefinitionFaults` with everything that is wrong with it.
  func translate(
    _ prompt: inout Prompt, from original: Language?
  ) throws(DefinitionFaults) -> [FileFault] {
    guard let language = Language(tag) else {
      throw fault(FaultRow("language-of-file", ["tag": tag, "prompt": self.prompt]))
    }
    if language == original { throw fault(FaultRow("own-language.file", ["language": language])) }
    if prompt.translations.contains(where: { $0.language == language }) {
      throw fault(FaultRow("repeated-translation.file", ["language": language]))
    }
    let (texts, warnings) = try DefinitionFile.read(
      DefinitionFile.bytes(of: path), as: suffix, of: path, ifEmpty: FaultRow("write-translation")
    ) { [prompt] node, reading in Translation(node, of: prompt, &reading) }
    prompt.translations.append((language, texts))
    prompt.translations.sort { $0.language.tag < $1.language.tag }
    return warnings
  }

  /// The fault that the prompt of this translation does not exist.
  var orphaned: DefinitionFaults { fault(FaultRow("no-prompt", ["name": prompt])) }

  private func fault(_ reason: FaultRow) -> DefinitionFaults {
    DefinitionFaults(faults: [FileFault(file: path, reason)])
  }
}
