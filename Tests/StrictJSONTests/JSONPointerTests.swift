import Testing

@testable import Prompts

struct JSONPointerTests {
  /// The last ones hide `~` and `/` from what compares characters.
  @Test(
    arguments: [
      ("", []), ("/", [""]), ("/a~1b/~0", ["a/b", "~"]), ("/~01", ["~1"]), ("//0", ["", "0"]),
      ("/~0\u{301}", ["~\u{301}"]), ("/~1\u{301}/\u{301}", ["/\u{301}", "\u{301}"]),
    ] as [(String, [String])])
  func `writes names and reads them again`(pointer: String, names: [String]) {
    #expect(Array(JSONPointer.text(names).utf8) == Array(pointer.utf8))
    #expect(JSONPointer.names(in: pointer).map { Array($0.utf8) } == names.map { Array($0.utf8) })
  }

  @Test func `leaves what no pointer has`() {
    #expect(JSONPointer.names(in: "#/a~2/~") == ["a~2", "~"])
  }
}
