internal import CResources
internal import Foundation

/// The files of this package's folders `Templates` and `Public`, as they were at the build.
enum Resources {
  static let templates = files(in: "Templates/")
  static let `public` = files(in: "Public/")

  /// The files by their paths in the folder.
  private static func files(in folder: String) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    var place = 0
    while let file = okc_resource_at(place)?.pointee {
      let path = String(cString: file.path)
      if path.hasPrefix(folder) {
        let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        let isCode = path.hasSuffix(".js") || path.hasSuffix(".css")
        files[String(path.dropFirst(folder.count))] = isCode ? withoutComments(bytes) : bytes
      }
      place += 1
    }
    return files
  }

  /// A script or a style sheet without what a browser need not read: white space at both ends of a line, and lines that
  /// are only a comment. A quarter of the first load is saved so, line by line and nothing cleverer.
  static func withoutComments(_ code: [UInt8]) -> [UInt8] {
    var kept = ""
    var isInComment = false
    for line in String(decoding: code, as: UTF8.self).split(separator: "\n") {
      let line = line.trimmingCharacters(in: .whitespaces)
      if isInComment || line.hasPrefix("/*") {
        let end = line.range(of: "*/")
        isInComment = end == nil
        // What stands behind a comment is code.
        if let end, end.upperBound < line.endIndex { kept += line[end.upperBound...] + "\n" }
      } else if !line.isEmpty, !line.hasPrefix("//") {
        kept += line + "\n"
      }
    }
    return Array(kept.utf8)
  }

  /// The operator's own folder, whose files replace ours one by one; nil: there is none.
  ///
  /// - Throws: `SetupFault` if it is given and not there.
  static func folder(_ given: String?, for option: String) throws(SetupFault) -> String? {
    var isDirectory: ObjCBool = false
    guard let given, !FileManager.default.fileExists(atPath: given, isDirectory: &isDirectory) || !isDirectory.boolValue
    else { return given }
    throw SetupFault("there is no folder \(given); name one with \(option), or leave the option out")
  }
}

/// A server cannot start as it was set up: what is wrong and what to do.
public struct SetupFault: Error, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
