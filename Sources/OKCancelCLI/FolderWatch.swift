internal import Foundation
internal import Glibc

/// Notices when files in folders change, appear or disappear, whichever way an editor saves.
///
/// inotify(7) only says when to look. What counts is whether the files differ from those of the last look, so that no
/// editor's order of renames, swap files and partial writes matters. Every two seconds it looks anyway: some file systems
/// report nothing, a folder may have been replaced, and links may lead elsewhere.
final class FolderWatch: Sendable {
  struct Folder: Sendable {
    let path: String
    /// Whether the folders in it count as well.
    let isDeep: Bool
  }

  /// What tells one state of a file from another.
  private struct Mark: Equatable {
    let device: UInt
    let inode: UInt
    let size: Int
    let modified: timespec
    let changed: timespec

    static func == (one: Mark, other: Mark) -> Bool {
      (one.device, one.inode, one.size) == (other.device, other.inode, other.size)
        && (one.modified.tv_sec, one.modified.tv_nsec) == (other.modified.tv_sec, other.modified.tv_nsec)
        && (one.changed.tv_sec, one.changed.tv_nsec) == (other.changed.tv_sec, other.changed.tv_nsec)
    }
  }

  private let folders: [Folder]
  private let inotify: Int32
  private let first: [String: Mark]

  private static let pause: Int32 = 2000
  /// Editors write a file in several steps; a save is over when nothing has happened for so long.
  private static let quiet: Int32 = 60
  /// But not later than after so many events in a row.
  private static let patience = 20

  /// Takes the first look.
  init(_ folders: [Folder]) {
    self.folders = folders
    // Without one, looking every two seconds has to do.
    inotify = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    first = Self.look(at: folders, inotify)
  }

  /// Calls this after every change since the first look, on a thread of its own, until the program ends.
  func start(_ changed: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      var last = self.first
      while true {
        var events = 0
        while self.wait(events == 0 ? Self.pause : Self.quiet), events < Self.patience { events += 1 }
        let now = Self.look(at: self.folders, self.inotify)
        guard now != last else { continue }
        last = now
        changed()
      }
    }
  }

  /// Whether something has happened within so many milliseconds.
  private func wait(_ milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: inotify, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
    var events = [UInt8](repeating: 0, count: 16 * 1024)
    while read(inotify, &events, events.count) > 0 {}
    return true
  }

  /// Hidden files do not count: nothing that is served reads them.
  private static func look(at folders: [Folder], _ inotify: Int32) -> [String: Mark] {
    var marks: [String: Mark] = [:]
    var waiting = folders
    while let folder = waiting.popLast() {
      let events = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
      // The same folder gets the same watch, and its replacement a new one; that of a removed folder goes with it.
      inotify_add_watch(inotify, folder.path, UInt32(events))
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
          marks[path] = Mark(
            device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
            modified: status.st_mtim, changed: status.st_ctim)
        }
      }
    }
    return marks
  }
}
