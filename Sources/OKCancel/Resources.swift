internal import CResources
internal import Foundation

/// The files of this package's folders `Templates` and `Public`, as they were when it was built.
enum Resources {
  static let templates = files(in: "Templates/")
  static let `public` = files(in: "Public/")

  /// The files by their paths in the folder.
  private static func files(in folder: String) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    var place = 0
    while let file = unsafe okc_resource_at(place)?.pointee {
      let path = unsafe String(cString: file.path)
      if path.hasPrefix(folder) {
        let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        let isCode = path.hasSuffix(".js") || path.hasSuffix(".css")
        files[String(path.dropFirst(folder.count))] = isCode ? withoutComments(bytes) : bytes
      }
      place += 1
    }
    return files
  }

  /// A script or a style sheet without what a browser need not read: white space at both ends of a line, and lines that
  /// are only a comment. This saves a quarter of the first load.
  static func withoutComments(_ code: [UInt8]) -> [UInt8] {
    // Bytes, since as text this took an eighth of the start.
    var kept: [UInt8] = []
    var isInComment = false
    for line in code.split(separator: UInt8(ascii: "\n")) {
      let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
      guard let first = line.firstIndex(where: { !isSpace($0) }), let last = line.lastIndex(where: { !isSpace($0) })
      else { continue }
      var line = line[first...last]
      if isInComment || line.starts(with: "/*".utf8) {
        let end = line.firstRange(of: Array("*/".utf8))
        isInComment = end == nil
        // What follows a comment is code.
        line = end.map { line[$0.upperBound...] } ?? []
      } else if line.starts(with: "//".utf8) {
        continue
      }
      if !line.isEmpty { kept += line + [UInt8(ascii: "\n")] }
    }
    return kept
  }

  /// The operator's own folder, whose files replace ours one by one, or `nil` if there is none.
  ///
  /// - Throws: `SetupFault` if it is given and does not exist.
  static func folder(_ given: String?, for option: String) throws(SetupFault) -> String? {
    var isDirectory: ObjCBool = false
    guard let given,
      unsafe !FileManager.default.fileExists(atPath: given, isDirectory: &isDirectory) || !isDirectory.boolValue
    else { return given }
    throw SetupFault("there is no folder \(given); name one with \(option), or leave the option out")
  }
}
