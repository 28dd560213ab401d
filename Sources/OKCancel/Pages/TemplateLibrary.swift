internal import Foundation
internal import Mustache
internal import Platform

/// Templates, read once, which all escape as `HTMLContent` does.
///
/// Mustache falls back to its own escaping, which lets some quotes through, in every partial that does not choose a
/// content type. So the files have no choice: each gets it here, those of an operator's own directory too.
struct TemplateLibrary: Sendable {
  private let library: MustacheLibrary
  /// The texts that templates carry inside, as values: to parse them as templates took most of a start.
  private let inlined: TemplateValues
  /// By name.
  let sources: [String]

  /// - Parameters:
  ///   - files: sources by the names of their files.
  ///   - directory: where more `*.mustache` files are, which replace those of the same name; folders in it are not
  ///     read. `nil` if there is none.
  ///   - inlined: style sheets and scripts by path. What links to them gets their text instead.
  ///   - required: the templates that the caller draws by name.
  /// - Throws: `PlainError`, also if a template uses a partial that does not exist.
  init(_ files: [String: [UInt8]] = [:], directory: String?, inlined: [String: String] = [:], required: [String])
    throws(PlainError)
  {
    HTMLContent.register()
    var files = files
    if let directory { files.merge(try Self.files(in: directory)) { $1 } }
    let directory = directory ?? "Templates"
    var sources: [String: String] = [:], tags: [String: [Substring]] = [:]
    for (file, bytes) in files {
      guard let source = String(validating: bytes, as: UTF8.self) else {
        throw Self.unreadable("\(directory)/\(file)")
      }
      let name = String(file.dropLast(Self.suffix.count))
      tags[name] = Self.tags(of: source)
      sources[name] = String(decoding: inlined.keys.reduce(bytes) { Self.inlining($1, in: $0) }, as: UTF8.self)
    }
    for template in required where sources[template] == nil {
      throw PlainError("\(directory)/\(template).mustache is missing")
    }
    var library = MustacheLibrary()
    for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
      let (tags, path) = (tags[name] ?? [], "\(directory)/\(name)\(Self.suffix)")
      for partial in Self.partials(among: tags) where sources[partial] == nil {
        throw PlainError("\(directory)/\(partial).mustache is missing; \(name).mustache uses it")
      }
      guard !tags.contains(where: { $0.hasPrefix("%") }) else {
        throw PlainError("\(path): templates cannot choose {{% CONTENT_TYPE }}; remove it")
      }
      library.register(try Self.parse(source, path: path), named: name)
    }
    self.library = library
    self.inlined = inlined.reduce(into: [:]) { $0.setRevealed(Self.value(of: $1.key), to: Raw($1.value)) }
    self.sources = sources.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The name of the value that holds a file's text: a dot would look into a value.
  private static func value(of path: String) -> String { path.replacing(".", with: "-") }

  private static func inlining(_ path: String, in source: [UInt8]) -> [UInt8] {
    let (link, element) =
      path.hasSuffix(".css")
      ? ("<link rel=\"stylesheet\" href=\"{{files}}\(path)\">", "<style>{{{\(value(of: path))}}}</style>")
      : (" src=\"{{files}}\(path)\"></script>", ">{{{\(value(of: path))}}}</script>")
    let start = source.parts(between: Array(link.utf8))[0].count
    guard start < source.count else { return source }
    return source[..<start] + Array(element.utf8) + source[(start + link.utf8.count)...]
  }

  private static func files(in directory: String) throws(PlainError) -> [String: [UInt8]] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      throw PlainError("\(directory): no such directory of templates; name one with --templates")
    }
    var files: [String: [UInt8]] = [:]
    for name in names where name.hasSuffix(suffix) {
      let path = "\(directory)/\(name)"
      guard let data = FileManager.default.contents(atPath: path) else { throw unreadable(path) }
      files[name] = Array(data)
    }
    return files
  }

  private static func unreadable(_ path: String) -> PlainError { PlainError("\(path): not readable as UTF-8 text") }

  /// - Parameter template: one of the `required` ones; any other gives an empty text.
  func render(_ template: String, _ values: TemplateValues) -> String {
    library.render(values.merging(inlined), withTemplate: template) ?? ""
  }

  private static let suffix = ".mustache"

  private static func parse(_ source: String, path: String) throws(PlainError) -> MustacheTemplate {
    do {
      return try MustacheTemplate(string: "{{% CONTENT_TYPE: \(HTMLContent.name)}}\n\(source)")
    } catch let error as MustacheTemplate.ParserError {
      // Without the line that was added before the file.
      let place = "\(error.context.lineNumber - 1):\(error.context.columnNumber)"
      throw PlainError("\(path):\(place): \(reason(error.error))")
    } catch {
      throw PlainError("\(path):1:1: \(error)")
    }
  }

  /// The fault and its remedy.
  private static func reason(_ error: any Error) -> String {
    let unfinished = "a tag is not closed; end it with `}}`"
    // The parser's own error at the end of the text is not public.
    if "\(error)" == "overflow" { return unfinished }
    return switch error as? MustacheTemplate.Error {
    case .expectedSectionEnd:
      "a section is not closed; end what `{{#name}}`, `{{^name}}` or `{{<name}}` begins with `{{/name}}`"
    case .sectionCloseNameIncorrect: "this closes another section than the one that is open; use the same name"
    case .unfinishedName: unfinished
    case .invalidSetDelimiter: "this does not set delimiters; write it like `{{=<% %>=}}`"
    case .illegalTokenInsideInheritSection, .textInsideInheritSection, .transformAppliedToInheritanceSection:
      "only `{{$name}}…{{/name}}` may stand between `{{<name}}` and its end; move the rest into one of them"
    default: "this is not Mustache (\(error)); compare it with the built-in template"
    }
  }

  /// The templates that tags name: `{{>name}}` and `{{<name}}`, but not `{{>*name}}`, which is chosen later.
  private static func partials(among tags: [Substring]) -> [String] {
    tags.compactMap { tag in
      guard let mark = tag.first, mark == ">" || mark == "<" else { return nil }
      let name = tag.dropFirst().drop(while: \.isWhitespace)
      return name.hasPrefix("*") ? nil : String(name)
    }
  }

  /// The text between `{{` and `}}`, without white space around it. It searches bytes, so a combining mark cannot hide
  /// a brace.
  private static func tags(of source: String) -> [Substring] {
    source.parts(between: "{{").dropFirst().compactMap { text in
      let parts = text.parts(between: "}}")
      guard parts.count > 1 else { return nil }
      let tag = parts[0].drop(while: \.isWhitespace)
      return tag.lastIndex { !$0.isWhitespace }.map { tag[...$0] }
    }
  }
}
