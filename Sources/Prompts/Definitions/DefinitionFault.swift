internal import Glibc
internal import Platform

/// A fault in a definition file that keeps its prompt from being read, with its facts.
///
/// `sentence` is the only place that says it in words.
enum DefinitionFault: FaultCase {
  // The file
  case unreadableFile(RegularFile.ReadError)
  /// `nil` if there is nothing at its path.
  case unreadableFolder(isFolder: Bool?)
  case fileExtension(String?), fileName(String), definedTwice(String, otherFile: String)
  case fileTooLarge, utf16, byteOrderMark, invalidUTF8

  // JSON and YAML
  case json(JSONFault)
  /// In words, since libyaml has no codes.
  case yaml(what: String, remedy: String)
  case characterNotYAML(String, isControl: Bool)
  case emptyFile(remedy: String), directives, severalDocuments, anchor(String), alias(String), tag(String), mergeKey
  case keyNotText
  case nestedTooDeeply(limit: Int), tooManyKeys(limit: Int)

  // Translations
  case languageOfFile(String, prompt: String), ownLanguage(Language), repeatedTranslation(Language)
  case noPrompt(String)

  // Prompts made in Swift
  case tooLarge(JSONFault)

  var sentence: FaultSentence {
    switch self {
    case .unreadableFile(.system(ENOENT)), .unreadableFile(.system(ENOTDIR)):
      .init("unreadable-file", "there is no such file", "check the path")
    case .unreadableFile(.system(EACCES)):
      .init("unreadable-file", "the file may not be read", "give this user permission to read it")
    case .unreadableFile(.irregular(S_IFDIR)): .init("unreadable-file", "this is a folder", "name the files in it")
    case .unreadableFile(.irregular(S_IFIFO)): .init("unreadable-file", "this is a FIFO", "name an ordinary file")
    // No socket can be opened.
    case .unreadableFile(.irregular(S_IFSOCK)), .unreadableFile(.system(ENXIO)):
      .init("unreadable-file", "this is a socket", "name an ordinary file")
    case .unreadableFile(.irregular): .init("unreadable-file", "this is a device", "name an ordinary file")
    case .unreadableFile(.system(let code)):
      .init(
        "unreadable-file", "the file cannot be read (\(String(cString: strerror(code))))",
        "check that it is an ordinary file")
    case .unreadableFolder(nil):
      .init("unreadable-folder", "there is no such folder", "make it, or name the one that holds your prompts")
    case .unreadableFolder(true?):
      .init("unreadable-folder", "the folder may not be read", "give this user permission to read it")
    case .unreadableFolder(false?):
      .init("unreadable-folder", "this is a file", "name the folder that holds your prompts")
    case .fileExtension(let found?):
      .init("file-extension", "the file's name ends in `.\(found)`", "let it end in `.yaml`, `.yml` or `.json`")
    case .fileExtension(nil):
      .init("file-extension", "the file's name has no extension", "let it end in `.yaml`, `.yml` or `.json`")
    case .fileName(let stem):
      .init(
        "file-name", "the file's name `\(stem)` cannot name a prompt",
        "rename it: up to 64 of `a` to `z`, digits and `-`, not beginning with `-`")
    case .definedTwice(let name, let other):
      .init("defined-twice", "`\(other)` defines the prompt `\(name)` too", "keep one of the two files")
    case .fileTooLarge: .init("file-too-large", "the file is larger than 1 MiB", "keep one prompt per file")
    case .utf16: .init("utf16", "the file is UTF-16", "save it as UTF-8")
    case .byteOrderMark:
      .init("byte-order-mark", "the file begins with a byte order mark", "save it as UTF-8 without one")
    case .invalidUTF8: .init("invalid-utf-8", "these bytes are not UTF-8", "save the file as UTF-8")

    case .json(let fault): .init("json", fault.words.what, fault.words.remedy)
    case .yaml(let what, let remedy): .init("yaml", what, remedy)
    case .characterNotYAML(let code, isControl: true):
      .init("character-not-yaml", "the character U+\(code) cannot stand in YAML as it is", "remove it")
    case .characterNotYAML(let code, isControl: false):
      .init(
        "character-not-yaml", "the character U+\(code) cannot stand in YAML as it is",
        "write it in double quotes as `\\u\(code)`, or remove it")
    case .emptyFile(let remedy): .init("empty-file", "this file is empty", remedy)
    case .directives: .init("directives", "directives are not supported", "remove the lines that begin with `%`")
    case .severalDocuments: .init("several-documents", "a second document begins here", "keep one prompt per file")
    case .anchor(let name):
      .init("anchor", "anchors are not supported", "remove `&\(name)` and write the value out where it is needed")
    case .alias(let name): .init("alias", "aliases are not supported", "write out the value that `*\(name)` stands for")
    case .tag(let tag): .init("tag", "tags are not supported", "remove `\(tag)`; quotes make a value a string")
    case .mergeKey: .init("merge-key", "merge keys are not supported", "write the keys out")
    case .keyNotText:
      .init(
        "key-not-text", "a key must be a string",
        "write it as `key: value`; put a value that begins with a bracket in quotes")
    case .nestedTooDeeply(let limit): .init("nested-too-deeply", "this is nested too deeply", "keep to \(limit) levels")
    case .tooManyKeys(let limit): .init("too-many-keys", "the file has too many keys", "keep to \(limit)")

    case .languageOfFile(let tag, let prompt):
      .init("language-of-file", "the file's name has no language in `\(tag)`", "rename it, like `\(prompt).de.yaml`")
    case .ownLanguage(let language):
      .init(
        "own-language", "`\(language)` is the prompt's own language",
        "remove the file, or name another `language` in the definition")
    case .repeatedTranslation(let language):
      .init("repeated-translation", "there is another translation into `\(language)`", "keep one of them")
    case .noPrompt(let name):
      .init(
        "no-prompt", "there is no prompt `\(name)` beside this translation",
        "add it, or name the file without a dot if it is a prompt")

    case .tooLarge(let fault): .init("too-large", "this prompt is too large to check", fault.sentence)
    }
  }
}
