import StrictJSON
import Testing

@testable import Definitions
@testable import Prompts

@Suite struct `What a person decides on` {
  private static func prompt(_ context: String) throws -> Prompt {
    let definition = try JSON(parsing: Array(#"{"title":"T","context":\#(context)}"#.utf8), limits: .file)
    return try Definition.prompt(from: definition, Reading(budget: .form))
  }

  @Test func `is written as it was read`() throws {
    let context =
      #"[{"text":"a\nb"},{"code":"x","language":"swift"},{"diff":"+a"},{"table":{"columns":["a"],"rows":[["1"]]}},{"link":"https://example.com","title":"E"},{"image":"data:image/jpeg;base64,/9j/4AAQ","alt":"A cat"}]"#
    var json = JSONWriter()
    try Self.prompt(context).writeDefinition(to: &json)
    #expect(json.text.contains(#""context":"# + context))
  }

  @Test func `has lines that end with LF, whatever it came with`() throws {
    #expect(try Self.prompt(#"[{"diff":"a\r\nb\rc"}]"#).context == [.diff("a\nb\nc")])
  }

  @Test(arguments: [
    (#"[{"text":"a","diff":"b"}]"#, "/context/0/diff: a block is either `text` or `diff`; make two blocks of it"),
    (
      #"[{"link":"data:text/html,x"}]"#,
      "/context/0/link: `link` is not an http or https URL; write it in full, like https://example.com/42"
    ),
    (
      #"[{"table":{"columns":["a","b"],"rows":[["1"]]}}]"#,
      "/context/0/table/rows/0: this row has 1 cells, and there are 2 columns; give each column one"
    ),
    (#"[{"text":"\u0007"}]"#, "/context/0/text: `text` contains the control character U+0007; remove it"),
    (
      #"[{"title":"a"}]"#,
      "/context/0: a block needs one of `text`, `code`, `diff`, `table`, `link` and `image`; write it like `{text: ...}`"
    ),
  ])
  func `is refused with its place`(context: String, fault: String) {
    do throws(InlineFaults) {
      _ = try Definition.prompt(from: try! JSON(parsing: Array(#"{"title":"T","context":\#(context)}"#.utf8)))
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".contains(fault))
    }
  }

  @Test func `has at most 16 KiB`() throws {
    let half = String(repeating: "x", count: 8160)
    #expect(try Self.prompt(#"[{"text":"\#(half)"},{"text":"\#(half)"}]"#).context.count == 2)
    #expect(throws: InlineFaults.self) {
      try Self.prompt(#"[{"text":"\#(half)"},{"text":"\#(half)xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}]"#)
    }
  }

  @Test(arguments: [
    ("data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==", true), ("data:image/png;base64,iVBORw0KGgoA", true),
    ("data:image/jpeg;base64,/9j/4AAQ", true), ("data:image/webp;base64,UklGRiQAAABXRUJQVlA4", true),
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
    var json = JSONWriter()
    json.array(context) { $0.value($1.json) }
    #expect((try? Self.prompt(json.text).context) == (isShown ? context : nil))
  }

  @Test(arguments: [
    (
      #"[{"image":"data:image/gif;base64,R0lG","alt":"a"}]"#,
      "/context/0/image: `image` is not a PNG, JPEG or WebP as a data URL; write the file in Base64, like "
        + "`data:image/png;base64,iVBORw0KGgo...`; its bytes must be of the type it names"
    ),
    (
      #"[{"image":"data:image/jpeg;base64,/9j/"}]"#,
      "/context/0: an image needs `alt`; say what it shows, like `alt: The login page`"
    ),
    (#"[{"image":"data:image/jpeg;base64,/9j/","alt":" "}]"#, "/context/0/alt: `alt` is blank"),
    (#"[{"text":"a","alt":"b"}]"#, "/context/0/alt: `alt` goes with `image`; remove it"),
  ])
  func `is refused with its place if a picture cannot be shown`(context: String, fault: String) {
    do throws(InlineFaults) {
      _ = try Definition.prompt(from: try! JSON(parsing: Array(#"{"title":"T","context":\#(context)}"#.utf8)))
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".contains(fault))
    }
  }

  @Test func `has at most 256 KiB of pictures`() throws {
    let image = { (bytes: Int) in
      #"{"image":"data:image/jpeg;base64,/9j/\#(String(repeating: "A", count: bytes / 3 * 4 - 4))","alt":"a"}"#
    }
    #expect(try Self.prompt("[\(image(131_070)),\(image(131_070))]").context.count == 2)
    #expect(throws: InlineFaults.self) { try Self.prompt("[\(image(131_070)),\(image(131_076))]") }
  }
}
