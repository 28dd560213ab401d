internal import Foundation
internal import Glibc

/// Notices when files in folders change, appear or disappear, whichever way an editor saves and whatever the file system
/// reports: it looks at them several times a second.
struct FolderWatch: Sendable {
  struct Folder: Sendable {
    let path: String
    /// Whether the folders in it count as well.
    let isDeep: Bool
  }

  /// What tells one state of a file from another: device, file, size, when it was modified and when it was changed.
  private typealias Mark = [Int]

  private let folders: [Folder]
  private let first: [String: Mark]

  private static let interval: TimeInterval = 0.15

  /// Takes the first look.
  init(_ folders: [Folder]) {
    self.folders = folders
    first = Self.look(at: folders)
  }

  /// Calls this after every change since the first look, on a thread of its own, until the program ends.
  func start(_ changed: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      var (told, last) = (first, first)
      while true {
        Thread.sleep(forTimeInterval: Self.interval)
        let now = Self.look(at: folders)
        // Editors write a file in several steps: a save is over when two looks see the same.
        if now == last, now != told {
          told = now
          changed()
        }
        last = now
      }
    }
  }

  /// Hidden files do not count: nothing that is served reads them.
  private static func look(at folders: [Folder]) -> [String: Mark] {
    var marks: [String: Mark] = [:]
    var waiting = folders
    while let folder = waiting.popLast() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] where !name.hasPrefix(".") {
        let path = folder.path + "/" + name
        var status = stat()
        guard stat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          var link = stat()
          // As the server reads them: not through links, which could lead round in a circle.
          if folder.isDeep, lstat(path, &link) == 0, link.st_mode & S_IFMT == S_IFDIR {
            waiting.append(Folder(path: path, isDeep: true))
          }
        } else {
          marks[path] =
            [Int(status.st_dev), Int(status.st_ino), Int(status.st_size)]
            + [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
        }
      }
    }
    return marks
  }
}
