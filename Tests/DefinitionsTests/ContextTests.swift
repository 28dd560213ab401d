import Prompts
import StrictJSON
import Testing

@testable import Definitions

@Suite struct `What a person decides on` {
  private static func prompt(_ context: String) throws -> Prompt {
    let definition = try JSON(parsing: Array(#"{"title":"T","context":\#(context)}"#.utf8))
    return try Definition.prompt(from: definition, Reading(limits: .request(.form)))
  }

  @Test func `is written as it was read`() throws {
    let context =
      #"[{"text":"a\nb"},{"code":"x","language":"swift"},{"diff":"+a"},{"table":{"columns":["a"],"rows":[["1"]]}},{"link":"https://example.com","title":"E"}]"#
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
    (#"[{"text":"\u0007"}]"#, "/context/0/text: `text` holds the control character U+0007; remove it"),
    (
      #"[{"title":"a"}]"#,
      "/context/0: a block needs one of `text`, `code`, `diff`, `table` and `link`; write it like `{text: ...}`"
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
}
