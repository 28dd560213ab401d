package import Foundation

/// A directory of its own for one test, gone with it.
package final class TemporaryDirectory: Sendable {
  package let path: String

  /// With these texts as files, by name.
  package init(_ files: [String: String] = [:]) throws {
    path = NSTemporaryDirectory() + "okcancel-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try write(Data(text.utf8), to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }

  package func write(_ data: Data, to name: String) throws {
    try data.write(to: URL(filePath: file(name)))
  }

  /// Writes a script of the shell; its path.
  package func program(_ script: String) throws -> String {
    let name = "program-\(UUID().uuidString)"
    try write(Data("#!/bin/sh\n\(script)\n".utf8), to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file(name))
    return file(name)
  }

  /// Every file's bytes, by name.
  package func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: file($0)))) })
  }
}
