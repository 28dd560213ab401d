internal import Files
internal import Glibc
internal import Synchronization

/// The folder that the system's time zones are in. Zones are read when they are first asked for, and kept.
package final class ZoneFolder: Sendable {
  /// Its path.
  package let path: String
  private let known = Mutex<[String: Zone]>([:])

  /// More zones than the database has names. Beyond that, they are read each time.
  private static let limit = 1_024

  package init(_ path: String) { self.path = path }

  /// The folder that `TZDIR` names, or `/usr/share/zoneinfo`.
  package static let system: ZoneFolder = {
    let named = getenv("TZDIR").map { String(cString: $0) } ?? ""
    return ZoneFolder(named.isEmpty ? "/usr/share/zoneinfo" : named)
  }()

  /// Whether there are time zones in it at all.
  package var isInstalled: Bool { zone(named: "Etc/UTC") != nil }

  /// The zone of this name in the IANA database; `nil` if the folder has none.
  package func zone(named name: String) -> Zone? {
    guard Self.isName(name) else { return nil }
    if let zone = known.withLock({ $0[name] }) { return zone }
    guard let zone = name == "UTC" ? .utc : read(name) else { return nil }
    known.withLock { if $0.count < Self.limit { $0[name] = zone } }
    return zone
  }

  /// Whether a text can name a zone: words of ASCII letters, digits, `_`, `+` and `-` with single slashes between them.
  /// So it names no file outside the folder.
  package static func isName(_ text: String) -> Bool {
    let utf8 = text.utf8
    guard utf8.count <= 64 else { return false }
    let words = utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // `right` and `posix` hold the database once more, with leap seconds and without.
    guard words[0].first.map({ (0x41...0x5A).contains($0) }) ?? false else { return false }
    return words.allSatisfy { word in
      !word.isEmpty
        && word.allSatisfy {
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || "_+-".utf8.contains($0)
        }
    }
  }

  /// Reads a zone's file, unless it is a link to one outside the folder.
  private func read(_ name: String) -> Zone? {
    guard let root = Self.realPath(path), let file = Self.realPath("\(path)/\(name)"), file.hasPrefix(root + "/")
    else { return nil }
    return (try? RegularFile(file, first: Zone.fileLimit + 1, followingLink: false)).flatMap { file in
      Zone(name: name, file: file.bytes)
    }
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
