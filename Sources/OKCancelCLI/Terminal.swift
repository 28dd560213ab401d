internal import CQRencode
internal import Foundation
internal import Prompts

/// Writes on standard output and standard error, which may be a terminal.
///
/// A terminal obeys every control sequence, also one in a definition, in a person's answer or from a server. So none of
/// those gets through.
enum Terminal {
  static let isOutput = isatty(STDOUT_FILENO) == 1
  /// True if errors go to a terminal that understands control sequences.
  static let isError =
    isatty(STDERR_FILENO) == 1 && ![nil, "", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"])

  /// The number of columns of the terminal.
  static var columns: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// A link that can be clicked in the terminal (OSC 8), or `nil` if its text could hold control sequences or there is
  /// no terminal.
  static func hyperlink(_ url: String) -> String? {
    guard isError, Rule.url.isValid(url), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    return "\u{1B}]8;;\(url)\u{1B}\\\(url)\u{1B}]8;;\u{1B}\\"
  }

  /// Removes the line that the cursor is in.
  static let lineErased = "\r\u{1B}[2K"

  /// Writes to standard error as it is.
  static func control(_ text: String) { try? Output.write(Array(text.utf8), to: STDERR_FILENO) }
}

/// A QR code of a text (ISO/IEC 18004), for a terminal, with error correction level L.
struct QRCode {
  /// The number of columns that it takes.
  let width: Int
  /// Lines, two rows of modules each, black on white whatever the terminal's colours are.
  let lines: [String]

  /// `nil` for a text that is too long.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = unsafe QRcode_encodeData(CInt(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
    defer { unsafe QRcode_free(code) }
    let size = unsafe Int(code.pointee.width)
    // The lowest bit of a module says whether it is dark.
    let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 }
    func module(_ x: Int, _ y: Int) -> Int {
      (0..<size).contains(x) && (0..<size).contains(y) ? Int(modules[y * size + x]) : 0
    }
    // Four modules around it must be light.
    let places = -4..<size + 4
    let blocks = [" ", "▀", "▄", "█"]
    width = places.count
    lines = stride(from: -4, to: size + 4, by: 2).map { y in
      "\u{1B}[38;5;16;48;5;231m" + places.map { blocks[module($0, y) + 2 * module($0, y + 1)] }.joined() + "\u{1B}[0m"
    }
  }
}
