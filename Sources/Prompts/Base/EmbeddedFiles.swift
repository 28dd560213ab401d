internal import CResources

/// The files inside the executable, as they were when it was built: those that `Sources/CResources/resources.c` lists,
/// by their paths in the repository.
package enum EmbeddedFiles {
  /// The paths below a folder, in order.
  ///
  /// - Parameter folder: with a slash at its end: `Templates/`.
  package static func paths(in folder: String) -> [String] {
    places.keys.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }.sorted()
  }

  /// A copy of a file's bytes.
  ///
  /// - Precondition: there is such a file.
  package static func bytes(of path: String) -> [UInt8] { Array(text(of: path).utf8) }

  /// A file as text; under the same condition.
  package static func text(of path: String) -> String {
    guard let file = places[path].flatMap(okc_resource_at)?.pointee else {
      preconditionFailure("resources.c does not list \(path)")
    }
    return String(cString: file.text)
  }

  /// The rows of a table: fields between semicolons, each without the spaces before it. A line that begins with `#` is a
  /// comment.
  ///
  /// - Parameter columns: how many fields a row has at most; the last one may hold semicolons.
  package static func rows(of path: String, columns: Int = .max) -> [[Substring]] {
    // An array is split in a third of the time that a text takes.
    bytes(of: path).split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }.map { line in
      line.split(separator: UInt8(ascii: ";"), maxSplits: columns - 1, omittingEmptySubsequences: false).map { field in
        Substring(decoding: field.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
      }
    }
  }

  /// The fields after the first one, of all rows of a table that begin with this one.
  package static func list(_ name: String, in path: String) -> [String] {
    rows(of: path).filter { $0[0] == name }.flatMap { $0.dropFirst().map(String.init) }
  }

  /// The sections of a file, by their headings.
  ///
  /// - Parameter comment: the beginning of comments. One like `-- table: asks` is a heading; the others are left out.
  package static func sections(of path: String, comment: String) -> [String: String] {
    var sections: [String: [Substring]] = [:], heading = ""
    for line in text(of: path).parts(between: "\n") {
      var title = TextReader(line)
      guard title.take(comment) else {
        sections[heading, default: []].append(line)
        continue
      }
      if title.take(" "), let kind = title.take(some: "A-Za-z0-9_"), title.take(": "),
        let name = title.take(some: "A-Za-z0-9_"),
        title.isAtEnd
      {
        heading = "\(kind): \(name)"
      }
    }
    return sections.mapValues { lines in
      let lines = lines.drop(while: \.isEmpty)
      return lines.lastIndex { !$0.isEmpty }.map { lines[...$0].joined(separator: "\n") } ?? ""
    }
  }

  /// The place of each path in the list.
  private static let places: [String: Int] = {
    var places: [String: Int] = [:]
    while let file = okc_resource_at(places.count)?.pointee { places[String(cString: file.path)] = places.count }
    return places
  }()
}
