internal import Foundation
internal import Glibc
internal import OKCancel

/// What is written on standard output and standard error, which may be a terminal.
///
/// A terminal obeys control sequences, whoever wrote them: a definition, a person's answer, a server. So none of theirs
/// gets through.
enum Terminal {
  static let isOutput = isatty(STDOUT_FILENO) == 1
  /// Whether errors go to a terminal that understands control sequences.
  static let isError =
    isatty(STDERR_FILENO) == 1 && ![nil, "", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"])

  /// How many columns it has.
  static var columns: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// As much of a line as fits, so that a terminal does not break it. Letters of Asia count twice.
  static func cut(_ line: String) -> String {
    var room = columns - 1
    return String(
      String.UnicodeScalarView(
        line.unicodeScalars.prefix {
          room -= $0.value < 0x1100 ? 1 : 2
          return room >= 0
        }))
  }

  /// A link that a terminal lets one click (OSC 8), or `nil` for one that could say more than that.
  static func hyperlink(_ url: String) -> String? {
    guard Rule.url.isValid(url), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    return "\u{1B}]8;;\(url)\u{1B}\\\(url)\u{1B}]8;;\u{1B}\\"
  }

  /// Writes to standard error as it is.
  static func control(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// Writes a line of errors or news.
func standardError(_ line: String) {
  FileHandle.standardError.write(Data((line.visible + "\n").utf8))
}

/// Writes a line, which a reader at the other end of a pipe sees at once, byte by byte.
func standardOutput(_ line: String) { standardOutput(line, end: "\n") }

func standardOutput(_ text: String, end: String) {
  FileHandle.standardOutput.write(Data(((Terminal.isOutput ? text.visible : text) + end).utf8))
}

extension String {
  /// The text with everything written out that would control a terminal or could not be seen; line feeds stay.
  var visible: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A }) { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      text += scalar == "\n" ? "\n" : scalar.writtenOut ?? String(scalar)
    }
  }
}

extension Unicode.Scalar {
  /// `\u{1B}` for what ends a line, hides in it, turns it around or controls a terminal; `nil` for any other.
  var writtenOut: String? {
    switch properties.generalCategory {
    case .control where self == "\n": "\\n"
    case .control, .format, .lineSeparator, .paragraphSeparator:
      "\\u{\(String(value, radix: 16, uppercase: true))}"
    default: nil
    }
  }
}
