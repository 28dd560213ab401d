/// Checks that the parts of a head, as libmicrohttpd parsed them, tile the
/// bytes that it received: part after part, with exactly CR LF between lines.
///
/// libmicrohttpd 0.9 cuts the head in place, and where the parts leave a gap it
/// was lenient: a line ended by a bare LF, a folded line (whose continuation it
/// adds to the header's *name*), a NUL, spaces around the target. Any of these
/// could be read differently elsewhere, and none is left in the parts to see.
struct HeadLayout {
  private var next: UnsafeRawPointer
  private let start: UnsafeRawPointer

  /// Nil when the request line's parts do not tile it.
  init?(
    method: UnsafeRawBufferPointer, target: UnsafeRawBufferPointer, version: UnsafeRawBufferPointer
  ) {
    guard let start = method.baseAddress, let targetStart = target.baseAddress,
      let versionStart = version.baseAddress,
      targetStart == start + method.count + 1,
      versionStart == targetStart + target.count + 1
    else { return nil }
    self.start = start
    next = versionStart + version.count + 2
  }

  /// Takes the next header; false when it does not follow on the one before.
  mutating func take(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
    guard let nameStart = name.baseAddress, let valueStart = value.baseAddress,
      nameStart == next
    else { return false }
    let gap = valueStart - (nameStart + name.count)
    // The colon and white space; nothing is read before it is known to lie inside the head.
    guard gap >= 1, gap < 1 << 16 else { return false }
    let between = UnsafeRawBufferPointer(start: nameStart + name.count + 1, count: gap - 1)
    guard between.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return false }
    next = valueStart + value.count + 2
    return true
  }

  /// True when the head ends after an empty line here, `byteCount` bytes from its start.
  func ends(after byteCount: Int) -> Bool { next + 2 == start + byteCount }
}
