import Testing

@testable import OKCancelCLI
@testable import Prompts

struct ScreenTests {
  @Test func `Columns are those of a terminal`() {
    for (text, columns) in [
      ("abc", 3), ("äöü", 3), ("a\u{301}", 1), ("日本", 4), ("한글", 4), ("👍", 2), ("👨‍👩‍👧", 2), ("مرحبا", 5), ("Ａ", 2),
      ("🇩🇪", 2),
    ] { #expect(Columns.count(text) == columns, "\(text)") }
  }

  @Test func `Lines break at spaces, and within words only where they must`() {
    #expect(Columns.wrap("one two three", to: 7) == ["one two", "three"])
    #expect(Columns.wrap("abcdefgh ij", to: 4) == ["abcd", "efgh", "ij"])
    #expect(Columns.wrap("日本語", to: 4) == ["日本", "語"])
    #expect(Columns.wrap("", to: 4) == [""])
    #expect(Columns.wrap("ab  cd", to: 2) == ["ab", "", "cd"])
    // After something else in the line.
    #expect(Columns.wrap("one two", to: 7, first: 5) == ["one", "two"])
    #expect(Columns.wrap("abcdefgh", to: 7, first: 5) == ["", "abcdefg", "h"])
    #expect(Columns.wrap("ab", to: 4, first: 0) == ["", "ab"])
  }

  @Test func `A line takes as many as it needs, and loses nothing`() {
    let words = (1...40).map { "word\($0)" }.joined(separator: " ")
    for columns in [10, 20, 80] {
      var screen = Screen(columns: columns)
      screen.line(("  label: ", .plain), (words, .strong), ("  help", .faint))
      // In ten columns, words are broken too.
      #expect(screen.text.filter { !$0.isWhitespace } == "label: \(words) help".filter { $0 != " " })
      for word in [String(repeating: "b", count: 90), String(repeating: "語", count: 45)] {
        screen.line(("  \(word): ", .plain), (word, .strong))
      }
      #expect(screen.lines.allSatisfy { Columns.count($0.map(\.text).joined()) < columns })
      #expect(screen.lines.allSatisfy { $0.contains { $0.text.contains { $0 != " " } } })
    }
  }

  @Test func `What does not fit in the rows is marked`() {
    var screen = Screen(columns: 20)
    for number in 1...30 {
      if number == 20 { screen.show() }
      screen.line(("\(number)", .plain))
    }
    let lines = screen.fitting(rows: 7).text.split(separator: "\n")
    #expect(lines.first == "⋮" && lines.last == "⋮" && lines.contains("20"))
  }
}
