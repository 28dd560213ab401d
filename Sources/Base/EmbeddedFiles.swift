internal import CResources

/// The files inside the executable, as they were when it was built: those that `Sources/CResources/resources.c` lists.
package enum EmbeddedFiles {
  /// The paths below a folder, in order.
  ///
  /// - Parameter folder: with a slash at its end: `Languages/`.
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

  /// Where each path stands in the list.
  private static let places: [String: Int] = {
    var places: [String: Int] = [:]
    while let file = okc_resource_at(places.count)?.pointee { places[String(cString: file.path)] = places.count }
    return places
  }()
}
