/// Bytes that never change and never move, so that any number of responses may
/// be sending them at once.
public final class SharedBytes: @unchecked Sendable {
  // Sendable by proof: written in `init` alone, freed when nobody is left.
  let buffer: UnsafeRawBufferPointer

  public init(_ bytes: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyBytes(from: bytes)
    buffer = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  deinit { buffer.baseAddress.map { UnsafeMutableRawPointer(mutating: $0).deallocate() } }

  public var count: Int { buffer.count }
  public var bytes: [UInt8] { Array(buffer) }
}
