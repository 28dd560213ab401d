/// The reason a directory of templates cannot be used.
package enum TemplateFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no directory at this path, or it cannot be read.
  case noDirectory(String)
  /// The directory lacks this template; `wantedBy` is the template that uses it, or `nil` if the pages do.
  case missing(template: String, directory: String, wantedBy: String?)
  /// The file is not UTF-8 or cannot be read.
  case unreadable(path: String)
  /// The template is malformed; line and column count from 1.
  case malformed(path: String, line: Int, column: Int, reason: String)
  /// The template chooses a content type of its own, which would undo the escaping.
  case choosesContentType(path: String)

  package var description: String {
    switch self {
    case .noDirectory(let directory):
      "\(directory): no such directory of templates; name one with --templates"
    case .missing(let template, let directory, nil):
      "\(directory)/\(template).mustache is missing"
    case .missing(let template, let directory, let wantedBy?):
      "\(directory)/\(template).mustache is missing; \(wantedBy).mustache uses it"
    case .unreadable(let path):
      "\(path): not readable as UTF-8 text"
    case .malformed(let path, let line, let column, let reason):
      "\(path):\(line):\(column): \(reason)"
    case .choosesContentType(let path):
      "\(path): templates cannot choose {{% CONTENT_TYPE }}; remove it"
    }
  }
}
