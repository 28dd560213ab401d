internal import Foundation
internal import OKCancel
internal import Prompts
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// Opens links in this machine's browser so that no other user sees them.
///
/// Everybody can read a browser's arguments in the list of processes. So it gets a file that only this user can read,
/// which redirects it to the link and is removed when the question has ended.
final class BrowserRedirect: Sendable {
  /// The files that were made, or `nil` once they are removed.
  private let files = Mutex<[String]?>([])

  /// - Parameter link: of http or https; others are not opened.
  /// - Returns: why no browser opens, or `nil` if one does.
  func open(_ link: String) async -> PlainError? {
    guard Rule.url.isValid(link) else { return PlainError(row: "link") }
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "okcancel-\(UUID().uuidString).html").path
    let isMade = files.withLock { files in
      guard files != nil, (try? Self.write(Self.page(to: link), to: path)) != nil else { return false }
      files?.append(path)
      return true
    }
    guard isMade else { return PlainError(row: "page", ["folder": folder.path]) }
    let (endings, ended) = AsyncStream.makeStream(of: PlainError?.self)
    // An opener that runs longer than it is waited for shows the page itself.
    Task { ended.yield(await Self.open(path)) }
    Task {
      try? await Task.sleep(for: .seconds(5))
      ended.yield(nil)
    }
    return await endings.first { _ in true } ?? nil
  }

  private static func open(_ path: String) async -> PlainError? {
    let result = try? await Subprocess.run(
      ChildProcess.configuration("/usr/bin/env", ["xdg-open", path]), output: .discarded)
    return switch result?.terminationStatus {
    case .exited(0)?: nil
    case .exited(127)?: PlainError(row: "browser-missing")
    case .exited(let code)?, .signaled(let code)?: PlainError(row: "browser-ended", ["code": code])
    case nil: PlainError(row: "browser-not-run")
    }
  }

  func remove() {
    files.withLock { files in
      for path in files ?? [] { unlink(path) }
      files = nil
    }
  }

  private static func write(_ page: String, to path: String) throws {
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
    try file.closeAfter { _ = try file.writeAll(page.utf8) }
  }

  private static func page(to link: String) -> String {
    let link = [("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;")]
      .reduce(link) { $0.replacing($1.0, with: $1.1) }
    return EmbeddedFiles.text(of: "Sources/OKCancelCLI/redirect.html").replacing("{link}", with: link)
  }
}
