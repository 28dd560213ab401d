internal import Foundation
internal import Platform

/// Notices when files in folders change, appear or disappear, whichever way an editor saves and whatever the file system
/// reports: it looks at them several times a second.
struct FolderWatch: Sendable {
  /// A folder, or `nil` if there is none, and whether the folders in it count as well.
  typealias Folder = (path: String?, isDeep: Bool)

  /// Identifies the state of a file: device, file, size, and the times of its last modification and change.
  private typealias Mark = [Int]

  private let folders: [Folder]
  private let first: [String: Mark]

  /// Takes the first look.
  init(_ folders: [Folder]) {
    self.folders = folders
    first = Self.look(at: folders)
  }

  /// Calls this after every change since the first look, on a thread of its own, until the program ends.
  func start(_ changed: @escaping @Sendable () -> Void) {
    OwnThread.run {
      var (told, last) = (first, first)
      while true {
        usleep(150_000)
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

  /// Hidden files do not count: nothing that is served reads them. Nor do links to folders, as the server reads them.
  private static func look(at folders: [Folder]) -> [String: Mark] {
    var marks: [String: Mark] = [:]
    for case (let folder?, let isDeep) in folders {
      let files = FileManager.default
      let names = try? isDeep ? files.subpathsOfDirectory(atPath: folder) : files.contentsOfDirectory(atPath: folder)
      for name in names ?? [] where !"/\(name)".contains("/.") {
        let path = folder + "/" + name
        var status = stat()
        // A link that leads nowhere counts by itself, and a name that is not UTF-8 by being there.
        if stat(path, &status) != 0, lstat(path, &status) != 0 { status = stat() }
        if status.st_mode & S_IFMT == S_IFDIR { continue }
        marks[path] =
          [Int(status.st_dev), Int(status.st_ino), Int(status.st_size)]
          + [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
      }
    }
    return marks
  }
}
