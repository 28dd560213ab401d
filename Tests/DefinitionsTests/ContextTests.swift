import Foundation
import ServedFields
import TestSupport
import Testing

@testable import Prompts

@Suite struct `What a person decides on` {
  private static func prompt(_ context: String) throws -> Prompt {
    let definition = try JSON(parsing: Array(#"{"title":"T","context":\#(context)}"#.utf8), limits: .file)
    return try Definition.prompt(from: definition, Reading(budget: .form))
  }

  private static func fault(of context: String) -> String {
    do {
      let json = try JSON(parsing: Array(#"{"title":"T","context":\#(context)}"#.utf8), limits: .file)
      return "taken: \(try Definition.prompt(from: json))"
    } catch { return "\(error)" }
  }

  /// The beginning of a picture's file as a data URL, filled up to a number of bytes.
  static func picture(_ form: String, _ width: Int, _ height: Int, bytes count: Int = 0) -> String {
    func big(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }
    func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }
    func webP(_ chunk: String, _ data: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + [0, 0, 0, 0] + Array(("WEBP" + chunk).utf8) + [0, 0, 0, 0] + data
    }
    let file: [UInt8] =
      switch form {
      case "png": [0x89] + Array("PNG\r\n\u{1A}\n\0\0\0\r".utf8) + Array("IHDR".utf8) + big(width, 4) + big(height, 4)
      // What is in a segment does not count, and bytes may fill up between them.
      case "jpeg":
        [
          0xFF, 0xD8, 0xFF, 0xE1, 0, 11, 0xFF, 0xC0, 0, 17, 8, 0, 1, 0, 1, 0xFF, 0xC4, 0, 3, 7, 0xFF, 0xFF, 0xC2, 0, 17,
          8,
        ]
          + big(height, 2) + big(width, 2)
      case "VP8X": webP("VP8X", [0, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
      case "VP8L": webP("VP8L", [0x2F] + little((height - 1) << 14 | (width - 1), 4))
      default: webP("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A] + little(width, 2) + little(height, 2))
      }
    let type = form.hasPrefix("VP8") ? "webp" : form
    let filled = file + [UInt8](repeating: 0, count: max(0, count - file.count))
    return "data:image/\(type);base64,\(Data(filled).base64EncodedString())"
  }

  @Test func `is written as it was read`() throws {
    let context =
      #"[{"text":"a\nb"},{"code":"x","language":"swift"},{"diff":"+a"},{"table":{"columns":["a"],"rows":[["1"]]}},{"link":"https://example.com","title":"E"},{"image":"\#(Self.picture("jpeg", 2, 3))","alt":"A cat"}]"#
    #expect(try Self.prompt(context).definition.contains(#""context":"# + context))
  }

  @Test func `has lines that end with LF, whatever it came with`() throws {
    #expect(try Self.prompt(#"[{"diff":"a\r\nb\rc"}]"#).context == [.diff("a\nb\nc")])
  }

  @Test(
    arguments: cases(
      #"""
      [{"text":"a","diff":"b"}] → /context/0/diff: a block is either `text` or `diff`; make two blocks of it
      [{"link":"data:text/html,x"}]
        → /context/0/link: `link` is not an http or https URL; write it in full, like https://example.com/42
      [{"table":{"columns":["a","b"],"rows":[["1"]]}}]
        → /context/0/table/rows/0: this row has 1 cells, and there are 2 columns; give each column one
      [{"text":"\u0007"}] → /context/0/text: `text` contains the control character U+0007; remove it
      [{"title":"a"}]
        → /context/0: a block needs one of `text`, `markdown`, `code`, `diff`, `table`, `link` and `image`; write it like `{text: ...}`
      [{"image":"data:image/gif;base64,R0lG","alt":"a"}]
        → /context/0/image: `image` is not a PNG, JPEG or WebP as a data URL; write the file in Base64, like `data:image/png;base64,iVBORw0KGgo...`; its bytes must be of the type it names
      [{"image":"data:image/jpeg;base64,/9j/"}]
        → /context/0: an image needs `alt`; say what it shows, like `alt: The login page`
      [{"image":"data:image/jpeg;base64,/9j/","alt":" "}] → /context/0/alt: `alt` is blank
      [{"text":"a","alt":"b"}] → /context/0/alt: `alt` goes with `image`; remove it
      """#)
  )
  func `is refused with its place`(context: String, fault: String) {
    #expect(Self.fault(of: context).contains(fault))
  }

  @Test func `has at most 16 KiB`() throws {
    let half = String(repeating: "x", count: 8160)
    #expect(try Self.prompt(#"[{"text":"\#(half)"},{"text":"\#(half)"}]"#).context.count == 2)
    #expect(throws: InlineFaults.self) {
      try Self.prompt(#"[{"text":"\#(half)"},{"text":"\#(half)xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}]"#)
    }
  }

  @Test(arguments: [
    (picture("png", 1, 1), true), (picture("png", 2, 3, bytes: 32), true), (picture("jpeg", 1, 1), true),
    (picture("VP8X", 1, 1), true), (picture("VP8L", 1, 1), true), (picture("VP8", 1, 1), true),
    // Without a size.
    ("data:image/png;base64,iVBORw0KGgoA", false), ("data:image/webp;base64,UklGRiQAAABXRUJQVlA4", false),
    // Another type than the bytes have, no image, an image that can hold scripts.
    ("data:image/jpeg;base64,iVBORw0KGgoAAAANSUhEUg==", false), ("data:image/png;base64,R0lGODlh", false),
    ("data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=", false), ("data:image/png,iVBORw0KGgoA", false),
    // No Base64.
    ("data:image/jpeg;base64,/9j/4AA", false), ("data:image/jpeg;base64,/9j/4A=A", false),
    ("data:image/jpeg;base64,/9j/\"4AA", false), ("data:image/jpeg;base64,/9j/4AA\n", false),
    (" data:image/jpeg;base64,/9j/4AAQ", false), ("https://example.com/cat.png", false), ("", false),
  ])
  func `shows a PNG, a JPEG or a WebP whose bytes say so`(url: String, isShown: Bool) throws {
    let context = [Prompt.Context.image(url, alt: "A cat")]
    let json = JSON.array(context.map(\.json)).bytes
    #expect((try? Self.prompt(String(decoding: json, as: UTF8.self)).context) == (isShown ? context : nil))
  }

  /// Headers of pictures as large as these, one after the other.
  @Test(arguments: ["png", "jpeg"]) func `has pictures whose largest header counts`(form: String) throws {
    func picture(_ widths: [UInt16]) -> String {
      let file: [[UInt8]] = widths.map { width in
        let big = [UInt8(width >> 8), UInt8(width & 0xFF)]
        return form == "png"
          ? [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0] + big + [0, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0]
          : [0xFF, 0xC2, 0, 11, 8, 0, 1] + big + [1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0, 0xFF, 0xD0, 2]
      }
      let start = form == "png" ? [0x89] + Array("PNG\r\n\u{1A}\n".utf8) : [0xFF, 0xD8]
      let data = Data(start + file.joined()).base64EncodedString()
      return #"[{"image":"data:image/\#(form);base64,\#(data)","alt":"a"}]"#
    }
    #expect(try Self.prompt(picture([1, 8_192, 2])).context.count == 1)
    for widths in [[8_193, 1], [1, 8_193, 1]] as [[UInt16]] {
      #expect(Self.fault(of: picture(widths)).contains("8193 × 1 pixels"))
    }
    #expect(throws: InlineFaults.self) { try Self.prompt(picture([])) }
  }

  @Test(arguments: ["png", "jpeg", "VP8X", "VP8L", "VP8"])
  func `has pictures of at most 8,192 pixels a side, and 16 million in all`(form: String) throws {
    let image = { (width: Int, height: Int) in #"{"image":"\#(Self.picture(form, width, height))","alt":"a"}"# }
    for (width, height) in [(1, 8_192), (8_192, 1), (8_192, 1_953), (4_000, 4_000)] {
      #expect(try Self.prompt("[\(image(width, height))]").context.count == 1, "\(width) × \(height)")
    }
    for (width, height) in [(8_193, 1), (1, 8_193), (4_001, 4_000), (16_383, 16_383)] {
      #expect(
        Self.fault(of: "[\(image(width, height))]")
          == "/context/0/image: this picture has \(width) × \(height) pixels; "
          + "keep to 8192 a side and 16000000 in all: make it smaller")
    }
    let two = "[\(image(4_000, 2_000)),\(image(4_000, 2_001))]"
    #expect(throws: InlineFaults.self) { try Self.prompt(two) }
    // What an ask keeps was checked when it was made, and may hold the blocks of its prompt besides.
    let kept = try JSON(parsing: Array(#"{"title":"T","context":\#(two)}"#.utf8))
    #expect(try Definition.prompt(from: kept, Reading(isKept: true)).context.count == 2)
  }

  @Test(arguments: [
    ("png", 0, 1), ("png", 1, 0), ("png", 0xFFFF_FFFF, 0xFFFF_FFFF), ("jpeg", 1, 0), ("jpeg", 0, 1), ("VP8", 0, 0),
  ])
  func `has no pictures without a size`(form: String, width: Int, height: Int) throws {
    #expect(throws: InlineFaults.self) {
      try Self.prompt(#"[{"image":"\#(Self.picture(form, width, height))","alt":"a"}]"#)
    }
  }

  @Test func `has at most 256 KiB of pictures`() throws {
    let image = { (bytes: Int) in #"{"image":"\#(Self.picture("jpeg", 1, 1, bytes: bytes))","alt":"a"}"# }
    #expect(try Self.prompt("[\(image(131_070)),\(image(131_070))]").context.count == 2)
    #expect(throws: InlineFaults.self) { try Self.prompt("[\(image(131_070)),\(image(131_076))]") }
  }
}
