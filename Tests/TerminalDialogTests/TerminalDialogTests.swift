import Foundation
import TestSupport
import Testing

@testable import OKCancelCLI
@testable import Prompts

struct TerminalDialogTests {
  private static let prompt = Prompt(
    title: "T",
    fields: [
      Field("a", rules: [.nonEmpty]), Field("note", kind: .multiline),
      Field("plan", kind: .choice, options: ["small", "large", "larger"]),
      Field("many", kind: .choices, options: ["x", "y"]),
      Field("firm", when: [.field("plan", is: .oneOf(["large"]))]),
    ])

  @Test func `Text that is typed or pasted is judged as it is`() {
    for text in ["Ada", "  a  ", "日本", "e\u{301}", "\u{200B}", "🇩🇪👨‍👩‍👧", "a\u{202E}b", "-"] {
      var dialog = TerminalDialog(Self.prompt)
      #expect(dialog.press(.text(text)) == nil)
      #expect(dialog.answering.inputs["a"]?.text.map { Array($0.utf8) } == Array(text.utf8))
    }
  }

  @Test func `Every text of the conformance corpus arrives as it was pasted`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Conformance")
    var count = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".json") {
      let bytes = Array(try Data(contentsOf: folder.appending(path: file)))
      let corpus = try JSON(parsing: bytes, limits: JSONLimits(depth: 64, keys: 1_000_000, string: 1 << 20))
      for text in Self.texts(of: corpus) where !text.contains("\u{1B}[201~") {
        var reader = KeyReader(), dialog = TerminalDialog(Self.prompt)
        let presses = reader.read(Array("\u{1B}[200~\(text)\u{1B}[201~".utf8), at: .now)
        for press in presses { _ = dialog.press(press.key) }
        var lines = text.withLineFeeds
        // The last line break is not part of a line.
        if lines.utf8.last == 0x0A { lines = String(lines.unicodeScalars.dropLast()) }
        #expect(dialog.answering.inputs["a"]?.text.map { Array($0.utf8) } == Array(lines.utf8))
        count += 1
      }
    }
    #expect(count > 3000)
  }

  private static func texts(of json: JSON) -> [String] {
    switch json {
    case .object(let members):
      members.flatMap { member -> [String] in
        if member.key == "text", case .string(let text) = member.value { return [text] }
        return texts(of: member.value)
      }
    case .array(let elements): elements.flatMap(texts)
    default: []
    }
  }

  @Test func `Enter goes on only from a field that is valid`() {
    var dialog = TerminalDialog(Self.prompt)
    #expect(dialog.press(.enter) == .judge)
    dialog.judged(["a": .invalid(rule: "nonEmpty", message: "Enter a value")])
    #expect(dialog.place == .field(0))
    #expect(dialog.screen().text.contains("✗ Enter a value"))
    _ = dialog.press(.text("x"))
    #expect(dialog.press(.enter) == .judge)
    dialog.judged(["a": .valid])
    #expect(dialog.place == .field(1))
  }

  @Test func `Keys edit a text by characters`() {
    var input = TextInput("")
    for (key, text, before) in [
      (.text("one two"), "one two", "one two"), (.left, "one two", "one tw"), (.backspace, "one to", "one t"),
      (.home, "one to", ""), (.delete, "ne to", ""), (.end, "ne to", "ne to"), (.eraseWord, "ne ", "ne "),
      (.text("e"), "ne e", "ne e"), (.text("\u{301}"), "ne e\u{301}", "ne e\u{301}"), (.backspace, "ne ", "ne "),
      (.eraseLine, "", ""), (.right, "", ""), (.delete, "", ""), (.backspace, "", ""),
    ] as [(Key, String, String)] {
      _ = input.press(key, isMultiline: false)
      #expect(input.text == text && input.before == before, "\(key)")
    }
  }

  @Test func `Arrows move within the lines of a text, and then out of it`() {
    var input = TextInput("abc\nd\n")
    for (key, moves, before) in [
      (.up, true, "abc\n"), (.end, true, "abc\nd"), (.up, true, "a"), (.up, false, "a"), (.down, true, "abc\nd"),
      (.down, true, "abc\nd\n"), (.down, false, "abc\nd\n"),
    ] as [(Key, Bool, String)] {
      let hasMoved = input.press(key, isMultiline: true)
      #expect(hasMoved == moves && input.before == before, "\(key)")
    }
  }

  @Test func `An option is chosen by arrows, number, title or Space`() {
    for (keys, value) in [
      ([.down], "large"), ([.down, .down], "larger"), ([.up], "small"), ([.text("3")], "larger"), ([.text("9")], ""),
      ([.text("l")], "large"), ([.text("larger")], "larger"), ([.text("ll")], ""), ([.text(" ")], "small"), ([], ""),
      ([.text("l"), .backspace], ""), ([.end], "larger"), ([.paste("large")], ""),
    ] as [([Key], String)] {
      var dialog = TerminalDialog(Self.prompt)
      for key in [.tab, .tab] + keys { _ = dialog.press(key) }
      #expect(dialog.answering.inputs["plan"]?.text == value, "\(keys)")
      #expect(dialog.screen().text.contains("Firm") == (value == "large"))
    }
  }

  private static func chosen(
    _ titles: [String], _ keys: [Key], kind: Field.Kind = .choice
  ) -> (values: [String], screen: String) {
    let options = titles.map { Field.Option($0) }
    var dialog = TerminalDialog(Prompt(title: "T", fields: [Field("a", kind: kind, options: options)]))
    for key in keys { _ = dialog.press(key) }
    return (dialog.answering.inputs["a"]?.texts.filter { !$0.isEmpty } ?? [], dialog.screen().text)
  }

  @Test func `What is typed is the beginning of a title, and a number only if no title begins so`() {
    let cities = (0..<300).map { "city\($0)" }
    for (titles, typed, value) in [
      (["3", "2", "1"], "3", "3"), (["22", "80", "443"], "443", "443"), (["22", "80"], "443", nil),
      (cities, "city250", "city250"),
      (["larger", "large"], "large", "large"), (["a", "b", "c"], "3", "c"),
      (["New York", "Newark"], "new y", "New York"),
      (cities, "12", "city11"), (["22", "80"], "225", nil),
    ] as [([String], String, String?)] {
      let keys = typed.map { Key.text(String($0)) }
      #expect(Self.chosen(titles, keys).values == [value].compactMap(\.self), "\(titles.prefix(3)) \(typed)")
    }
  }

  @Test func `Of several, what is typed moves the mark and Space chooses`() {
    for (keys, values) in [
      ([.text("b"), .text(" ")], ["b"]), ([.text(" "), .down, .text(" ")], ["a", "b"]), ([.text("3")], []),
      ([.text("c a ")], ["a", "c"]), ([.text("x ")], []), ([.paste(" ")], []),
    ] as [([Key], [String])] {
      #expect(Self.chosen(["a", "b", "c"], keys, kind: .choices).values == values, "\(keys)")
    }
  }

  @Test func `A list shows from the first which row a key would take, and a long one what matches`() {
    #expect(Self.chosen(["a", "b"], []).screen.contains("› ( ) 1 a"))
    let screen = Self.chosen((1...300).map { "city\($0)" }, [.text("city29")]).screen
    #expect(screen.contains("  city29  11 of 300"))
    #expect(screen.contains("› (•) 29 city29\n  ( ) 290 city290") && !screen.contains("city30"))
    #expect(Self.chosen(["a", "b"], [.text("x")]).screen.contains("  x  0 of 2"))
  }

  @Test func `Nothing is answered before a button was chosen where much depends on it`() {
    let buttons = [Prompt.Button("Keep", role: .cancel), Prompt.Button("Delete", role: .ok, isDestructive: true)]
    let prompt = Prompt(title: "Delete the production database?", buttons: buttons)
    for (keys, ending) in [
      ([.enter], nil), ([.text(" ")], nil), ([.text("y")], nil), ([.paste(" ")], nil), ([.tab, .enter], .cancel),
      ([.left, .enter], .ok), ([.tab, .right, .text(" ")], .ok), ([.escape, .enter], .cancel),
      ([.tab, .paste(" ")], nil),
      ([.pageDown, .enter], nil),
    ] as [([Key], DialogEnding?)] {
      var dialog = TerminalDialog(prompt), request: DialogRequest?
      for key in keys { request = dialog.press(key) }
      #expect(request == ending.map(DialogRequest.send), "\(keys)")
    }
    var plain = TerminalDialog(Prompt(title: "Deploy?"))
    #expect(plain.press(.enter) == .send(.ok))
  }

  private static let offer = Prompt(
    title: "Claude Code: Bash", ok: "Allow", cancel: "Deny",
    fields: [
      Field(Field.suggestions, kind: .choice, value: "once", options: ["once", "session: Bash(ls)"])
    ])

  @Test func `No Enter or Space allows anything before a button was chosen where more is offered`() {
    for (keys, ending) in [
      ([.enter], nil), ([.text(" ")], nil), ([.tab, .enter], nil), ([.tab, .enter, .enter, .enter], nil),
      ([.tab, .text(" ")], nil), ([.tab, .down, .text(" "), .enter, .endOfText, .enter], nil),
      ([.down, .up, .down, .left, .up], nil),
      ([.tab, .escape, .enter], .cancel), ([.tab, .tab, .enter], .ok), ([.tab, .down, .tab, .enter], .ok),
    ] as [([Key], DialogEnding?)] {
      var dialog = TerminalDialog(Self.offer), request: DialogRequest?
      for key in keys {
        request = dialog.press(key)
        if request == .judge { dialog.judged([Field.suggestions: .valid]) }
      }
      let sent: DialogRequest? = if case .send? = request { request } else { nil }
      #expect(sent == ending.map(DialogRequest.send), "\(keys)")
      #expect(
        dialog.answering.inputs[Field.suggestions]?.text
          == (keys.contains(.tab) && keys.contains(.down) ? "session: Bash(ls)" : "once"))
    }
  }

  @Test func `Empty lines allow nothing where more is offered`() {
    var dialog = PlainDialog(Self.offer, columns: 80)
    for _ in 0..<5 {
      let request = dialog.take("")
      #expect(request == nil || request == .judge)
      if request == .judge { dialog.judged([Field.suggestions: .valid]) }
    }
    #expect(dialog.answering.inputs[Field.suggestions]?.text == "once" && !dialog.question.contains("["))
    _ = dialog.output
    #expect(dialog.take("Allow") == .send(.ok))
  }

  @Test func `A dialog that is longer than the screen scrolls between its title and its buttons`() {
    var prompt = Prompt(title: "Merge?", message: "Into main")
    prompt.context = [.diff((1...117).map { "+line \($0)\n" }.joined())]
    var dialog = TerminalDialog(prompt)
    for (keys, lines, seen) in [
      ([], "lines 1–19 of 120", "+line 1\n"), ([.down], "lines 2–20 of 120", "+line 18\n"),
      ([.pageDown], "lines 20–38 of 120", "+line 30\n"), ([.pageUp, .pageUp], "lines 1–19 of 120", "Into main"),
      ([.end], "lines 102–120 of 120", "+line 117\n"), ([.up], "lines 101–119 of 120", "+line 117\n"),
      ([.tab, .home], "lines 1–19 of 120", "› [ Cancel ]"), ([.right], "lines 1–19 of 120", "› [ OK ]"),
    ] as [([Key], String, String)] {
      for key in keys { #expect(dialog.press(key) == nil) }
      let text = dialog.screen().text
      #expect(text.hasPrefix("Merge?\n") && text.contains(lines) && text.contains(seen), "\(keys): \(text)")
      #expect(text.contains("[ Cancel ]\n") && text.contains("[ OK ]") && text.split(separator: "\n").count <= 23)
    }
    #expect(dialog.press(.enter) == .send(.ok))
    #expect(!dialog.screen(hasEnded: true).text.contains("+line"))
  }

  @Test func `Markdown is drawn with marks for lists and quotes, and stays text if something would not be seen`() {
    let text = """
      # Plan

      Do *this* with `x`, says [Ada](https://a.example/b), on a line that is longer than the columns of this screen:

      9. One\\
         more
      10. Two
          - deep

      > Quote
      > > ```sh
      > > rm -rf *
      > > ```

      | a | b\u{202E} |
      |---|:-:|
      | 1 | **2** |
      ***
      <b>![c](d)
      """
    var prompt = Prompt(title: "Merge?")
    prompt.context = [.markdown(text)]
    let screen = prompt.drawnMaterial(columns: 60)
    #expect(
      screen.text == """

        Plan

        Do this with `x`, says Ada (https://a.example/b), on a line
        that is longer than the columns of this screen:

        9. One
           more
        10. Two
            • deep

        │ Quote
        │ │   sh
        │ │   rm -rf *

        a  b⟨U+202E⟩
        1  2\(String(repeating: " ", count: 8))

        ───

        <b>![c](d)

        """)
    #expect(screen.lines[1].map(\.style) == [.strong])
    prompt.context = [.markdown(text + "\n\n[e]: f")]
    #expect(prompt.drawnMaterial(columns: 60).text.hasPrefix("\n# Plan\n\nDo *this* with"))
  }

  @Test func `A field that is written in is in sight, and Page Up shows what stands above`() {
    var prompt = Prompt(title: "Merge?", fields: [Field("note")])
    prompt.context = [.text((1...50).map { "line \($0)" }.joined(separator: "\n"))]
    var dialog = TerminalDialog(prompt)
    #expect(dialog.screen().cursor != nil && dialog.screen().text.contains("› Note"))
    for _ in 1...3 { _ = dialog.press(.pageUp) }
    #expect(dialog.screen().cursor == nil && dialog.screen().text.contains("line 1\n"))
    _ = dialog.press(.text("x"))
    #expect(dialog.screen().cursor != nil)
  }

  @Test func `A line takes the text of a paste without its last line break`() {
    for (pasted, entered) in [("a\n", "a"), ("a\nb\n", "a\nb"), ("\n", ""), ("a", "a")] {
      var dialog = TerminalDialog(Self.prompt)
      #expect(dialog.press(.paste(pasted)) == nil)
      #expect(dialog.answering.inputs["a"]?.text == entered)
      _ = dialog.press(.tab)
      #expect(dialog.press(.paste(pasted)) == nil)
      #expect(dialog.answering.inputs["note"]?.text == pasted)
    }
  }

  @Test func `No key is worth a crash, and no screen has a control character`() {
    var random = SeededGenerator(seed: 45)
    for _ in 0..<10_000 {
      var dialog = TerminalDialog(Self.prompt), reader = KeyReader()
      let bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      for press in reader.read(bytes, at: .now) {
        if dialog.press(press.key) == .judge { dialog.judged(Bool.random(using: &random) ? ["a": .valid] : nil) }
      }
      dialog.size = (Int.random(in: 0...90, using: &random), Int.random(in: 0...9, using: &random))
      let screen = dialog.screen()
      #expect(screen.text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHidden && $0.value >= 0x20 })
    }
  }
}
