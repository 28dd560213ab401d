internal import Glibc
internal import Platform
internal import Synchronization

/// The folder that the system's time zones are in. Zones are read when they are first asked for, and kept.
final class ZoneFolder: Sendable {
  /// Its path.
  let path: String
  private let known = Mutex<[String: Zone]>([:])

  /// More zones than the database has names. Beyond that, they are read each time.
  private static let limit = 1_024

  init(_ path: String) { self.path = path }

  /// The folder that `TZDIR` names, or `/usr/share/zoneinfo`.
  static let system: ZoneFolder = {
    let named = getenv("TZDIR").map { String(cString: $0) } ?? ""
    return ZoneFolder(named.isEmpty ? "/usr/share/zoneinfo" : named)
  }()

  /// True if the folder holds any time zones.
  var isInstalled: Bool { zone(named: "Etc/UTC") != nil }

  /// The zone of this name in the IANA database; `nil` if the folder has none.
  func zone(named name: String) -> Zone? {
    guard Self.isName(name) else { return nil }
    if let zone = known.withLock({ $0[name] }) { return zone }
    guard let zone = name == "UTC" ? .utc : read(name) else { return nil }
    known.withLock { if $0.count < Self.limit { $0[name] = zone } }
    return zone
  }

  /// True if a text can name a zone: words of ASCII letters, digits, `_`, `+` and `-` with single slashes between them.
  /// So it names no file outside the folder.
  static func isName(_ text: String) -> Bool {
    // `right` and `posix` hold the database once more, with leap seconds and without.
    guard text.utf8.count <= 64, let first = text.utf8.first, (0x41...0x5A).contains(first), !text.hasSuffix("/")
    else { return false }
    return !text.contains("//")
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || "_+-/".utf8.contains($0)
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

// MARK: Files

/// Reads a zone's compiled file, TZif of version 2 or later (RFC 9636).
extension Zone {
  /// The largest file that is read, in bytes. The largest of the database have some 4,000.
  static let fileLimit = 64 * 1024

  /// `nil` if these bytes are no such file, are of version 1, or count leap seconds.
  convenience init?(name: String, file: [UInt8]) {
    guard file.count <= Self.fileLimit else { return nil }
    var reader = Reader(rest: file[...])
    // The first block is for readers of version 1.
    guard let old = reader.header(), old.version >= UInt8(ascii: "2"), reader.skip(old.size(ofTimes: 4)),
      let header = reader.header(), header.leapSeconds == 0, header.types > 0,
      reader.rest.count > header.size(ofTimes: 8)
    else { return nil }

    let times = (0..<header.times).map { _ in reader.integer(8) }
    let indices = (0..<header.times).map { _ in reader.integer(1) & 0xFF }
    let offsets = (0..<header.types).map { _ in
      let offset = reader.integer(4)
      // Whether it is summer time, and what it is called.
      _ = reader.skip(2)
      return offset
    }
    // More than a day east or west is nowhere (RFC 9636, 3.2).
    guard indices.allSatisfy({ $0 < header.types }), offsets.allSatisfy({ -90_000 < $0 && $0 < 93_600 }),
      zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }),
      reader.skip(header.characters + header.standardIndicators + header.utcIndicators)
    else { return nil }

    guard reader.rest.first == 0x0A, let end = reader.rest.dropFirst().firstIndex(of: 0x0A) else { return nil }
    let footer = reader.rest[..<end].dropFirst()
    let rest = YearlyRule(String(decoding: footer, as: UTF8.self))
    guard footer.isEmpty || rest != nil else { return nil }
    // A time far outside the years of four digits could overflow when offsets are added.
    let changes = zip(times, indices).map { (Swift.max($0, -1 << 40), offsets[$1]) }
    guard changes.allSatisfy({ $0.0 < 1 << 40 }) else { return nil }
    self.init(name: name, first: offsets[0], changes: changes, rest: rest)
  }
}

private struct Header {
  let version: UInt8
  let utcIndicators, standardIndicators, leapSeconds, times, types, characters: Int

  /// The block after it, in bytes.
  func size(ofTimes width: Int) -> Int {
    times * (width + 1) + types * 6 + characters + leapSeconds * (width + 4) + standardIndicators + utcIndicators
  }
}

private struct Reader {
  var rest: ArraySlice<UInt8>

  /// Skips this many bytes, or returns false if there are fewer.
  mutating func skip(_ count: Int) -> Bool {
    guard count <= rest.count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  /// A big-endian number with a sign. The caller has checked that the bytes are there.
  mutating func integer(_ width: Int) -> Int {
    let bytes = rest.prefix(width)
    rest = rest.dropFirst(width)
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = 64 - 8 * width
    return Int(Int64(bitPattern: bits << unused) >> unused)
  }

  mutating func header() -> Header? {
    guard rest.count >= 44, rest.prefix(4).elementsEqual("TZif".utf8) else { return nil }
    let version = rest[rest.startIndex + 4]
    _ = skip(20)
    let counts = (0..<6).map { _ in integer(4) }
    // Nothing can be counted that has no byte in the file.
    guard counts.allSatisfy({ 0 <= $0 && $0 <= Zone.fileLimit }) else { return nil }
    return Header(
      version: version, utcIndicators: counts[0], standardIndicators: counts[1], leapSeconds: counts[2],
      times: counts[3], types: counts[4], characters: counts[5])
  }
}
