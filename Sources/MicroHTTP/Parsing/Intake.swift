/// Filters what libmicrohttpd reads from one connection: it gets only complete heads that `HeadReader` has checked, and
/// the bodies that they announce.
///
/// Bytes go from their source into libmicrohttpd's memory and are read there. A head that is not complete is taken out
/// and held until it is. A head that is rejected is replaced by a request of our own, the last one, whose response says
/// why; what came after it is dropped.
struct Intake {
  private let limits: HeadReader.Limits
  /// What the source returns if there is nothing to read for now.
  private let again: Int
  private var head: HeadReader
  private var bodyLeft = 0
  /// Bytes that were received and not yet handed over.
  private var held: [UInt8] = []
  /// How many of `held` have been checked and may be handed over.
  private var checkedCount = 0
  /// How many requests have been handed over, or will be.
  private(set) var requests: UInt32 = 0
  /// Why the last request was rejected and replaced, or `nil` if none was.
  private(set) var error: HTTPError?

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
        let checked = check(&room, count)
        filled += checked
        if error == nil { for index in checked..<count { held.append(room[index]) } } else { replaceRequest() }
        if held.isEmpty, count < room.count { return filled }
      } else {
        count = readOn(from: source)
        guard count > 0 else { return filled > 0 ? filled : count }
      }
    }
  }

  /// Reads behind what is held, which is the beginning of a head.
  private mutating func readOn(from source: (inout MutableSpan<UInt8>) -> Int) -> Int {
    // Moved out of `held` meanwhile, because Swift forbids access to `held` while `check` changes `self`.
    var bytes = held
    held = []
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: limits.bytes + 1 - start))
    var all = bytes.mutableSpan
    var room = all._mutatingExtracting(start...)
    let count = source(&room)
    if count > 0 { checkedCount = check(&all, start + count) }
    bytes.removeLast(bytes.count - start - max(count, 0))
    held = bytes
    if error != nil { replaceRequest() }
    return count
  }

  /// Looks at the first bytes of these, from the beginning of a head or within a body.
  ///
  /// - Returns: how many of them may be handed over.
  private mutating func check(_ bytes: inout MutableSpan<UInt8>, _ count: Int) -> Int {
    var checked = 0
    while checked < count {
      if bodyLeft > 0 {
        let part = min(bodyLeft, count - checked)
        bodyLeft -= part
        checked += part
        continue
      }
      do throws(HTTPError) {
        var rest = bytes._mutatingExtracting(checked..<count)
        guard let read = try head.read(&rest) else { return checked }
        checked += read.count
        bodyLeft = read.contentLength
        requests &+= 1
        head = HeadReader(limits: limits)
      } catch {
        self.error = error
        return checked
      }
    }
    return checked
  }

  /// Replaces the rejected bytes with a request of our own, the last one of the connection.
  private mutating func replaceRequest() {
    held.removeLast(held.count - checkedCount)
    // A response to HEAD has no body.
    held += "\(head.isHead ? "HEAD" : "GET") / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8
    checkedCount = held.count
    requests &+= 1
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
