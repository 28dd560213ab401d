import Prompts
import TestSupport
import Testing

@testable import OKCancel

@Suite struct `Markdown in a context` {
  private static func html(_ text: String) -> String { Markdown(text)?.html(at: 0) ?? "nil" }

  @Test(
    arguments: cases(
      #"""
      # One⏎⏎Two *three* **four** `five`
      → <h2 dir="auto">One</h2><p dir="auto">Two <em>three</em> <strong>four</strong> <code dir="ltr">five</code></p>
      One⏎===⏎Two⏎--- → <h2 dir="auto">One</h2><h3 dir="auto">Two</h3>
      ###### Six ### → <h6 dir="auto">Six</h6>
      - a⏎- b⏎  1. c
      → <ul dir="auto"><li><p>a</p></li><li><p>b</p><ol start="1"><li><p>c</p></li></ol></li></ul>
      7) a⏎8) b → <ol start="7" dir="auto"><li><p>a</p></li><li><p>b</p></li></ol>
      > a⏎b⏎>⏎>> c⏎⏎d
      → <blockquote dir="auto"><p>a b</p><blockquote><p>c</p></blockquote></blockquote><p dir="auto">d</p>
      ```swift x⏎let a = *1*⏎``` → <pre dir="ltr" data-language="swift x"><code>let a = *1*⏎</code></pre>
      > ~~~⏎> > a⏎> ~~~ → <blockquote dir="auto"><pre dir="ltr"><code>&gt; a⏎</code></pre></blockquote>
      a⏎⏎***⏎⏎b → <p dir="auto">a</p><hr><p dir="auto">b</p>
      a\⏎b\* → <p dir="auto">a<br>b*</p>
      Say | *a* | b⏎-|-|-⏎1
      → <div class="table" tabindex="0" role="group" aria-labelledby="columns-0-1"><table><thead id="columns-0-1"><tr><th scope="col" dir="auto">Say</th><th scope="col" dir="auto"><em>a</em></th><th scope="col" dir="auto">b</th></tr></thead><tr><td dir="auto">1</td><td dir="auto"></td><td dir="auto"></td></tr></table></div>
      [a](https://b.c/?d=1 'e') <https://f.g>
      → <p dir="auto">a <span class="host" dir="ltr">(https://b.c/?d=1 &quot;e&quot;)</span> https://f.g</p>
      ![a *b*](c.png 'd'), ![](e) → <p dir="auto">![a *b*](c.png &#39;d&#39;), ![](e)</p>
      A <b onclick=x>b</b> → <p dir="auto">A &lt;b onclick=x&gt;b&lt;/b&gt;</p>
      <script>⏎alert(1)⏎</script> → <pre dir="ltr"><code>&lt;script&gt;⏎alert(1)⏎&lt;/script&gt;⏎</code></pre>
      <!-- a --> → <pre dir="ltr"><code>&lt;!-- a --&gt;⏎</code></pre>
      """#))
  func `is drawn with tags of ours`(text: String, expected: String) {
    #expect(Self.html(text) == expected)
  }

  @Test(arguments: [
    "[a]: https://b.c\n\nd", "[a]\n\n[a]: b", "[!]: -\n\na", "a &amp; b", "&#x72;m", "a\u{0}b", "a\u{C}b", "\u{FEFF}a",
    "|a|\n|-|\n|b|-|", "|a|\n|-|\n|b|c|", "[a](<b> \"\")", "", "  \n", "> ", "- ",
    String(repeating: "> ", count: 50) + "a", String(repeating: "- ", count: 16) + "a",
    String(repeating: "|a", count: 70) + "\n" + String(repeating: "|-", count: 70),
    String(repeating: "|a", count: 60) + "\n" + String(repeating: "|-", count: 60)
      + String(repeating: "\na", count: 200),
    String(repeating: "a|b\n-|-|-\n", count: 50),
  ])
  func `is plain text if something would not be seen, or it takes long to draw`(text: String) throws {
    #expect(Self.html(text) == "nil")
    guard !text.unicodeScalars.contains("\0") else { return }
    var prompt = Prompt(title: "T")
    prompt.context = [.markdown(text)]
    let page = try PagesTests.page(prompt)
    #expect(page.contains("<p dir=\"auto\">") && !page.contains("class=\"markdown\""))
  }

  @Test func `has what is hidden written out, in every place`() {
    let hidden = "x\u{202E}y"
    let html = Self.html(
      "# \(hidden)\n\n*\(hidden)* `\(hidden)` [\(hidden)](\(hidden)) <b \(hidden)> ![\(hidden)](a)\n\n|\(hidden)|\n|-|\n\n``` \(hidden)\n\(hidden)\n```"
    )
    #expect(html.ranges(of: "x⟨U+202E⟩y").count == 10)
    #expect(!html.unicodeScalars.contains("\u{202E}"))
  }

  // MARK: At random

  private static let words = [
    "*", "_", "**", "`", "``", "[", "]", "](b)", "(", ")", "!", "![a](c \"d\")", "<", ">", "<i>", "</i>", "<!--", "-->",
    "&", "&lt;",
    "\\", "|", "|-|\n", "-|-\n", "a", "word", "é", "字", " ", " ", " ", "\n", "\n", "\n\n", "> ", "- ", "+ ", "1. ",
    "# ", "## ", "#",
    "===\n", "---\n", "***\n", "```\n", "``` x\n", "~~~\n", "    ", "\t", "[e]: f\n", "[e]", "<https://g.h>", "  \n",
    "\\\n", "\"", "'", "=",
    ":", "a|b\n", "<div>\n", "<script>", "\u{200B}", "\u{202E}", "🙂", "\n- ", "\n> ",
    "\n| i | j |\n|---|:-:|\n| k | l |\n",
  ]

  /// What is left of a text without white space, what may be a mark or the number of an item, and what is hidden.
  private static func visible(_ text: some StringProtocol) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter {
          !$0.isHidden && !" \n\t0123456789#*_`~><|-+.)([]:=\\\"'".unicodeScalars.contains($0)
        }))
  }

  @Test func `loses nothing that can be seen and has no tag of others, in 10,000 texts at random`() {
    var random = SeededGenerator(seed: 65)
    var drawn = 0
    for _ in 0..<10_000 {
      let text = (0..<Int.random(in: 1...30, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? ""
      }.joined()
      guard let html = Markdown(text)?.html(at: 0) else { continue }
      drawn += 1
      var shown = "", rest = html[...]
      while let start = rest.firstIndex(of: "<") {
        let end = rest[start...].firstIndex(of: ">") ?? rest.index(before: rest.endIndex)
        let tag = rest[start...end]
        shown += rest[..<start]
        rest = rest[rest.index(after: end)...]
        // What stands beside a fence is an attribute.
        let parts = tag.split(separator: "\"", omittingEmptySubsequences: false)
        let language = parts.firstIndex(of: " data-language=").map { parts[$0 + 1] } ?? ""
        shown += language
        let isOurs = language.isEmpty ? Self.isOurs(tag) : tag == "<pre dir=\"ltr\" data-language=\"\(language)\">"
        #expect(isOurs, "\(tag) of \(text.debugDescription)")
      }
      shown += rest
      for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
        shown = shown.replacing(name, with: character)
      }
      shown = shown.replacing(#/⟨U\+[0-9A-F]+⟩/#, with: "")
      #expect(Self.visible(shown) == Self.visible(text), "\(text.debugDescription)")
    }
    #expect(drawn > 4_000)
  }

  private static func isOurs(_ tag: Substring) -> Bool {
    let plain = tag.replacing(" dir=\"auto\"", with: "").replacing(" dir=\"ltr\"", with: "")
    let names = [
      "p", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "em", "strong", "code", "pre", "blockquote", "table",
      "thead", "tr",
      "th", "td", "div", "span",
    ]
    return names.contains { plain == "<\($0)>" || plain == "</\($0)>" }
      || ["<br>", "<hr>", "<th scope=\"col\">", "<span class=\"host\">"].contains(plain)
      || plain.hasPrefix("<div class=\"table\" tabindex=\"0\" role=\"group\" aria-labelledby=\"columns-0-")
      || plain.hasPrefix("<thead id=\"columns-0-") || plain.wholeMatch(of: #/<ol start="[0-9]+">/#) != nil
  }
}
