internal import Files
internal import Glibc
internal import Prompts
internal import StrictJSON

/// What is wrong with a definition file before its prompt can be read, with its facts.
///
/// `sentence` is the only place that says it in words.
enum DefinitionFault: FaultCase {
  // The file
  case unreadableFile(RegularFile.Fault)
  /// `nil` if there is nothing at its path.
  case unreadableFolder(isFolder: Bool?)
  case fileExtension(String?), fileName(String), definedTwice(String, otherFile: String)
  case fileTooLarge, utf16, byteOrderMark, invalidUTF8

  // JSON and YAML
  case json(JSONFault)
  /// In words, since libyaml has no codes.
  case yaml(String)
  case characterNotYAML(String, isControl: Bool)
  case emptyFile, directives, severalDocuments, anchor(String), alias(String), tag(String), mergeKey, keyNotText
  case nestedTooDeeply(limit: Int), tooManyKeys(limit: Int)

  // Translations
  case languageOfFile(String, prompt: String), ownLanguage(Language), repeatedTranslation(Language)
  case noPrompt(String)

  // Prompts made in Swift
  case tooLarge(JSONFault)

  var sentence: FaultSentence {
    switch self {
    case .unreadableFile(.system(ENOENT)), .unreadableFile(.system(ENOTDIR)): "there is no such file; check the path"
    case .unreadableFile(.system(EACCES)): "the file may not be read; give this user permission to read it"
    case .unreadableFile(.irregular(S_IFDIR)): "this is a folder; name the files in it"
    case .unreadableFile(.irregular(S_IFIFO)): "this is a FIFO; name an ordinary file"
    // No socket can be opened.
    case .unreadableFile(.irregular(S_IFSOCK)), .unreadableFile(.system(ENXIO)):
      "this is a socket; name an ordinary file"
    case .unreadableFile(.irregular): "this is a device; name an ordinary file"
    case .unreadableFile(.system(let code)):
      "the file cannot be read (\(String(cString: strerror(code)))); check that it is an ordinary file"
    case .unreadableFolder(nil): "there is no such folder; make it, or name the one that holds your prompts"
    case .unreadableFolder(true?): "the folder may not be read; give this user permission to read it"
    case .unreadableFolder(false?): "this is a file; name the folder that holds your prompts"
    case .fileExtension(let found?):
      "the file's name ends in `.\(found)`; let it end in `.yaml`, `.yml` or `.json`"
    case .fileExtension(nil): "the file's name has no extension; let it end in `.yaml`, `.yml` or `.json`"
    case .fileName(let stem):
      "the file's name `\(stem)` cannot name a prompt; "
        + "rename it: up to 64 of `a` to `z`, digits and `-`, not beginning with `-`"
    case .definedTwice(let name, let other):
      "`\(other)` defines the prompt `\(name)` too; keep one of the two files"
    case .fileTooLarge: "the file is larger than 1 MiB; keep one prompt per file"
    case .utf16: "the file is UTF-16; save it as UTF-8"
    case .byteOrderMark: "the file begins with a byte order mark; save it as UTF-8 without one"
    case .invalidUTF8: "these bytes are not UTF-8; save the file as UTF-8"

    case .json(let fault): FaultSentence(stringLiteral: fault.sentence)
    case .yaml(let sentence): FaultSentence(stringLiteral: sentence)
    case .characterNotYAML(let code, isControl: true):
      "the character U+\(code) cannot stand in YAML as it is; remove it"
    case .characterNotYAML(let code, isControl: false):
      "the character U+\(code) cannot stand in YAML as it is; "
        + "write it in double quotes as `\\u\(code)`, or remove it"
    case .emptyFile: "there is nothing in this file; write a prompt, beginning with `title: ...`"
    case .directives: "directives are not supported; remove the lines that begin with `%`"
    case .severalDocuments: "a second document begins here; keep one prompt per file"
    case .anchor(let name): "anchors are not supported; remove `&\(name)` and write the value out where it is needed"
    case .alias(let name): "aliases are not supported; write out the value that `*\(name)` stands for"
    case .tag(let tag): "tags are not supported; remove `\(tag)`; quotes make a value a string"
    case .mergeKey: "merge keys are not supported; write the keys out"
    case .keyNotText:
      "a key must be a string; write it as `key: value`; put a value that begins with a bracket in quotes"
    case .nestedTooDeeply(let limit): "this is nested too deeply; keep to \(limit) levels"
    case .tooManyKeys(let limit): "the file has too many keys; keep to \(limit)"

    case .languageOfFile(let tag, let prompt):
      "the file's name has no language in `\(tag)`; rename it, like `\(prompt).de.yaml`"
    case .ownLanguage(let language):
      "`\(language)` is the prompt's own language; "
        + "remove the file, or name another `language` in the definition"
    case .repeatedTranslation(let language):
      "there is another translation into `\(language)`; keep one of them"
    case .noPrompt(let name):
      "there is no prompt `\(name)` beside this translation; "
        + "add it, or name the file without a dot if it is a prompt"

    case .tooLarge(let fault): "this prompt is too large to check; \(fault.sentence)"
    }
  }
}
