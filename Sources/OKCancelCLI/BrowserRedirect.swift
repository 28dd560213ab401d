internal import Foundation
internal import Glibc
internal import OKCancel
internal import Synchronization

/// Opens links in this machine's browser so that no other user sees them.
///
/// Everybody can read a browser's arguments in the list of processes. So it gets a file that only this user can read,
/// which redirects it to the link and is removed when the question has ended.
final class BrowserRedirect: Sendable {
  private let file = Mutex<String?>(nil)

  /// - Parameter link: of http or https; others are not opened.
  func open(_ link: String) {
    guard Rule.url.isValid(link) else { return }
    let path = FileManager.default.temporaryDirectory.appending(path: "okcancel-\(UUID().uuidString).html").path
    guard Self.write(Self.page(to: link), to: path) else { return }
    file.withLock { $0 = path }
    let opener = Process()
    opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    opener.arguments = ["xdg-open", path]
    opener.environment = ProcessInfo.processInfo.environment.filter { !Secrets.variables.contains($0.key) }
    opener.standardOutput = FileHandle.nullDevice
    opener.standardError = FileHandle.nullDevice
    try? opener.run()
  }

  func remove() {
    file.withLock { file in
      if let file { unlink(file) }
      file = nil
    }
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
  }

  static func page(to link: String) -> String {
    let link = [("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;")]
      .reduce(link) { $0.replacing($1.0, with: $1.1) }
    return """
      <!doctype html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(link)">
      <title>OKCancel</title>
      <a href="\(link)">Go on</a>

      """
  }
}
