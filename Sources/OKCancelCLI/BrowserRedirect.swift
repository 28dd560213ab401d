internal import Foundation
internal import Glibc
internal import OKCancel
internal import Synchronization

/// Opens links in this machine's browser so that no other user sees them.
///
/// Everybody can read a browser's arguments in the list of processes. So it gets a file that only this user can read,
/// which redirects it to the link and is removed when the question has ended.
final class BrowserRedirect: Sendable {
  private let file = Mutex<(path: String?, isRemoved: Bool)>((nil, false))

  /// How long it is waited for a sign that no browser opens. An opener that runs longer shows the page itself.
  private static let patience: TimeInterval = 5

  /// - Parameter link: of http or https; others are not opened.
  /// - Returns: why no browser opens, or `nil` if one does.
  func open(_ link: String) async -> String? {
    guard Rule.url.isValid(link) else { return "the link is not the address of a web page" }
    let path = FileManager.default.temporaryDirectory.appending(path: "okcancel-\(UUID().uuidString).html").path
    let isWritten = file.withLock { file in
      guard !file.isRemoved, Self.write(Self.page(to: link), to: path) else { return false }
      file.path = path
      return true
    }
    guard isWritten else {
      return "no file can be made in \(FileManager.default.temporaryDirectory.path), which the browser would read"
    }
    let opener = Process()
    opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    opener.arguments = ["xdg-open", path]
    opener.environment = ProcessInfo.processInfo.environment.filter { !Secrets.variables.contains($0.key) }
    opener.standardOutput = FileHandle.nullDevice
    opener.standardError = FileHandle.nullDevice
    return await withCheckedContinuation { done in
      let ended = Once(done)
      opener.terminationHandler = { opener in
        let status = opener.terminationStatus
        let reason = status == 127 ? "there is no xdg-open" : "xdg-open ended with the exit code \(status)"
        ended.resume(status == 0 ? nil : "no browser opens on this machine: \(reason)")
      }
      do { try opener.run() } catch { return ended.resume("no browser opens on this machine: xdg-open cannot be run") }
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { ended.resume(nil) }
    }
  }

  /// A continuation that takes the first of several results.
  private final class Once: Sendable {
    private let continuation: Mutex<CheckedContinuation<String?, Never>?>

    init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = Mutex(continuation) }

    func resume(_ result: String?) { continuation.withLock { $0.take() }?.resume(returning: result) }
  }

  func remove() {
    file.withLock { file in
      if let path = file.path { unlink(path) }
      file = (nil, true)
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
