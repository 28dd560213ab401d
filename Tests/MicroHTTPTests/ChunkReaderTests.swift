import TestSupport
import Testing

@testable import MicroHTTP

/// What is handed on of a body in chunks, however it comes.
@Suite struct `A body in chunks` {
  static let head = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
  static let next = "GET /b HTTP/1.1\r\nHost: x\r\n\r\n"

  /// What is handed on of these parts of a body and of the request behind it, or the error.
  static func read(_ parts: [[UInt8]], room: Int = 4096, limit: Int = 40) -> (handedOn: String, error: HTTPError?) {
    var intake = Intake(limits: HeadReader.Limits(headerBytes: 200, chunkedBytes: limit), again: `An intake`.again)
    let bytes = `An intake`.handOver(parts, room: room, through: &intake)
    return (String(decoding: bytes, as: UTF8.self), intake.error)
  }

  /// Bodies behind the head, cut as `An intake` does.
  static func cuts(_ body: String) -> [[[UInt8]]] { `An intake`.cuts(body).map { [Array(head.utf8)] + $0 } }

  @Test(arguments: [
    ("0\r\n\r\n", "0\r\n\r\n"),
    ("5\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n"),
    ("00005\r\nhello\r\n000\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n"),
    (
      "a\r\n0123456789\r\nA\r\n\r\n\r\n\r\n\r\n\r\n\r\n0\r\n\r\n",
      "a\r\n0123456789\r\nA\r\n\r\n\r\n\r\n\r\n\r\n\r\n0\r\n\r\n"
    ),
    ("1;a\r\nx\r\n0\r\n\r\n", "1\r\nx\r\n0\r\n\r\n"),
    ("01;a=b;c=\"d;e\\\"\"\r\nx\r\n0 ; a = \"\"\r\n\r\n", "1\r\nx\r\n0\r\n\r\n"),
    ("1\r\nx\r\n0\r\nA: b\r\nContent-Length: 5\r\n\r\n", "1\r\nx\r\n0\r\n\r\n"),
  ])
  func `is handed on without zeros, extensions and trailers`(sent: String, handedOn: String) {
    for room in [1, 7, 4096] {
      for parts in Self.cuts(sent + Self.next) {
        let (bytes, error) = Self.read(parts, room: room)
        #expect(bytes == Self.head + handedOn + Self.next)
        #expect(error == nil)
      }
    }
  }

  @Test(arguments: [
    "", " ", "-", "+", "-1", "+1", "0x1", "x", "1x", "g", " 1", "1 ", "1\t", "1_0", "١", "1,", "1;", "1;;a", "1;=b",
    "1;a=",
    "1;a=b c", "1;a ", "1;a=\"", "1;a=\"b\\\"", "1;a=\"b\"c", "1;a b", "1;\0", "1;a=\"\u{1}\"", "1\r;a", "1\0",
    "1\r\rx",
  ])
  func `ends with 400 where a size is written in another way`(size: String) {
    for text in ["\(size)\r\nx\r\n0\r\n\r\n", "\(size)\nx\r\n0\r\n\r\n"] {
      for parts in Self.cuts("2\r\nab\r\n" + text + Self.next) {
        let (bytes, error) = Self.read(parts)
        #expect(bytes == Self.head + "2\r\nab\r\n0\r\n\r\n", "\(text)")
        #expect(error == .badRequest(.chunks))
      }
    }
  }

