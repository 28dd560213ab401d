import Foundation

// Writes the source of the module `Scripts`, once a script or a style sheet has changed: `ScriptBundler FOLDER OUTPUT PATH…`.

let arguments = CommandLine.arguments
let (folder, output, paths) = (arguments[1], arguments[2], arguments[3...].sorted())

func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: "\(folder)/\(path)"))) }

func literal(_ code: [UInt8]) -> String { String(decoding: code, as: UTF8.self).debugDescription }

/// The scripts that every dialog needs. As one file they are one request, and a fifteenth smaller when compressed.
let partsOfDialog = ["judge.js", "dialog-state.js", "dialog-field.js", "dialog.js"]

/// The scripts that dialogs with fields of several kinds need together: as one file they are one request, too.
let partsOfKinds = ["quantities.js", "logic.js", "hosts.js", "dialog-controls.js", "dialog-dates.js"]

let files = try paths.map { path in
  "\(path.debugDescription): \(literal(Minifier.withoutComments(try bytes(of: path), isScript: path.hasSuffix(".js"))))"
}
let source = """
  extension Scripts {
    /// By their paths in the folder, without comments, and without white space that separates nothing.
    package static let all: [String: String] = [
      \(files.joined(separator: ",\n    "))
    ]
    /// The scripts that every dialog needs.
    package static let partsOfDialog = \(partsOfDialog)
    /// All of them as one script, in the place of `dialog.js`.
    package static let dialog = \(literal(Minifier.joined(try partsOfDialog.map(bytes))))
    /// The scripts that dialogs with fields of several kinds need.
    package static let partsOfKinds = \(partsOfKinds)
    /// All of them as one script, `dialog-kinds.js`.
    package static let kinds = \(literal(Minifier.listed(try partsOfKinds.map(bytes))))
  }

  """
try source.write(toFile: output, atomically: true, encoding: .utf8)
