/// What libmicrohttpd is given to read of one connection: whole heads that
/// `HeadReader` has read, and the bodies that they announce.
///
/// Bytes go from their source into libmicrohttpd's memory and are read there. A
/// head that is not complete is taken out and held until it is. In the place of
/// a head that is refused stands a request of our own, the last one, whose
/// answer says why; what came after it is dropped.
struct Intake {
  private let limits: HeadReader.Limits
  /// What its source says where there is nothing to read for now.
  private let again: Int
  private var head: HeadReader
  private var bodyLeft = 0
  /// Bytes that have come and were not handed on.
  private var held: [UInt8] = []
  /// How many of them may be.
  private var sound = 0
  /// How many requests have been handed on, or will be.
  private(set) var requests: UInt32 = 0
  /// Why the last of them is not what was sent.
  private(set) var refusal: HTTPError?

  init(limits: HeadReader.Limits, again: Int) {
    self.limits = limits
    self.again = again
    head = HeadReader(limits: limits)
  }

  /// Reads as much as there is, or as there is room for: libmicrohttpd asks again only when it was given as much as
  /// it had room for, or the kernel says that more has come.
  ///
  /// - Parameter source: reads some bytes; returns how many, 0 at the end, or a negative code.
  /// - Returns: the same.
  mutating func read(
    into buffer: UnsafeMutableRawBufferPointer, from source: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    var filled = 0
    while true {
      filled += handOn(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      if filled == buffer.count { return filled }
      if refusal != nil { return filled > 0 ? filled : again }
      let count: Int
      if held.isEmpty {
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        count = source(room)
        guard count > 0 else { return filled > 0 ? filled : count }
        let checked = check(UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
        filled += checked
        if refusal == nil { held.append(contentsOf: room[checked..<count]) } else { refuse() }
        if held.isEmpty, count < room.count { return filled }
      } else {
        count = readOn(from: source)
        guard count > 0 else { return filled > 0 ? filled : count }
      }
    }
  }

  /// Reads behind what is held, which is the beginning of a head.
  private mutating func readOn(from source: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    let start = held.count
    held.append(contentsOf: repeatElement(0, count: limits.bytes + 1 - start))
    let count = held.withUnsafeMutableBytes { source(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    held.removeLast(held.count - start - max(count, 0))
    guard count > 0 else { return count }
    // Taken out meanwhile: it cannot be read here and changed as well.
    var bytes = held
    held = []
    sound = bytes.withUnsafeMutableBytes { check($0) }
    held = bytes
    if refusal != nil { refuse() }
    return count
  }

  /// Looks at bytes that have come, from the beginning of a head or within a body.
  ///
  /// - Returns: how many of them may be handed on.
  private mutating func check(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
    var checked = 0
    while checked < bytes.count {
      if bodyLeft > 0 {
        let count = min(bodyLeft, bytes.count - checked)
        bodyLeft -= count
        checked += count
        continue
      }
      do throws(HTTPError) {
        guard let read = try head.read(UnsafeMutableRawBufferPointer(rebasing: bytes[checked...])) else {
          return checked
        }
        checked += read.count
        bodyLeft = read.contentLength
        requests &+= 1
        head = HeadReader(limits: limits)
      } catch {
        refusal = error
        return checked
      }
    }
    return checked
  }

  /// Puts the last request in the place of what is refused.
  private mutating func refuse() {
    held.removeLast(held.count - sound)
    // An answer to HEAD has no body.
    held += "\(head.isHead ? "HEAD" : "GET") / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8
    sound = held.count
    requests &+= 1
  }

  /// - Returns: how many bytes there were, or there was room for.
  private mutating func handOn(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(sound, buffer.count)
    guard count > 0 else { return 0 }
    held.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    sound -= count
    if count == held.count { held = [] } else { held.removeFirst(count) }
    return count
  }
}
