internal import Foundation

/// Finds the folders that a server reads at start.
enum Resources {
  /// - Parameters:
  ///   - given: the operator's own folder; nil: the working directory's, or `../share/okcancel` beside the executable.
  ///   - name: `Templates` or `Public`.
  static func folder(_ given: String?, named name: String) throws(SetupFault) -> String {
    if let given {
      if isFolder(given) { return given }
      throw SetupFault("there is no folder \(given); name the \(name) folder with --\(name.lowercased())")
    }
    let places = [name, executableFolder + "/../share/okcancel/" + name]
    if let found = places.first(where: isFolder) { return found }
    throw SetupFault(
      "the \(name) folder is neither here nor in \(places[1]); start in the project's folder or name it with --\(name.lowercased())"
    )
  }

  private static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  private static var executableFolder: String {
    let executable =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: executable).deletingLastPathComponent().path
  }
}

/// A server cannot start as it was set up: what is wrong and what to do.
public struct SetupFault: Error, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
