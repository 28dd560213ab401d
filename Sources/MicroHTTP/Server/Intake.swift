/// Filters what libmicrohttpd reads from one connection: it gets only complete heads that `HeadReader` has checked, and
/// the bodies that they announce, those in chunks as `ChunkReader` has checked them.
///
/// Bytes go from their source into libmicrohttpd's memory and are read there. A head that is not complete is taken out
/// and held until it is, and so is the line of a chunk. A head that is rejected is replaced by a request of our own, the
/// last one, whose response says why, and chunks that are wrong end the body; what came after is dropped.
struct Intake {
  private let limits: HeadReader.Limits
  /// The result of the source if there is nothing to read for now.
  private let again: Int
  private var head: HeadReader
  private var bodyLeft = 0
  /// Reads the current body, if it comes in chunks.
  private var chunks: ChunkReader?
  /// Bytes that were received and not yet handed over.
  private var held: [UInt8] = []
  /// The number of bytes of `held` that have been checked and may be handed over.
  private var checkedCount = 0
  /// The number of requests that have been handed over, or will be.
  private(set) var requests: UInt32 = 0
  /// The error for which the last request was rejected and replaced, or its body ended, or `nil` if none was.
  private(set) var error: HTTPError?
  /// True if the error is in a body.
  var isInBody: Bool { chunks != nil }

  init(limits: HeadReader.Limits, again: Int) {
    self.limits = limits
    self.again = again
    head = HeadReader(limits: limits)
  }

  /// Reads as much as there is, or as there is room for: libmicrohttpd asks again only if the buffer was filled, or the
  /// kernel says that more has come.
  ///
  /// - Parameter source: reads some bytes; returns how many, 0 at the end, or a negative code.
  /// - Returns: the same.
  mutating func read(into buffer: inout MutableSpan<UInt8>, from source: (inout MutableSpan<UInt8>) -> Int) -> Int {
    var filled = 0
    while true {
      filled += handOver(into: &buffer, from: filled)
      if filled == buffer.count { return filled }
      if error != nil { return filled > 0 ? filled : again }
      let count: Int
      if held.isEmpty {
        var room = buffer._mutatingExtracting(filled...)
        count = source(&room)
        guard count > 0 else { return filled > 0 ? filled : count }
        let (checked, kept) = check(&room, count)
        filled += kept
        if error == nil { for index in checked..<count { held.append(room[index]) } } else { end() }
        if held.isEmpty, count < room.count { return filled }
      } else {
        count = readOn(from: source)
        guard count > 0 else { return filled > 0 ? filled : count }
      }
    }
  }

  /// Reads behind what is held, which is the beginning of a head or of a chunk's line.
  private mutating func readOn(from source: (inout MutableSpan<UInt8>) -> Int) -> Int {
    // Moved out of `held` meanwhile, because Swift forbids access to `held` while `check` changes `self`.
    var bytes = held
    held = []
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: limits.bytes + 1 - start))
    var all = bytes.mutableSpan
    var room = all._mutatingExtracting(start...)
    let count = source(&room)
    var checked = 0
    if count > 0 { (checked, checkedCount) = check(&all, start + count) }
    bytes.removeLast(bytes.count - start - max(count, 0))
    bytes.removeSubrange(checkedCount..<max(checked, checkedCount))
    held = bytes
    if error != nil { end() }
    return count
  }

  /// Looks at the first bytes of these, from the beginning of a head or within a body.
  ///
  /// - Returns: how many of them were checked, and how many of those, now at the beginning, may be handed over.
  private mutating func check(_ bytes: inout MutableSpan<UInt8>, _ count: Int) -> (checked: Int, kept: Int) {
    var (checked, kept) = (0, 0)
    do throws(HTTPError) {
      while checked < count {
        var rest = bytes._mutatingExtracting(checked..<count)
        guard let piece = try piece(of: &rest) else { break }
        checked += piece.count
        let start = checked - piece.kept
        if kept < start { for index in 0..<piece.kept { bytes[kept + index] = bytes[start + index] } }
        kept += piece.kept
      }
    } catch {
      self.error = error
    }
    return (checked, kept)
  }

  /// Reads a head, or a part of a body.
  ///
  /// - Returns: how many bytes it has, and how many of these, at its end, may be handed over; `nil` if it is not complete.
  private mutating func piece(of bytes: inout MutableSpan<UInt8>) throws(HTTPError) -> (count: Int, kept: Int)? {
    if bodyLeft > 0 {
      let part = min(bodyLeft, bytes.count)
      bodyLeft -= part
      return (part, part)
    }
    if let piece = try chunks?.read(&bytes) {
      if chunks?.isAtEnd == true { chunks = nil }
      return piece
    }
    guard chunks == nil, let read = try head.read(&bytes) else { return nil }
    if let length = read.contentLength { bodyLeft = length } else { chunks = ChunkReader(limit: limits.chunkedBytes) }
    requests &+= 1
    head = HeadReader(limits: limits)
    return (read.count, read.count - read.emptyBytes)
  }

  /// Ends what is handed over: the body, or with a request of our own, the last one of the connection, in the place of a
  /// head.
  private mutating func end() {
    held.removeLast(held.count - checkedCount)
    if let chunks {
      held += chunks.ending.utf8
    } else {
      // A response to HEAD has no body.
      held += "\(head.isHead ? "HEAD" : "GET") / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8
      requests &+= 1
    }
    checkedCount = held.count
  }

  /// - Returns: how many bytes there were, or there was room for.
  private mutating func handOver(into buffer: inout MutableSpan<UInt8>, from start: Int) -> Int {
    let count = min(checkedCount, buffer.count - start)
    guard count > 0 else { return 0 }
    for index in 0..<count { buffer[start + index] = held[index] }
    checkedCount -= count
    if count == held.count { held = [] } else { held.removeFirst(count) }
    return count
  }
}
