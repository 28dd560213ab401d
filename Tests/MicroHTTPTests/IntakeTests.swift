import Testing

@testable import MicroHTTP

/// What is handed on of what comes, however it comes.
@Suite struct `An intake` {
  static let limits = HeadReader.Limits(targetBytes: 40, headerBytes: 200, headers: 8, bodyBytes: 100)
  static let again = -11

  /// What is handed on of these parts, when each read has so much room.
  static func handOver(_ parts: [[UInt8]], room: Int) -> (bytes: [UInt8], intake: Intake) {
    var intake = Intake(limits: limits, again: again)
    return (handOver(parts, room: room, through: &intake), intake)
  }

  static func handOver(_ parts: [[UInt8]], room: Int, through intake: inout Intake) -> [UInt8] {
    var parts = parts[...]
    var handedOn: [UInt8] = []
    var buffer = [UInt8](repeating: 0xFF, count: room)
    while true {
      var span = buffer.mutableSpan
      let count = intake.read(into: &span) { room in
        guard var part = parts.first else { return 0 }
        // An empty part is a pause.
        guard !part.isEmpty else {
          parts.removeFirst()
          return again
        }
        let count = min(room.count, part.count)
        for index in 0..<count { room[index] = part[index] }
        part.removeFirst(count)
        if part.isEmpty { parts.removeFirst() } else { parts[parts.startIndex] = part }
        return count
      }
      if count == 0 || intake.error != nil && count == again { return handedOn }
      if count > 0 { handedOn += buffer[..<count] }
    }
  }

  static let valid = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\na\nb\r\n\r\n"
  static let next = "GET /b HTTP/1.1\r\nHost: x\r\n\r\n"
  static let last = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

  /// A text in two parts with a pause between, cut at each place, and in parts of one byte.
  static func cuts(_ text: String) -> [[[UInt8]]] {
    let bytes = Array(text.utf8)
    return bytes.indices.map { [Array(bytes[..<$0]), [], Array(bytes[$0...])] }
      + [bytes.flatMap { [[$0], []] }]
  }

  /// Promise 3.2
  @Test(arguments: [1, 7, 64, 4096])
  func `hands valid requests over as they are, without empty lines before them, however they come`(room: Int) {
    for parts in Self.cuts("\r\n\(Self.valid)\(Self.next)\r\n\r\n\(Self.valid)") {
      let (bytes, intake) = Self.handOver(parts, room: room)
      #expect(String(decoding: bytes, as: UTF8.self) == Self.valid + Self.next + Self.valid)
      #expect(intake.requests == 3)
      #expect(intake.error == nil)
    }
  }

  /// Promise 3.2
  @Test(arguments: [1, 7, 64, 4096])
  func `puts a request of its own in the place of what is rejected, and nothing after`(room: Int) {
    for fault in ["GET / HTTP/1.1\r\nHost: x\r\n:\n", "GET / HTTP/1.1\r\nHost: x\r\n\0\n", "\n", "GET / HTTP/1.1\n"] {
      for parts in Self.cuts("\r\n\(Self.valid)\(fault)\(Self.next)") {
        let (bytes, intake) = Self.handOver(parts, room: room)
        #expect(String(decoding: bytes, as: UTF8.self) == Self.valid + Self.last)
        #expect(intake.requests == 2)
        #expect(intake.error != nil)
      }
    }
  }

  @Test func `hands nothing on of a head that is not complete`() {
    for end in 1..<Self.next.utf8.count {
      let (bytes, intake) = Self.handOver([Array(Self.next.utf8.prefix(end))], room: 4096)
      #expect(bytes == [])
      #expect(intake.requests == 0)
    }
  }

  @Test func `reads no more of a head than may be`() {
    let (bytes, intake) = Self.handOver([Array(repeating: 0x41, count: 1 << 20)], room: 64)
    #expect(String(decoding: bytes, as: UTF8.self) == Self.last)
    #expect(intake.error == .badRequest(.methodTooLong(limit: 40)))
  }

  @Test(arguments: [
    ("Content-Length: 12 \t", "Content-Length:   12"), ("Content-Length:12\t\t\t", "Content-Length:   12"),
    ("Content-Length: 12", "Content-Length: 12"), ("cOOKIE: a=b", "cOOKIE:    "), ("Cookies: a", "Cookies: a"),
    ("Content-Length:12", "Content-Length:12"),
  ])
  func `writes what libmicrohttpd would reject by itself in another way`(header: String, written: String) {
    let text = "HEAD / HTTP/1.0\r\n\(header)\r\n\r\n"
    let (bytes, _) = Self.handOver([Array(text.utf8)], room: 4096)
    #expect(String(decoding: bytes, as: UTF8.self) == "HEAD / HTTP/1.0\r\n\(written)\r\n\r\n")
  }

  @Test func `has a HEAD that is rejected get no body`() {
    let (bytes, _) = Self.handOver([Array("HEAD / HTTP/1.1\r\n\r\n".utf8)], room: 4096)
    #expect(String(decoding: bytes, as: UTF8.self) == Self.last.replacing("GET", with: "HEAD"))
  }
}