  @Test(arguments: [
    ("1\nx\r\n0\r\n\r\n", "0\r\n\r\n", HTTPError.badRequest(.chunks)),
    ("1\r\r\nx\r\n0\r\n\r\n", "0\r\n\r\n", .badRequest(.chunks)),
    ("1\r\nxy\r\n0\r\n\r\n", "1\r\nx\r\n0\r\n\r\n", .badRequest(.chunks)),
    ("1\r\nx\n0\r\n\r\n", "1\r\nx\r\n0\r\n\r\n", .badRequest(.chunks)),
    ("1\r\nx\r0\r\n\r\n", "1\r\nx\r\n0\r\n\r\n", .badRequest(.chunks)),
    ("0\r\n\n", "0\r\n\r\n", .badRequest(.chunks)),
    ("0\r\nA: b\n\r\n", "0\r\n\r\n", .badRequest(.chunks)),
    ("0\r\nA\r\n\r\n", "0\r\n\r\n", .badRequest(.lines)),
    ("0\r\nA : b\r\n\r\n", "0\r\n\r\n", .badRequest(.headerNameIsNoToken)),
    ("0\r\nA: b\r\n c\r\n\r\n", "0\r\n\r\n", .badRequest(.lines)),
    ("0\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n", "0\r\n\r\n", .badRequest(.lines)),
    ("29\r\n", "0\r\n\r\n", .contentTooLarge(limit: 40)),
    (
      "20\r\n0123456789abcdef0123456789abcdef\r\n9\r\n", "20\r\n0123456789abcdef0123456789abcdef\r\n0\r\n\r\n",
      .contentTooLarge(limit: 40)
    ),
    ("ffffffffffffffff\r\n", "0\r\n\r\n", .contentTooLarge(limit: 40)),
    ("10000000000000001\r\n", "0\r\n\r\n", .contentTooLarge(limit: 40)),
    ("8000000000000001\r\n", "0\r\n\r\n", .contentTooLarge(limit: 40)),
    ("1" + String(repeating: "0", count: 200) + "\r\n", "0\r\n\r\n", .contentTooLarge(limit: 40)),
  ])
  func `ends where something else is wrong or too long`(sent: String, handedOn: String, error: HTTPError) {
    for parts in Self.cuts(sent + Self.next) {
      let read = Self.read(parts)
      #expect(read.handedOn == Self.head + handedOn)
      #expect(read.error == error)
    }
  }

  @Test func `is announced so that libmicrohttpd knows it`() {
    let (bytes, _) = Self.read([Array(Self.head.replacing("chunked", with: "Chunked \t").utf8)])
    #expect(bytes == Self.head.replacing(" chunked", with: "   Chunked"))
  }

  @Test func `has 8 KiB of zeros, extensions and trailers`() {
    let few = String(repeating: "a", count: 4094)
    for (extra, isTooLong) in [("", false), ("a", true)] {
      let inSizes = "1;\(few)\r\nx\r\n1;\(few)\(extra)aa\r\ny\r\n0\r\n\r\n"
      let inTrailers = "0\r\nA:\(few)\r\nA:\(few)\(extra)\r\n\r\n"
      let inZeros = String(repeating: "0", count: 8193) + extra + "\r\n\r\n"
      for (text, first) in [(inSizes, "1\r\nx\r\n"), (inTrailers, ""), (inZeros, "")] {
        let (bytes, error) = Self.read([Array((Self.head + text + Self.next).utf8)])
        #expect(error == (isTooLong ? .chunkExtrasTooLarge(limit: 8192) : nil))
        let whole = text == inSizes ? "1\r\nx\r\n1\r\ny\r\n" : first
        #expect(bytes == Self.head + (isTooLong ? first : whole) + "0\r\n\r\n" + (isTooLong ? "" : Self.next))
      }
    }
    // A line that does not end is not kept for ever.
    let (bytes, error) = Self.read([Array((Self.head + "1;" + String(repeating: "a", count: 1 << 20)).utf8)])
    #expect(bytes == Self.head + "0\r\n\r\n")
    #expect(error == .chunkExtrasTooLarge(limit: 8192))
  }

