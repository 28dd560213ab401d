internal import CQRencode

/// A QR code of a text (ISO/IEC 18004), for a terminal, with error correction level L.
struct QRCode {
  /// How many columns it takes.
  let width: Int
  /// Lines, two rows of modules each, black on white whatever the terminal's colours are.
  let lines: [String]

  /// The modules around it that must be light.
  private static let margin = 4

  /// `nil` for a text that is too long.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = unsafe QRcode_encodeData(CInt(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
    defer { unsafe QRcode_free(code) }
    let size = unsafe Int(code.pointee.width)
    // The lowest bit of a module says whether it is dark.
    let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    func isDark(_ x: Int, _ y: Int) -> Bool {
      (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
    }
    width = size + 2 * Self.margin
    lines = stride(from: -Self.margin, to: size + Self.margin, by: 2).map { y in
      let cells = (-Self.margin..<size + Self.margin).map { x in
        switch (isDark(x, y), isDark(x, y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return "\u{1B}[38;5;16;48;5;231m" + cells.joined() + "\u{1B}[0m"
    }
  }
}
