import Foundation
import TestSupport
import Testing

@testable import Prompts

@Suite struct `A YAML file` {
  @Test(
    arguments: cases(
      #"""
      title: !!str T → 1:8: tags are not supported; remove `tag:yaml.org,2002:str`; quotes make a value a string
      title: &t T → 1:8: anchors are not supported; remove `&t` and write the value out where it is needed
      title: *t → 1:8: aliases are not supported; write out the value that `*t` stands for
      title: "a\.b"
        → 1:10: this is not an escape in double quotes; use single quotes, where a backslash is a backslash, or double it
      title: "a → 1:10: the text ends inside quotes; close the quotes
      title: @home → 1:8: a value cannot begin with `@`; put it in single quotes
      title: [a → 1:10: this `[…]` is not closed; separate elements with commas and end with `]`
      title: |a → 1:9: a value that begins with `|` or `>` cannot go on in that line; put it in single quotes
      title: "\ud800"
        → 1:11: this escape names no character; write \x and two, \u and four or \U and eight hex digits of one
      title: !<x y> z → 1:11: tags are not supported; remove the word that begins with `!`
      title: &é z → 1:9: a value cannot begin with `&` or `*`; put it in single quotes
      title: [a, b} → 1:13: this `[…]` is not closed; separate elements with commas and end with `]`
      title: {a: b] → 1:13: this `{…}` is not closed; separate entries with commas and end with `}`
      fields: - a → 1:9: a list cannot begin here; begin it on a line of its own, each element with a dash
      title: 'a'b
        → 1:11: this does not fit what stands before it; align it with the keys above, and close every quote and bracket
      # only a comment⏎ → 2:1: this file is empty; a prompt begins with `title: ...`
      title: T⏎---⏎title: U → 2:1: a second document begins here; keep one prompt per file
      %YAML 1.1⏎---⏎title: T → 1:1: directives are not supported; remove the lines that begin with `%`
      title: T⏎<<: {message: M} → 2:1: merge keys are not supported; write the keys out
      title: T⏎? [a]⏎: b
        → 2:3: a key must be a string; write it as `key: value`; put a value that begins with a bracket in quotes
      title: T⏎message: a: b
        → 2:11: there is a colon where no key is allowed; put a value that has a colon in quotes, or check the indentation
      title: T⏎ message: M
        → 2:9: there is a colon where no key is allowed; put a value that has a colon in quotes, or check the indentation
      title: T⏎%x y → 2:3: directives are not supported; remove the lines that begin with `%`
      %x y⏎---⏎title: T → 1:3: directives are not supported; remove the lines that begin with `%`
      title: T⏎- a
        → 2:1: this does not fit what stands before it; align it with the keys above, and close every quote and bracket
      title: T⏎message → 2:8: a key has no colon; write it as `key: value`
      """#) + [
        ("", "1:1: this file is empty; a prompt begins with `title: ...`"),
        ("title: T\n\tmessage: M", "2:1: a tab is used for indentation; indent with spaces"),
        (
          "title: a\u{2028}b",
          "1:9: the character U+2028 cannot stand in YAML as it is; write it in double quotes as `\\u2028`, or remove it"
        ),
        ("title: 'é\u{7}'", "1:10: the character U+0007 cannot stand in YAML as it is; remove it"),
        ("\u{FEFF}title: T", "1:1: the file begins with a byte order mark; save it as UTF-8 without one"),
      ]
  )
  func `is refused with a place and a remedy`(text: String, fault: String) throws {
    let found = faults(of: text)
    #expect(found == ["test.yaml:" + fault])
  }

  @Test(arguments: [
    "yes", "no", "on", "off", "True", "NULL", "2024-01-01", "12:30", "1_000", "0b1", "-", "0x", ".", "1e", "=", "Ja",
  ])
  func `holds texts that YAML 1_1 took for something else`(word: String) throws {
    #expect(faults(of: "title: \(word == "-" ? "'-'" : word)") == [])
  }

  @Test(arguments: ["0", "-1", "+2", "1.5", ".5", "5.", "1e3", "1.0E-3", "0o17", "0xFF", ".inf", "-.INF", ".nan"])
  func `holds numbers where they are not quoted`(literal: String) throws {
    #expect(
      faults(of: "title: \(literal)")
        == [
          "test.yaml:1:8: `title` must be a string, not the number \(literal); put it in quotes: `title: \"\(literal)\"`"
        ])
    #expect(faults(of: "title: '\(literal)'") == [])
  }

  @Test func `may end its lines with CRLF or CR, and counts them once`() throws {
    #expect(faults(of: "title: T\r\nmessage: M\r\n") == [])
    #expect(
      faults(of: "title: T\r\n\r\nmesage: M\r\n") == [
        "test.yaml:3:1: a prompt has no key `mesage`; did you mean `message`?"
      ])
    #expect(
      faults(of: "title: T\r\rmesage: M") == ["test.yaml:3:1: a prompt has no key `mesage`; did you mean `message`?"])
  }

  @Test func `counts columns in code points`() throws {
    let found = faults(of: "{title: \"e\u{301}👩‍👩‍👧 \", mesage: M}")
    #expect(found == ["test.yaml:1:21: a prompt has no key `mesage`; did you mean `message`?"])
  }

  @Test func `keeps keys apart that differ in code points`() throws {
    #expect(
      faults(of: "title: T\n\u{E9}: 1\ne\u{301}: 2").map { $0.prefix(13) } == ["test.yaml:2:1", "test.yaml:3:1"])
  }

  @Test(arguments: [
    (Array("title: é".utf8) + [0xC3, 0x28], "1:9: these bytes are not UTF-8; save the file as UTF-8"),
    (Array("a: 1\nb: ".utf8) + [0xED, 0xA0, 0x80], "2:4: these bytes are not UTF-8; save the file as UTF-8"),
    ([0xFF, 0xFE, 0x74, 0], "1:1: the file is UTF-16; save it as UTF-8"),
  ])
  func `is UTF-8`(bytes: [UInt8], fault: String) {
    #expect(faults(of: bytes) == ["test.yaml:" + fault])
  }

  @Test func `is at most 1 MiB`() throws {
    let text = "title: T\nmessage: M\n#"
    #expect(faults(of: text + String(repeating: "x", count: (1 << 20) - text.utf8.count)) == [])
    #expect(
      faults(of: text + String(repeating: "x", count: (1 << 20) - text.utf8.count + 1))
        == ["test.yaml:1:1: the file is larger than 1 MiB; keep one prompt per file"])
  }

  @Test func `is refused in no time when it is nested, repeated or multiplied without end`() throws {
    let keys = "title: T\n" + (0..<10_001).map { "k\($0): 1\n" }.joined()
    let laughs = (1...30).map {
      "l\($0): &l\($0) [\(Array(repeating: "*l\($0 - 1)", count: 9).joined(separator: ", "))]\n"
    }
    let time = ContinuousClock().measure {
      let deep = faults(of: "title: " + String(repeating: "[", count: 200))
      #expect(deep.first == "test.yaml:1:71: this is nested too deeply; keep to 64 levels")
      let abyss = faults(of: "title: " + String(repeating: "[", count: 100_000))
      #expect(abyss == ["test.yaml:1:71: this is nested too deeply; keep to 64 levels"])
      let many = faults(of: keys)
      #expect(many == ["test.yaml:10001:1: the file has too many keys; keep to 10000"])
      let multiplied = faults(of: "title: T\nl0: &l0 [ha]\n" + laughs.joined() + "? *l30\n: x")
      #expect(multiplied.count == 31 + 30 * 9 + 1)
    }
    #expect(time < .seconds(20))
  }
}
