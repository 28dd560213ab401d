/// Bytes that never change and never move, so that any number of responses may
/// be sending them at once.
package final class SharedBytes: @unchecked Sendable {
  // Sendable by proof: written in `init` alone, freed when nobody is left.
  let buffer: UnsafeRawBufferPointer

  package init(_ bytes: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyBytes(from: bytes)
    buffer = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  deinit { buffer.baseAddress.map { UnsafeMutableRawPointer(mutating: $0).deallocate() } }

  package var count: Int { buffer.count }
  package var bytes: [UInt8] { Array(buffer) }
}
