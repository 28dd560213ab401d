import Foundation
import Prompts
import StrictJSON
import TestSupport
import Testing

@testable import TerminalDialog

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
        let keys = reader.read(Array("\u{1B}[200~\(text)\u{1B}[201~".utf8))
        for key in keys { _ = dialog.press(key) }
        let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
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

  @Test func `A number of several digits chooses one option`() {
    let options = (1...12).map { Field.Option("o\($0)") }
    for (kind, typed, chosen) in [
      (Field.Kind.choices, ["1", "2"], ["o12"]), (.choices, ["12"], ["o12"]), (.choices, ["2", "1"], ["o1", "o2"]),
      (.choices, ["1", " ", "2"], ["o2"]), (.choices, ["0", "3"], ["o3"]), (.choices, ["1", "1", "1"], ["o1", "o11"]),
      (.choice, ["1", "2"], ["o12"]),
    ] {
      var dialog = TerminalDialog(Prompt(title: "T", fields: [Field("a", kind: kind, options: options)]))
      for key in typed { #expect(dialog.press(.text(key)) == nil) }
      #expect(dialog.answering.inputs["a"]?.texts == chosen, "\(kind) \(typed)")
    }
  }

  @Test func `Enter goes on only from a field that is valid`() {
    var dialog = TerminalDialog(Self.prompt)
    #expect(dialog.press(.enter) == .judge)
    dialog.judged(["a": .invalid(rule: "nonEmpty", message: "Enter a value")])
    #expect(dialog.place == .field(0))
    #expect(dialog.screen(columns: 80, rows: 40).text.contains("✗ Enter a value"))
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

  @Test func `An option is chosen by arrows, number, letter or Space`() {
    for (keys, value) in [
      ([.down], "small"), ([.down, .down], "large"), ([.up], "small"), ([.text("3")], "larger"), ([.text("9")], ""),
      ([.text("l")], "large"), ([.text("ll")], "larger"), ([.text(" ")], "small"), ([], ""), ([.end], "larger"),
    ] as [([Key], String)] {
      var dialog = TerminalDialog(Self.prompt)
      _ = dialog.press(.tab)
      _ = dialog.press(.tab)
      for key in keys { _ = dialog.press(key) }
      #expect(dialog.answering.inputs["plan"]?.text == value, "\(keys)")
      #expect(dialog.screen(columns: 80, rows: 40).text.contains("Firm") == (value == "large"))
    }
  }

  @Test func `No key is worth a crash, and no screen has a control character`() {
    var random = SeededGenerator(seed: 45)
    for _ in 0..<10_000 {
      var dialog = TerminalDialog(Self.prompt), reader = KeyReader()
      let bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      for key in reader.read(bytes) + reader.pause() {
        if dialog.press(key) == .judge { dialog.judged(Bool.random(using: &random) ? ["a": .valid] : nil) }
      }
      let (columns, rows) = (Int.random(in: 0...90, using: &random), Int.random(in: 0...9, using: &random))
      let screen = dialog.screen(columns: columns, rows: rows)
      #expect(screen.text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHidden && $0.value >= 0x20 })
    }
  }
}
