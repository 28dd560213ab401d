import Testing

@testable import TerminalDialog

struct KeyTests {
  @Test func `Bytes of a terminal are keys`() {
    for (bytes, keys) in [
      ("a", [.text("a")]), ("äß日", [.text("äß日")]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]),
      ("\u{1B}[1;5C", [.right]), ("\u{1B}[3~", [.delete]), ("\u{1B}[Z", [.backTab]), ("\r", [.enter]), ("\n", [.enter]),
      ("\u{7F}", [.backspace]), ("\u{3}", [.interrupt]), ("\u{4}", [.endOfText]), ("\u{1B}x", []),
      ("\u{9B}A", [.text("A")]), ("\u{1B}\u{3}", [.escape, .interrupt]), ("\u{1B}\t", [.escape, .tab]),
      ("\u{1B}\u{1B}[A", [.escape, .up]),
      ("\u{1B}[200~a\r\nb\u{1B}[201~c", [.text("a\nbc")]), ("\u{0}\u{1}", [.home]),
    ] as [(String, [Key])] {
      var reader = KeyReader()
      #expect(reader.read(Array(bytes.utf8)) == keys, "\(bytes.debugDescription)")
      var slow = KeyReader()
      let slowly = Array(bytes.utf8).flatMap { slow.read([$0]) }
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
    ] as [(String, [Key], [Key])] {
      var reader = KeyReader()
      #expect(reader.read([0x1B]) == [] && reader.patience == 100)
      #expect(reader.read(Array(control.utf8)) == keys, "\(control.debugDescription)")
      #expect(reader.read(Array("\u{1B}\(control)".utf8)) == together, "\(control.debugDescription)")
    }
  }

  @Test func `What has begun goes on over a slow line`() {
    for (bytes, key) in [("\u{1B}[B", .down), ("é", .text("é")), ("\u{1B}[200~a\u{1B}[201~", .text("a"))]
      as [(String, Key)]
    {
      var reader = KeyReader()
      let all = Array(bytes.utf8), cut = all.count == 2 ? 1 : 2
      #expect(reader.read(Array(all[..<cut])) == [] && reader.isWaiting && reader.patience == 500)
      #expect(reader.read(Array(all[cut...])) == [key])
    }
  }

  @Test func `An arrow key that comes in two parts is Escape and then the arrow`() {
    var reader = KeyReader()
    #expect(reader.read([0x1B]) == [])
    #expect(reader.isWaiting)
    #expect(reader.pause() == [.escape])
    #expect(reader.read(Array("[A".utf8)) == [.up])
    #expect(reader.read(Array("[A".utf8)) == [.text("[A")])
  }

  @Test func `What is no text of UTF-8 is dropped`() {
    var reader = KeyReader()
    #expect(reader.read([0xFF, 0x61, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0x62]) == [.text("a(b")])
    #expect(!reader.isWaiting)
  }
}
