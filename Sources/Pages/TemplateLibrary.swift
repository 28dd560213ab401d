internal import Foundation
internal import Mustache

/// The templates of a directory, read once, each escaping as `HTMLContent` says.
///
/// Mustache falls back to its own, unsafe escaping in every partial that does not choose a content type, so the
/// choice is not left to the files: it is put before each of them here, those of an operator's own directory too.
struct TemplateLibrary: Sendable {
  private let library: MustacheLibrary

  /// - Parameters:
  ///   - directory: where the `*.mustache` files are; folders in it are not read.
  ///   - required: the templates that the caller draws by name.
  /// - Throws: `TemplateFault`, also where a template uses a partial that is not there.
  init(directory: String, required: [String]) throws(TemplateFault) {
    HTMLContent.register()
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      throw .noDirectory(directory)
    }
    var sources: [String: String] = [:]
    for file in files where file.hasSuffix(Self.suffix) {
      let path = "\(directory)/\(file)"
      guard let data = FileManager.default.contents(atPath: path), let source = String(validating: data, as: UTF8.self)
      else { throw .unreadable(path: path) }
      sources[String(file.dropLast(Self.suffix.count))] = source
    }
    for template in required where sources[template] == nil {
      throw .missing(template: template, directory: directory, wantedBy: nil)
    }
    var library = MustacheLibrary()
    for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
      for partial in Self.partials(of: source) where sources[partial] == nil {
        throw .missing(template: partial, directory: directory, wantedBy: name)
      }
      library.register(try Self.parse(source, path: "\(directory)/\(name)\(Self.suffix)"), named: name)
    }
    self.library = library
  }

  /// - Parameter template: one of the `required` ones; another gives an empty text.
  func render(_ template: String, _ values: TemplateValues) -> String {
    library.render(values, withTemplate: template) ?? ""
  }

  private static let suffix = ".mustache"

  private static func parse(_ source: String, path: String) throws(TemplateFault) -> MustacheTemplate {
    guard !tags(of: source).contains(where: { $0.hasPrefix("%") }) else { throw .choosesContentType(path: path) }
    do {
      return try MustacheTemplate(string: "{{% CONTENT_TYPE: \(HTMLContent.name)}}\n\(source)")
    } catch let error as MustacheTemplate.ParserError {
      // The line that was put before the file does not count.
      throw .malformed(
        path: path, line: error.context.lineNumber - 1, column: error.context.columnNumber, reason: "\(error.error)")
    } catch {
      throw .malformed(path: path, line: 1, column: 1, reason: "\(error)")
    }
  }

  /// The templates that a template names: `{{>name}}` and `{{<name}}`, but for `{{>*name}}`, chosen when drawn.
  private static func partials(of source: String) -> [String] {
    tags(of: source).compactMap { tag in
      guard let mark = tag.first, mark == ">" || mark == "<" else { return nil }
      let name = tag.dropFirst().trimmingCharacters(in: .whitespaces)
      return name.hasPrefix("*") ? nil : name
    }
  }

  /// What stands between `{{` and `}}`, without white space at its beginning.
  private static func tags(of source: String) -> [String] {
    source.components(separatedBy: "{{").dropFirst().compactMap { rest in
      rest.components(separatedBy: "}}").first.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
