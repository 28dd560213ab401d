internal import Glibc

/// The whole pages of the memory that libmicrohttpd has for one connection.
///
/// Unsafe, because this is libmicrohttpd's memory, found by what is known of the releases 0.9.x: it clears all of it after
/// each request, so that a connection which has served before holds every page of it. One that rests for long can give
/// back those that only hold zeros: they read as zeros again.
struct ConnectionMemory {
  private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

  private let pages: UnsafeMutableRawBufferPointer

  /// libmicrohttpd does not say where its memory begins. The first bytes that it receives are there: the first request's
  /// line, unless empty lines came before it. So the kernel's count decides.
  ///
  /// - Parameters:
  ///   - line: the first request's line, in place. The request must be complete.
  ///   - bytes: of its head and its body.
  ///   - received: bytes that have come on the connection so far.
  ///   - size: bytes of memory, at least.
  /// - Returns: `nil` if more has come than the request.
  init?(from line: UnsafeRawPointer, bytes: Int, received: UInt64, size: Int) {
    guard received == bytes else { return nil }
    let start = line.alignedUp(toMultipleOf: Self.pageSize)
    let end = (line + size).alignedDown(toMultipleOf: Self.pageSize)
    guard start < end else { return nil }
    pages = UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(mutating: start), count: end - start)
  }

  /// Gives back the pages of zeros, while nobody uses the memory.
  func giveBackZeros() {
    var zeros = 0
    for offset in stride(from: 0, to: pages.count, by: Self.pageSize) {
      if isZero(at: offset) {
        zeros += Self.pageSize
      } else {
        giveBack(zeros, before: offset)
        zeros = 0
      }
    }
    giveBack(zeros, before: pages.count)
  }

  private func giveBack(_ count: Int, before end: Int) {
    guard count > 0, let base = pages.baseAddress else { return }
    // If the system refuses, the memory is kept.
    madvise(base + (end - count), count, Int32(MADV_DONTNEED))
  }

  /// True if the page begins with a zero and each byte is as the one before it.
  private func isZero(at offset: Int) -> Bool {
    guard let base = pages.baseAddress else { return false }
    let page = UnsafeRawPointer(base + offset)
    return page.load(as: UInt8.self) == 0 && memcmp(page, page + 1, Self.pageSize - 1) == 0
  }
}
