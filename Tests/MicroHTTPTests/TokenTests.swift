import Testing

@testable import MicroHTTP

@Suite struct `A header's value` {
  @Test func `has no control character but TAB, wherever it would stand`() {
    for count in 1...25 {
      for place in 0..<count {
        for byte in UInt8.min...UInt8.max {
          var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
          bytes[place] = byte
          let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7F
          #expect(bytes.withUnsafeBytes(Token.isValue) == !isControl, "\(byte) at \(place) of \(count)")
        }
      }
    }
  }

  @Test func `may mix every other byte`() {
    #expect(Array<UInt8>((0x20...0x7E).map { $0 } + (0x80...0xFF) + [0x09]).withUnsafeBytes(Token.isValue))
    #expect([UInt8]().withUnsafeBytes(Token.isValue))
  }
}
