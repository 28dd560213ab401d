internal import Crypto
internal import Foundation
internal import Prompts

/// The files of this package's folders `Templates` and `Public`, as they were when it was built.
package enum Resources {
  /// By the names of their files.
  package static let templates = files(in: "Templates/")
  static let `public` = files(in: "Public/").merging(Scripts.all.mapValues { Array($0.utf8) }) { $1 }

  /// The files that a dialog needs before it can show. Pages carry them inside, so that one request is enough for that.
  private static let inlined = ["gate.js", "okcancel.css", "extras.css", "controls.css", "context.css"]
    .reduce(into: [:]) { $0[$1] = Scripts.all[$1] }

  /// The files that pages carry inside, by path, without those that the operator's own folder replaces: their hashes
  /// are not known to the policy.
  static func inlined(besides folder: String?) -> [String: String] {
    inlined.filter { path, _ in !isReplaced(path, in: folder) }
  }

  private static func isReplaced(_ path: String, in folder: String?) -> Bool {
    folder.map { FileManager.default.fileExists(atPath: "\($0)/\(path)") } ?? false
  }

  private static let kinds = "dialog-kinds.js"
  private static let bundled = `public`.merging(["dialog.js": Array(Scripts.dialog.utf8)]) { $1 }

  /// The scripts that pages load as `dialog-kinds.js`; none if the operator's own folder replaces one of them.
  static func kinds(besides folder: String?) -> [String] {
    (Scripts.partsOfKinds + [kinds]).contains { isReplaced($0, in: folder) } ? [] : Scripts.partsOfKinds
  }

  /// The static files, with all that every dialog needs in dialog.js, unless the operator's own folder replaces a part,
  /// and with the server's own path in openapi.json.
  static func bundled(besides folder: String?, under basePath: String = "") -> [String: [UInt8]] {
    var files = Scripts.partsOfDialog.contains { isReplaced($0, in: folder) } ? `public` : bundled
    files[kinds] = Array(Scripts.kinds.utf8)
    let servers = Array("\"servers\": [{\"url\": \"".utf8)
    if !basePath.isEmpty, let place = files["openapi.json"]?.firstRange(of: servers) {
      files["openapi.json"]?.replaceSubrange(place.upperBound...place.upperBound, with: basePath.utf8)
    }
    return files
  }

  /// The content security policy's sources that allow pages to carry these scripts and style sheets inside.
  static let (inlinedScripts, inlinedStyles) = (hashes(of: ".js"), hashes(of: ".css"))

  private static func hashes(of type: String) -> String {
    inlined.filter { $0.key.hasSuffix(type) }.map { hash(of: $1) }.sorted().joined(separator: " ")
  }

  private static func hash(of text: String) -> String {
    "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
  }

  /// A policy of every page as that of this page: without the hashes of what it does not carry inside.
  static func policy(_ policy: String, of page: [UInt8]) -> String {
    inlined.values.filter { page.firstRange(of: Array($0.utf8)) == nil }.reduce(policy) {
      $0.replacing(" " + hash(of: $1), with: "")
    }
  }

  /// The files by their paths in the folder.
  private static func files(in folder: String) -> [String: [UInt8]] {
    let paths = EmbeddedFiles.paths(in: folder)
    return Dictionary(uniqueKeysWithValues: paths.map { ($0, EmbeddedFiles.bytes(of: folder + $0)) })
  }

  /// The operator's own folder, whose files replace ours one by one, or `nil` if there is none.
  ///
  /// - Throws: `AskFault` if it is given and does not exist.
  static func folder(_ given: String?, for option: String) throws(AskFault) -> String? {
    var isDirectory: ObjCBool = false
    guard let given,
      unsafe !FileManager.default.fileExists(atPath: given, isDirectory: &isDirectory) || !isDirectory.boolValue
    else { return given }
    throw AskFault.setup("there is no folder \(given); name one with \(option), or leave the option out")
  }
}
