import Foundation
import ServedFields
import TestSupport
import Testing

@testable import OKCancel
@testable import Prompts

extension Pages {
  /// With the project's own templates.
  static let own = Result { try Pages(directory: Repository.root.appending(path: "Templates").path) }
}

func html(_ page: [UInt8]) -> String { String(decoding: page, as: UTF8.self) }

/// The page of a dialog, fresh or with what was sent.
func page(_ prompt: Prompt, inputs: Inputs? = nil, rules: String = "{}") throws -> String {
  let verdicts = inputs.flatMap { Judge().judge($0, of: prompt.edition()).verdicts }
  let address = Pages.Address(page: "/prompts/x", validate: "/validate/x")
  return html(
    try Pages.own.get().dialog(
      prompt.edition(), at: address, version: "v", rules: Array(rules.utf8), inputs: inputs, verdicts: verdicts))
}

/// Markup that tries to get out of a text or an attribute; U+0301 joins the quote to one grapheme cluster.
let attacks = [
  #""><script>alert(1)</script>"#,
  "\"\u{301}><script>alert(1)</script>",
  "'\u{301} onfocus=alert(1) x='",
  "<\u{301}img src=x onerror=alert(1)>",
  "&lt;script&gt;",
  "</textarea\u{301}><script>alert(1)</script>",
  "</title><script>alert(1)</script>",
]

@Suite struct `Text never becomes markup` {
  /// ASVS 1.1.2, 1.2.1 | encoding for the context, as the last step | templates escape by code point
  @Test(arguments: [
    ("plain", "plain"),
    ("a & b", "a &amp; b"),
    ("<b>", "&lt;b&gt;"),
    ("'\"", "&#39;&quot;"),
    ("\"\u{301}", "&quot;\u{301}"),
    ("<\u{20D2}", "&lt;\u{20D2}"),
    ("é…💬", "é…💬"),
    ("", ""),
  ])
  func `Each of the five characters is replaced, whatever follows it`(text: String, escaped: String) {
    #expect(Array(HTMLContent().escapeText(text).utf8) == Array(escaped.utf8))
  }

  /// ASVS 1.3.7 | no template injection | texts are values, never templates
  @Test(arguments: attacks)
  func `A definition's texts`(attack: String) throws {
    let fields = Field.Kind.allCases.map { kind in
      Field(
        "field_\(kind.rawValue)", label: attack, kind: kind, placeholder: attack, help: attack,
        value: kind == .choices ? Value.choices([attack]) : .text(attack),
        options: kind.offersOptions ? [Field.Option(attack, title: attack, help: attack)] : []
      ) { ($0.typing, $0.unit) = (Field.Typing(autocomplete: attack), attack) }
    }
    let prompt = Prompt(
      title: attack, message: attack,
      buttons: [
        Prompt.Button(attack, role: .action, name: attack), Prompt.Button(attack, role: .cancel),
        Prompt.Button(attack, role: .ok),
      ], fields: fields)
    let pages = try Pages.own.get()
    expectOnlyOwnMarkup(try page(prompt), attack)
    for page in [
      pages.index([(name: "x", edition: prompt.edition(), href: "/prompts/x")], in: .english),
      pages.done(prompt.edition(), .ok, again: attack),
      pages.problem(status: 404, reason: attack, detail: attack),
    ] {
      expectOnlyOwnMarkup(html(page), attack)
    }
  }

  /// Promise 2.17 | Text from definitions and people never becomes markup.
  @Test(arguments: attacks)
  func `What was typed, and messages`(attack: String) throws {
    let fields = [
      Field("a"), Field("b", kind: .multiline), Field("c", kind: .integer, rules: [Rule.integer.saying(attack)]),
    ]
    let prompt = Prompt(title: "Title", fields: fields)
    let inputs = Inputs([("a", .text(attack)), ("b", .text(attack)), ("c", .text(attack))])
    #expect(Judge().judge(inputs, of: prompt.edition()).verdicts?["c"]?.message == attack)
    expectOnlyOwnMarkup(try page(prompt, inputs: inputs), attack)
  }

  /// The attack's bytes occur nowhere as they are, and the only scripts are the page's own.
  private func expectOnlyOwnMarkup(_ page: String, _ attack: String) {
    let bytes = Array(page.utf8)
    #expect(bytes.firstRange(of: Array(attack.utf8)) == nil)
    #expect(bytes.firstRange(of: Array("<script>".utf8)) == nil)
    #expect(bytes.firstRange(of: Array("<img".utf8)) == nil)
    #expect(bytes.ranges(of: Array("</script>".utf8)).count == bytes.ranges(of: Array("<script ".utf8)).count)
  }

  /// ASVS 1.2.3 | escaping in scripts and JSON | JSON in a page cannot end its element
  @Test func `JSON in a script element keeps its meaning and cannot end the element`() throws {
    let json = #"{"m":"</script><!-- & é"}"#
    let safe = embeddable(json: Array(json.utf8))
    #expect(safe == #"{"m":"\u003c/script\u003e\u003c!-- \u0026 é"}"#)
    let decoded = try JSONDecoder().decode([String: String].self, from: Data(safe.utf8))
    #expect(decoded == ["m": "</script><!-- & é"])
  }
}
