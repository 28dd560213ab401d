import Testing

@testable import OKCancel
@testable import Prompts

@Suite struct `The dialog's page` {
  private let email = Prompt(
    title: "Your Email", message: "What’s your email address?", ok: "Submit",
    fields: [Field("email", kind: .email, placeholder: "name@example.com", rules: [.nonEmpty])])

  @Test func `It works without scripts`() throws {
    let page = try page(email)
    #expect(page.contains(#"<form id="form" method="post" action="/prompts/x" novalidate>"#))
    #expect(page.contains(#"<label for="field-email">"#))
    #expect(page.contains(#"<button class="ok" name="outcome" value="ok">"#))
    #expect(page.contains(#"<button class="cancel" form="cancel" name="outcome" value="cancel">"#))
    #expect(!page.contains("disabled"))
  }

  @Test func `It has no inline script, style or handler of its own`() throws {
    let page = try page(email)
    #expect(!page.contains("style="))
    #expect(!page.contains("<style"))
    #expect(page.ranges(of: "<script").count == 3)
    #expect(page.contains(#"<script id="gate" src="/gate.js"></script>"#))
    #expect(page.contains(#"<script type="module" src="/dialog.js"></script>"#))
    #expect(page.contains(#"<script type="application/json" id="rules">{}</script>"#))
  }

