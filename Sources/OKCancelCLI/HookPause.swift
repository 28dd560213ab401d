internal import Foundation
internal import OKCancel
internal import Prompts
internal import SystemPackage

/// A pause after a server has failed, in which it is not told that questions are over: each time, the agent would wait.
struct HookPause {
  /// Seconds.
  private static let length = 30
  /// A file as old as the failure, for all hooks of this user; or `nil` if the user has no runtime directory.
  private let path: String?

  init(of server: String) {
    let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    path = folder.map { "\($0)/okcancel-hook-\(JSON.string(server).digest)" }
  }

  var isOn: Bool {
    var status = stat()
    guard let path, lstat(path, &status) == 0 else { return false }
    return (0..<Self.length).contains(time(nil) &- status.st_mtim.tv_sec)
  }

  func begin() {
    end()
    guard let path else { return }
    try? FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite
    ).close()
  }

  func end() { if let path { unlink(path) } }
}