  /// A plain reading of a whole body by RFC 9112, section 7.1: its data, or `nil`.
  static func plainly(_ body: [UInt8]) -> [UInt8]? {
    var rest = body[...], data: [UInt8] = []
    func line() -> String? {
      guard let end = rest.firstIndex(of: 0x0A), end > rest.startIndex, rest[end - 1] == 0x0D else { return nil }
      let line = rest[..<(end - 1)]
      rest = rest[(end + 1)...]
      return line.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } ? nil : String(decoding: line, as: UTF8.self)
    }
    while let size = line().flatMap(size) {
      guard size <= 40 - data.count else { return nil }
      if size == 0 {
        while let field = line() {
          if field.isEmpty { return data }
          guard let colon = field.firstIndex(of: ":"), isToken(field[..<colon]) else { return nil }
        }
        return nil
      }
      guard rest.count >= size + 2, rest.dropFirst(size).prefix(2).elementsEqual([0x0D, 0x0A]) else { return nil }
      data += rest.prefix(size)
      rest = rest.dropFirst(size + 2)
    }
    return nil
  }

  private static func isToken(_ text: Substring) -> Bool { ASCIISet.isToken(Array(text.utf8).span) }

  /// What a chunk's line says, or `nil`.
  private static func size(_ line: String) -> Int? {
    var parts = [""], isQuoted = false, isEscaped = false
    for character in line {
      if character == ";", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && character == "\\" && !isEscaped
    }
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    for place in parts.indices.dropLast() {
      while parts[place].last.map(isBlank) ?? false { parts[place].removeLast() }
    }
    for part in parts.dropFirst() {
      let pair = part.drop(while: isBlank).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard var name = pair.first else { return nil }
      guard pair.count == 2 else {
        guard isToken(name) else { return nil }
        continue
      }
      while name.last.map(isBlank) ?? false { name.removeLast() }
      let value = pair[1].drop(while: isBlank)
      let inner = value.dropFirst().dropLast()
      let isText =
        value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"") && !isQuoted
        && !inner.replacing("\\\\", with: "").replacing("\\\"", with: "").contains("\"")
      guard isToken(name), isToken(value) || isText else { return nil }
    }
    return parts[0].allSatisfy { $0.isASCII && $0.isHexDigit } ? Int(parts[0], radix: 16) : nil
  }

  /// Promise 3.2 | However a request arrives, split anywhere, the HTTP library sees only complete heads that the
  /// server has already checked, and chunks without extensions and trailers.
  @Test func `means what a plain reading says`() {
    let words = [
      "0", "1", "5", "a", "F", "10", "00", "\r\n", "\r\n", "\r\n", "\r", "\n", ";", ";a", "=b", "=\"c\"", "\"", "\\",
      " ", "\t",
      "x", "hello", "-", "+", "0x", "A: b\r\n", ":", "0\r\n\r\n", "5\r\nhello\r\n", "1;a=\"b\"\r\nx\r\n", Self.next,
    ]
    let sound = [
      "5\r\nhello\r\n0\r\n\r\n", "1;a=b\r\nx\r\n01\r\ny\r\n0\r\nA: b\r\n\r\n", "0\r\n\r\n",
      "a ;q=\"1;2\"\r\n0123456789\r\n0;z\r\n\r\n",
    ]
    var random = SeededGenerator(seed: 9112)
    var taken = 0
    for _ in 0..<2_000 {
      var text = Array(sound.randomElement(using: &random)!.unicodeScalars)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, place + Int.random(in: 0...2, using: &random))
        text.replaceSubrange(place..<end, with: words.randomElement(using: &random)!.unicodeScalars)
      }
      let body = String(String.UnicodeScalarView(text))
      let cut = Int.random(in: 0...body.utf8.count, using: &random)
      let bytes = Array((Self.head + body).utf8)
      let start = Self.head.utf8.count + cut
      var intake = Intake(limits: HeadReader.Limits(headerBytes: 200, chunkedBytes: 40), again: `An intake`.again)
      let room = [3, 64, 4096].randomElement(using: &random)!
      let handedOn = `An intake`.handOver(
        [Array(bytes[..<start]), [], Array(bytes[start...])], room: room, through: &intake)
      let canonical = Self.plainly(Array(handedOn.dropFirst(Self.head.utf8.count)))
      if let expected = Self.plainly(Array(body.utf8)) {
        taken += 1
        #expect(canonical == expected && !intake.isInBody, "\(body.debugDescription)")
      } else {
        // Wrong or not complete: only what is wrong gets an end.
        #expect(intake.isInBody && (canonical != nil) == (intake.error != nil), "\(body.debugDescription)")
      }
    }
    #expect(taken > 500)
  }
}