  @Test func `The dialog and its fields are named and described, and nobody is kept from zooming`() throws {
    let page = try page(Prompt(title: "T", message: "M", fields: [Field("a", help: "H")]))
    #expect(page.contains(#" aria-modal="true" aria-labelledby="title" aria-describedby="message""#))
    #expect(page.contains(#"aria-describedby="help-a error-a""#))
    for setting in ["user-scalable", "maximum-scale", "minimum-scale"] { #expect(!page.contains(setting)) }
  }

  @Test func `Names and texts that are not given leave nothing behind`() throws {
    let page = try page(Prompt(title: "T", fields: [Field("a")]))
    for leftover in ["nil", "Optional", "{{", "placeholder", "value=\"\"", "aria-invalid", "class=\"help\"", "summary"]
    {
      #expect(!page.contains(leftover), "\(leftover)")
    }
  }

  @Test func `A refused answer comes back with what was typed, its messages and a summary`() throws {
    let page = try page(email, inputs: Inputs([("email", .text("bob"))]))
    #expect(page.contains("<title>Error: Your Email</title>"))
    #expect(page.contains(#"value="bob""#))
    #expect(
      page.contains(
        ##"<a href="#field-email"><bdi>Email</bdi>: <bdi>Enter an email address, like name@example.com</bdi></a>"##))
    #expect(page.contains(#"aria-describedby="error-email" aria-invalid="true" data-autofocus"#))
    #expect(page.contains(#"id="error-email" dir="auto">Enter an email address, like name@example.com</p>"#))
  }

  /// Promise 3.19
  @Test func `An answer that is too long comes back up to 64 KiB of HTML, and the page says what to enter again`()
    throws
  {
    let fields = (0..<10).map { Field("f\($0)", kind: .multiline, rules: [.length(max: 5)]) }
    let prompt = Prompt(title: "T", fields: fields)
    let own = try page(prompt, inputs: Inputs(fields.map { ($0.name, .text("too long")) })).utf8.count
    for typed in [
      String(repeating: "a", count: 16_000), String(repeating: "'", count: 16_000),
      String(repeating: "&", count: 90_000),
    ] {
      let page = try page(prompt, inputs: Inputs(fields.map { ($0.name, .text(typed)) }))
      #expect(page.utf8.count <= own + 64 * 1024)
      #expect(page.contains("This was too long to keep; enter it again"))
    }
    let short = try page(prompt, inputs: Inputs(fields.map { ($0.name, .text(String(repeating: "a", count: 6_000))) }))
    #expect(!short.contains("enter it again"))
    #expect(short.ranges(of: String(repeating: "a", count: 6_000)).count == 10)
  }

  @Test(arguments: [
    (Field.Kind.text, false), (.multiline, false), (.date, false), (.password, true), (.boolean, true), (.slider, true),
    (.choice, true),
  ])
  func `The styles of uncommon controls come only where there are some`(kind: Field.Kind, comes: Bool) throws {
    let options = kind == .choice ? (1...6).map { Field.Option("\($0)") } : []
    let page = try page(Prompt(title: "T", fields: [Field("a", kind: kind, options: options)]))
    #expect(page.contains(#"<link rel="stylesheet" href="/controls.css">"#) == comes)
  }

  @Test(arguments: [
    (Prompt(title: "T", fields: [Field("a", kind: .email)]), false),
    (Prompt(title: "T", fields: [Field("a", kind: .date)]), true),
    (Prompt(title: "T", fields: [Field("a", kind: .multiline)]), true),
    (Prompt(title: "T", fields: [Field("a", optional: true)]), true),
    (Prompt(title: "T", message: "One\nTwo\nThree"), true),
    (Prompt(title: "T", ok: "Delete my account"), true),
  ])
  func `The styles of what few dialogs have come only with it`(prompt: Prompt, come: Bool) throws {
    #expect(try page(prompt).contains(#"<link rel="stylesheet" href="/extras.css">"#) == come)
  }

  @Test func `A password comes back to nobody`() throws {
    let prompt = Prompt(title: "T", fields: [Field("p", kind: .password, rules: [.length(min: 8)])])
    let page = try page(prompt, inputs: Inputs([("p", .text("s3cret"))]))
    #expect(!page.contains("s3cret"))
    #expect(page.contains("aria-invalid"))
  }

  @Test(arguments: [
    (Prompt(title: "Deploy?"), "ok"), (Prompt(title: "Deploy?", cancel: nil), "ok"),
    (Prompt(title: "T", buttons: [.init("Later", role: .action, name: "later"), .init(nil, role: .cancel)]), "cancel"),
    (Prompt(title: "T", cancel: "No", reason: .optional), nil),
    (
      Prompt(title: "T", buttons: [.init("Keep it", role: .cancel), .init("Delete", role: .ok, isDestructive: true)]),
      nil
    ),
    (with(Prompt(title: "T")) { $0.context = [.text("x")] }, nil),
    (with(Prompt(title: "T")) { $0.for = ["ada@example.com"] }, nil),
  ])
  func `Without fields, OK has the focus only if little depends on the answer`(prompt: Prompt, focused: String?) throws
  {
    let page = try page(prompt)
    #expect(page.ranges(of: "data-autofocus").count == (focused == nil ? 0 : 1))
    if let focused { #expect(page.contains(#"value="\#(focused)" data-autofocus>"#)) }
  }

  private static func with(_ prompt: Prompt, _ change: (inout Prompt) -> Void) -> Prompt {
    var prompt = prompt
    change(&prompt)
    return prompt
  }

  @Test func `The first failing field has the focus, otherwise the first`() throws {
    let prompt = Prompt(title: "T", fields: [Field("a"), Field("b", rules: [.nonEmpty])])
    let focus = "autofocus"
    let fresh = try page(prompt)
    let refused = try page(prompt, inputs: Inputs([("a", .text("x")), ("b", .text(""))]))
    #expect(fresh.ranges(of: focus).count == 1)
    #expect(refused.ranges(of: focus).count == 1)
    let place = { (text: String, page: String) in try #require(page.firstRange(of: text)).lowerBound }
    let (first, second) = (try place(#"name="b""#, fresh), try place(#"name="b""#, refused))
    #expect(try place(focus, fresh) < first)
    #expect(try place(focus, refused) > second)
  }

  @Test(arguments: [
    (Field.Kind.text, #"type="text""#), (.email, #"type="text" inputmode="email""#), (.number, #"type="text""#),
    (.integer, #"type="text""#), (.tel, #"type="tel" inputmode="tel""#),
    (.search, #"type="search" inputmode="search""#),
    (.date, #"type="date""#), (.time, #"type="time""#), (.dateTime, #"type="datetime-local""#),
    (.multiline, "<textarea"), (.list, "<textarea"), (.password, #"type="password""#),
    (.boolean, #"type="checkbox" role="switch""#),
    (.choice, #"type="radio""#), (.choices, #"type="checkbox""#), (.slider, #"type="range""#),
    (.slider, #"<output for="field-f" aria-hidden="true">"#), (.url, #"inputmode="url""#),
  ])
  func `Each kind has its control`(kind: Field.Kind, markup: String) throws {
    let field = Field("f", kind: kind, options: kind.offersOptions ? [Field.Option("a"), Field.Option("b")] : [])
    let page = try page(Prompt(title: "T", fields: [field]))
    #expect(page.contains(markup))
    #expect(page.contains(#"name="f""#))
    #expect(page.contains(#"id="field-f""#))
  }

  @Test(
    arguments: [
      (.integer, [.range(0...9)], "numeric"), (.number, [.range(0...9)], "decimal"), (.integer, [], nil),
      (.integer, [.range(-1...9)], nil),
    ] as [(Field.Kind, [Rule], String?)])
  func `Phones show digits for what is never negative: they have no minus among them`(
    kind: Field.Kind, rules: [Rule], keyboard: String?
  ) throws {
    let page = try page(Prompt(title: "T", fields: [Field("f", kind: kind, rules: rules)]))
    #expect(page.firstMatch(of: #/inputmode="(\w+)"/#).map { String($0.1) } == keyboard)
  }

  @Test(arguments: [(5, "type=\"radio\""), (6, "<select")])
  func `More than five options make a select`(count: Int, markup: String) throws {
    let options = (1...count).map { Field.Option("\($0)") }
    #expect(try page(Prompt(title: "T", fields: [Field("f", kind: .choice, options: options)])).contains(markup))
  }

  @Test func `Initial values show`() throws {
    let page = try page(
      Prompt(
        title: "T",
        fields: [
          Field("a", value: "text"), Field("b", kind: .multiline, value: "\ntwo\nlines"),
          Field("c", kind: .boolean, value: "true"),
          Field("d", kind: .choice, value: "y", options: [Field.Option("x"), Field.Option("y")]),
          Field("e", kind: .choices, value: ["x"], options: [Field.Option("x"), Field.Option("y")]),
          Field("f", kind: .dateTime, value: "2025-01-31 09:30"),
        ]))
    #expect(page.contains(#"value="text""#))
    #expect(page.contains(">\n\ntwo\nlines</textarea>"))
    #expect(page.contains(#"value="true" checked"#))
    #expect(page.contains(#"name="d" type="radio" value="y" checked"#))
    #expect(page.contains(#"name="e" type="checkbox" value="x" checked"#))
    #expect(page.contains(#"value="2025-01-31T09:30""#))
  }

  @Test func `A text's end and beginning stay as they are in a multiline field`() throws {
    let page = try page(Prompt(title: "T", fields: [Field("a", kind: .multiline, value: "  x\n  \n")]))
    #expect(page.contains(">\n  x\n  \n</textarea>"))
  }

  @Test func `Enter presses OK even where an action that validates stands before it`() throws {
    let prompt = Prompt(
      title: "T",
      buttons: [
        Prompt.Button("Draft", role: .action, name: "draft"), Prompt.Button("Send", role: .ok, isDestructive: true),
      ])
    let page = try page(prompt)
    let first = try #require(page.firstRange(of: "<button")).lowerBound
    #expect(page[first...].hasPrefix(#"<button class="unseen" name="outcome" value="ok""#))
    #expect(page.contains(#"<button class="action" name="action" value="draft">"#))
    #expect(page.contains(#"<button class="ok destructive" name="outcome" value="ok">"#))
  }

  @Test func `An action that validates nothing has a form of its own`() throws {
    let forgot = Prompt.Button("Forgot", role: .action, name: "forgot", validates: false)
    let page = try page(Prompt(title: "T", buttons: [forgot, Prompt.Button("Send", role: .ok)]))
    #expect(page.contains(#"<button class="action" form="act" name="action" value="forgot">"#))
    #expect(page.contains(#"<form id="act""#))
    #expect(try !PagesTests.page(email).contains(#"<form id="act""#))
  }

  @Test(arguments: [
    (["cancel", "ok"], ["cancel", "ok"]), (["ok", "cancel"], ["cancel", "ok"]), (["action", "ok"], ["action", "ok"]),
    (["action", "cancel", "ok"], ["ok", "action", "cancel"]),
    (["cancel", "ok", "action"], ["ok", "action", "cancel"]),
  ])
  func `Stacked the primary is first and Cancel last, side by side Cancel is first`(
    written: [String], seen: [String]
  ) throws {
    let buttons = written.map {
      Prompt.Button($0, role: $0 == "ok" ? .ok : $0 == "cancel" ? .cancel : .action, name: "a")
    }
    let page = try page(Prompt(title: "T", buttons: buttons))
    let places = try seen.map {
      try #require(page.firstRange(of: "<span dir=\"auto\">\($0)</span></button>")).lowerBound
    }
    #expect(places == places.sorted())
  }

  @Test(arguments: [
    ("One line.", false), (String(repeating: "ab ", count: 40), true), ("a\nb", true), ("a\r\nb", true),
  ])
  func `A message of several lines begins at the side`(message: String, isLong: Bool) throws {
    #expect(try page(Prompt(title: "T", message: message)).contains(#"class="long""#) == isLong)
  }

  @Test(arguments: [
    (Field("f"), false), (Field("f", rules: [.nonEmpty]), true),
    (Field("f", optional: true, rules: [.nonEmpty]), false),
    (Field("f", kind: .integer), true), (Field("f", rules: [.length(max: 5)]), false),
    (Field("f", kind: .boolean, rules: [.nonEmpty]), false),
    (Field("f", kind: .choices, rules: [.count(min: 1)], options: [Field.Option("a")]), true),
    (
      Field("f", kind: .choices, value: ["a"], rules: [.count(min: 1)], options: [Field.Option("a")]), false
    ),
    (Field("f", kind: .choices, rules: [.count(max: 1)], options: [Field.Option("a")]), false),
  ])
  func `A field that may not stay empty says so`(field: Field, isRequired: Bool) throws {
    #expect(try page(Prompt(title: "T", fields: [field])).contains(#"aria-required="true""#) == isRequired)
  }

  @Test(arguments: [
    ([Prompt.Button("Cancel", role: .cancel), Prompt.Button("OK", role: .ok)], false),
    ([Prompt.Button("OK", role: .ok)], false),
    ([Prompt.Button("Not now", role: .cancel), Prompt.Button("Delete everything", role: .ok)], true),
    (
      [Prompt.Button("A", role: .cancel), Prompt.Button("B", role: .action, name: "b"), Prompt.Button("C", role: .ok)],
      true
    ),
  ])
  func `Long or many buttons are stacked`(buttons: [Prompt.Button], isStacked: Bool) throws {
    #expect(try page(Prompt(title: "T", buttons: buttons)).contains(#"class="buttons stacked""#) == isStacked)
  }

  @Test func `Scripts that this dialog needs are asked for at once, no others`() throws {
    let plain = try page(email)
    #expect(!plain.contains("modulepreload"))
    let rich = try page(
      Prompt(title: "T", fields: [Field("p", kind: .password) { $0.allow = [.length(max: 3)] }]),
      rules: #"{"decidedBy":"server","kind":"url","rule":"step","also":"not"}"#)
    for module in ["dialog-filter", "dialog-controls", "dialog-asking", "quantities", "logic", "hosts"] {
      #expect(rich.contains(#"<link rel="modulepreload" href="/\#(module).js">"#))
    }
  }

  @Test(arguments: [Field.Kind.number, .integer, .slider])
  func `A unit stands beside the number, and describes it`(kind: Field.Kind) throws {
    let page = try page(Prompt(title: "T", fields: [Field("f", kind: kind, help: "h") { $0.unit = "<kg>" }]))
    #expect(page.contains(#"<span class="unit" id="unit-f" dir="auto">&lt;kg&gt;</span>"#))
    #expect(page.contains(#"aria-describedby="unit-f help-f error-f""#))
    #expect(page.contains(#"href="/controls.css""#))
  }

  @Test(arguments: [(Field.Kind.choice, #" aria-describedby="help-f-0""#), (.choices, "")])
  func `An option is named by its title, and described by its help`(kind: Field.Kind, description: String) throws {
    let options = [Field.Option("a", title: "A", help: "h"), Field.Option("b")]
    let page = try page(Prompt(title: "T", fields: [Field("f", kind: kind, help: "of f", options: options)]))
    #expect(page.contains(#"value="a" aria-labelledby="title-f-0""# + description))
    #expect(page.contains(#"<span id="title-f-0" dir="auto">A</span>"#))
    #expect(page.contains(#"<span class="help" id="help-f-0" dir="auto">h</span>"#))
    #expect(page.contains(#"<span dir="auto">b</span>"#))
    #expect(page.contains(#"aria-describedby="help-f-0 help-f error-f""#) == (kind == .choices))
  }

  @Test func `A menu shows an option's help behind its title`() throws {
    let options = (1...6).map { Field.Option("\($0)", help: $0 == 1 ? "a \"first\"" : nil) }
    let page = try page(Prompt(title: "T", fields: [Field("f", kind: .choice, help: "of f", options: options)]))
    #expect(page.contains(#"<option value="1" label="1: a &quot;first&quot;">1</option>"#))
    #expect(page.contains(#"<option value="2">2</option>"#))
  }

  @Test func `An optional radio group can be left open, and no switch is optional`() throws {
    let field = Field("f", kind: .choice, optional: true, options: [Field.Option("a")])
    #expect(try page(Prompt(title: "T", fields: [field])).contains(#"name="f" type="radio" value="" checked"#))
    let box = Field("f", kind: .boolean, optional: true)
    #expect(try !page(Prompt(title: "T", fields: [box])).contains(#"class="optional""#))
  }

  @Test func `OK is natively disabled only by scripts, and only if the prompt wants it`() throws {
    #expect(try page(Prompt(title: "T", okWhenInvalid: .disabled)).contains(#"data-when-invalid="disabled""#))
    #expect(try !page(Prompt(title: "T")).contains("data-when-invalid"))
  }

  // MARK: Conditions and sections

  @Test func `A field says when it applies, and the scripts that hide it come only then`() throws {
    let company = Field(
      "company", when: [.field("kind", is: .oneOf(["a"])), .field("kind", is: .nonEmpty, saying: "With <any> kind")])
    let conditional = try page(Prompt(title: "T", fields: [Field("kind"), company]))
    #expect(
      conditional.contains(
        #"<p class="help when" id="when-company" dir="auto">Only if “Kind” is “a”"# + "\nWith &lt;any&gt; kind</p>"))
    #expect(conditional.contains(#"aria-describedby="when-company error-company""#))
    #expect(conditional.ranges(of: "conditions.js").count == 2)
    #expect(conditional.contains("controls.css"))
    let plain = try page(email)
    for word in ["when", "conditions.js", "section", "fieldset"] { #expect(!plain.contains(word)) }
  }

  @Test func `A section is a fieldset with a heading around its fields`() throws {
    let page = try page(
      Prompt(
        title: "T",
        fields: [
          Field("a"), Field("b") { $0.section = "B & C" }, Field("c"),
          Field("d") {
            $0.section = "D"
            $0.sectionHelp = "E & F"
          },
        ]))
    let parts = page.split(separator: "\n").filter {
      $0.contains("data-field") || $0.contains("fieldset") || $0.contains("h2") || $0.contains(#"class="help""#)
    }
    #expect(
      parts == [
        #"<div class="field text" data-field="a">"#, #"<fieldset class="section">"#,
        #"<legend><h2 dir="auto">B &amp; C</h2></legend>"#, #"<div class="field text" data-field="b">"#,
        #"<div class="field text" data-field="c">"#, "</fieldset>",
        #"<fieldset class="section" aria-describedby="section-d">"#, #"<legend><h2 dir="auto">D</h2></legend>"#,
        #"<p class="help" id="section-d" dir="auto">E &amp; F</p>"#, #"<div class="field text" data-field="d">"#,
        "</fieldset>",
      ])
  }

  @Test func `An action with conditions sends the fields, needs none valid, and is not what Enter presses`() throws {
    let draft = Prompt.Button(
      "Draft", role: .action, name: "draft", validates: false, when: [.field("a", is: .oneOf(["x"]))])
    let page = try page(
      Prompt(title: "T", buttons: [draft, Prompt.Button("OK", role: .ok)], fields: [Field("a")]))
    #expect(page.contains(#"<button class="action" form="form" formnovalidate name="action" value="draft">"#))
    #expect(page.contains(#"<button class="unseen" name="outcome" value="ok""#))
    #expect(!page.contains(#"id="act""#))
  }
}

@Suite struct `The context in a dialog's page` {
  private func page(_ context: [Prompt.Context]) throws -> String {
    var prompt = Prompt(title: "T")
    prompt.context = context
    return try PagesTests.page(prompt)
  }

  @Test func `is text, whatever it holds`() throws {
    let markup = "\"\u{301}><script>alert(1)</script>"
    let page = try page([
      .text(markup), .code(markup, language: markup), .diff("+" + markup), .table(columns: [markup], rows: [[markup]]),
      .link("https://example.com/?a=%22", title: markup),
    ])
    #expect(!page.contains("<script>"))
    #expect(page.ranges(of: "&lt;script&gt;").count == 7)
  }

  @Test func `shows where a link leads, and marks that turn the direction of text`() throws {
    let page = try page([.link("https://evil.example/pay", title: "Our\u{202E} bank"), .diff("-a\n+b\n--- c")])
    #expect(page.contains(#"<span class="host" dir="ltr">evil.example</span>"#))
    #expect(page.contains(#"rel="noopener noreferrer""#))
    #expect(page.contains("Our⟨U+202E⟩ bank"))
    #expect(page.contains("<del>-a\n</del><ins>+b\n</ins><span>--- c\n</span>"))
  }

  @Test(arguments: [
    ("https://bücher.example/", "bücher.example"), ("https://аpple.com/pay", "xn--pple-43d.com"),
    ("https://例え.テスト/", "xn--r8jz45g.xn--zckzah"), ("https://exаmple.com:8443/", "xn--exmple-4nf.com:8443"),
    ("https://xn--pple-43d.com/", "xn--pple-43d.com"), ("https://[2001:db8::1]:80/", "[2001:db8::1]:80"),
    ("https://аb:80/", "xn--b-7sb:80"), ("https://faß。example/", "faß.example"),
    ("https://lınk.example/", "xn--lnk-jua.example"),
  ])
  func `shows hosts that could look like another one as DNS has them`(url: String, host: String) throws {
    #expect(try page([.link(url, title: nil)]).contains(#"<span class="host" dir="ltr">\#(host)</span>"#))
  }

  @Test func `has no mark that turns the direction of text in an address`() throws {
    let page = try page([.link("https://a.example/\u{202E}gpj.exe\u{200F}", title: nil)])
    #expect(page.contains(#"href="https://a.example/%E2%80%AEgpj.exe%E2%80%8F""#))
    #expect(!page.unicodeScalars.contains("\u{202E}"))
  }

  @Test func `costs a dialog without it nothing`() throws {
    #expect(!(try page([])).contains("context"))
  }
}
