import Prompts
import Testing

@testable import TerminalDialog

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
  }
}
