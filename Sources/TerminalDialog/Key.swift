/// A key that was pressed, or text that was typed or pasted.
package enum Key: Sendable, Equatable {
  /// Typed, or pasted with its line feeds.
  case text(String)
  case enter, tab, backTab, escape, backspace, delete
  case up, down, left, right, home, end
  /// Erase everything before the cursor, or one word.
  case eraseLine, eraseWord
  /// Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-L.
  case interrupt, endOfText, suspend, redraw
}
