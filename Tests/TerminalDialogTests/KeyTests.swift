import Testing

@testable import OKCancelCLI

extension KeyReader {
  /// The keys that these bytes complete, so many milliseconds after a start.
  mutating func keys(_ bytes: some Collection<UInt8>, at milliseconds: Int = 0) -> [Key] {
    read(Array(bytes), at: start + .milliseconds(milliseconds)).map(\.key)
  }
}

/// A moment from which times in tests count.
let start = ContinuousClock.now

struct KeyTests {
  @Test func `Bytes of a terminal are keys`() {
    for (bytes, keys) in [
      ("a", [.text("a")]), ("äß日", [.text("äß日")]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]),
      ("\u{1B}[1;5C", [.right]), ("\u{1B}O5C", [.right]), ("\u{1B}[3~", [.delete]), ("\u{1B}[5~", [.pageUp]),
      ("\u{1B}[6;2~", [.pageDown]), ("\u{1B}[Z", [.backTab]), ("\u{1B}OM", [.enter]), ("\r", [.enter]),
      ("\n", [.enter]),
      ("\u{7F}", [.backspace]), ("\u{3}", [.interrupt]), ("\u{4}", [.endOfText]), ("\u{1B}x", []),
      ("\u{9B}A", [.up]), ("\u{1B}\u{3}", [.interrupt]), ("\u{1B}\t", [.escape, .tab]), ("\u{1B}é", []),
      ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}]0;\u{3}a", [.interrupt, .text("a")]),
      ("\u{1B}[200~a\r\nb\u{1B}[201~c", [.paste("a\nb"), .text("c")]), ("\u{0}\u{1}", [.home]),
      ("\u{1B}[200~a\r\r\n\n\r\u{1B}[201~", [.paste("a\n\n\n\n")]),
      ("\u{1B}[200~\u{1B}[20\u{1B}[201~", [.paste("\u{1B}[20")]),
    ] as [(String, [Key])] {
      var reader = KeyReader()
      #expect(reader.keys(bytes.utf8) == keys, "\(bytes.debugDescription)")
      // Escape, and what comes later, are two keys.
      if ["\u{1B}\t", "\u{1B}\u{3}"].contains(bytes) { continue }
      var slow = KeyReader()
      let slowly = Array(bytes.utf8).flatMap { slow.keys([$0]) }
      #expect(Self.joined(slowly) == keys, "\(bytes.debugDescription), byte by byte")
    }
  }

  private static func joined(_ keys: [Key]) -> [Key] {
    keys.reduce(into: []) { keys, key in
      if case .text(let text) = key, case .text(let before)? = keys.last {
        keys[keys.count - 1] = .text(before + text)
      } else {
        keys.append(key)
      }
    }
  }

  @Test func `Escape and a key soon after are two, and those that come together are one with Alt`() {
    for (control, keys, together) in [
      ("\r", [.escape, .enter], []), ("\u{7F}", [.escape, .backspace], [.eraseWord]),
      ("\n", [.escape, .enter], []), ("\u{8}", [.escape, .backspace], [.eraseWord]),
      ("\u{3}", [.escape, .interrupt], [.interrupt]),
    ] as [(String, [Key], [Key])] {
      var reader = KeyReader()
      #expect(reader.keys([0x1B]) == [])
      #expect(reader.keys([], at: 50) == [])
      #expect(reader.keys(control.utf8, at: 60) == keys, "\(control.debugDescription)")
      #expect(reader.keys("\u{1B}\(control)".utf8, at: 70) == together, "\(control.debugDescription)")
    }
  }

  @Test func `What has begun goes on over a slow line, for a second`() {
    for (bytes, key) in [("\u{1B}[B", .down), ("é", .text("é")), ("\u{1B}[200~a\u{1B}[201~", .paste("a"))]
      as [(String, Key)]
    {
      var reader = KeyReader()
      let all = Array(bytes.utf8), cut = all.count == 2 ? 1 : 2
      #expect(reader.keys(all[..<cut]) == [])
      #expect(reader.keys([], at: 900) == [])
      #expect(reader.keys(all[cut...], at: 990) == [key])
    }
  }

  @Test func `An arrow key that comes in two parts is Escape and then the arrow`() {
    var reader = KeyReader()
    #expect(reader.keys([0x1B]) == [])
    #expect(reader.keys([], at: 99) == [])
    #expect(reader.keys([], at: 100) == [.escape])
    #expect(reader.keys("[A".utf8, at: 300) == [.up])
    #expect(reader.keys("[A".utf8, at: 300) == [.text("[A")])
  }

  @Test(arguments: ["\u{1B}P", "\u{1B}]", "\u{1B}_", "\u{1B}^", "\u{1B}X", "\u{1B}[", "\u{1B}O", "\u{1B}[M", "\u{1B}("])
  func `A second of silence, or Ctrl-C, gives the keyboard back`(beginning: String) {
    for isPolled in [true, false] {
      var reader = KeyReader()
      #expect(reader.keys(beginning.utf8) == [])
      if isPolled { #expect(reader.keys([], at: 1000) == []) }
      #expect(reader.keys("a\r".utf8, at: 1001) == [.text("a"), .enter])
    }
    var reader = KeyReader()
    #expect(reader.keys(beginning.utf8) == [])
    #expect(reader.keys([0x03], at: 1) == [.interrupt])
    #expect(reader.keys("a".utf8, at: 2) == [.text("a")])
  }

  @Test func `A paste that does not end is left by Ctrl-C after a second`() {
    var reader = KeyReader()
    #expect(reader.keys("\u{1B}[200~a".utf8) == [])
    #expect(reader.keys("\r".utf8, at: 5000) == [])
    #expect(reader.keys([0x03], at: 6000) == [.interrupt])
    #expect(reader.keys("\r".utf8, at: 6001) == [.enter])
  }

  @Test func `What is no text of UTF-8 is refused`() {
    var reader = KeyReader()
    let bytes: [UInt8] = [0xFF, 0x61, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0x62]
    #expect(reader.keys(bytes) == [.refused, .text("a"), .refused, .text("("), .refused, .text("b")])
    #expect(reader.keys(Array("\u{1B}[200~".utf8) + [0xE9] + Array("\u{1B}[201~".utf8)) == [.refused])
    #expect(KeyReader.text(ofLine: [0x61, 0xE9]) == nil)
    #expect(KeyReader.text(ofLine: "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\Ada\u{1B}[A".utf8) == "Ada")
  }
}
