/// A QR code of a short text (ISO/IEC 18004): bytes, versions 1 to 6, error correction level L.
///
/// That is enough for a link, and needs neither several alignment patterns nor version information.
struct QRCode {
  /// How many modules there are on a side.
  let size: Int
  private var dark: [Bool]
  /// Modules that carry no data.
  private var isFixed: [Bool]

  /// Codewords for data and for error correction, and the blocks that both are cut into.
  private static let versions = [(19, 7, 1), (34, 10, 1), (55, 15, 1), (80, 20, 1), (108, 26, 1), (136, 36, 2)]

  /// `nil` for a text of more than 134 bytes.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let version = Self.versions.firstIndex(where: { $0.0 >= bytes.count + 2 }) else { return nil }
    let (room, checks, blocks) = Self.versions[version]
    size = 21 + 4 * version
    dark = Array(repeating: false, count: size * size)
    isFixed = dark
    drawPatterns(hasAlignment: version > 0)
    place(Self.codewords(bytes, room: room, checks: checks, blocks: blocks))
    let masked = (0..<8).map { mask in
      var code = self
      code.apply(mask)
      return code
    }
    if let best = masked.min(by: { $0.penalty < $1.penalty }) { dark = best.dark }
  }

  /// Whether a module is dark; outside of the code none is.
  func isDark(_ x: Int, _ y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && dark[y * size + x]
  }

  private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard (0..<size).contains(x), (0..<size).contains(y) else { return }
    (dark[y * size + x], isFixed[y * size + x]) = (isDark, true)
  }

  private mutating func drawPatterns(hasAlignment: Bool) {
    for place in 0..<size {
      set(6, place, place.isMultiple(of: 2))
      set(place, 6, place.isMultiple(of: 2))
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawSquare(x, y, reach: 4) { $0 != 2 && $0 != 4 } }
    if hasAlignment { drawSquare(size - 7, size - 7, reach: 2) { $0 != 1 } }
    drawFormat(mask: 0)
  }

  private mutating func drawSquare(_ x: Int, _ y: Int, reach: Int, _ isDark: (Int) -> Bool) {
    for dy in -reach...reach {
      for dx in -reach...reach { set(x + dx, y + dy, isDark(max(abs(dx), abs(dy)))) }
    }
  }

  /// The level and the mask, twice, in a code of their own (section 7.9).
  private mutating func drawFormat(mask: Int) {
    let data = 0b01 << 3 | mask
    let rest = (0..<10).reduce(data) { rest, _ in rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (data << 10 | rest) ^ 0x5412
    for bit in 0..<15 {
      let isDark = bits >> bit & 1 == 1
      switch bit {
      case 0..<6: set(8, bit, isDark)
      case 6, 7: set(8, bit + 1, isDark)
      case 8: set(7, 8, isDark)
      default: set(14 - bit, 8, isDark)
      }
      if bit < 8 { set(size - 1 - bit, 8, isDark) } else { set(8, size - 15 + bit, isDark) }
    }
    set(8, size - 8, true)
  }

  /// Data with its padding, and what corrects its errors, block by block (sections 7.4 to 7.6).
  private static func codewords(_ bytes: [UInt8], room: Int, checks: Int, blocks: Int) -> [UInt8] {
    // The mode, 4 bits, shifts all that follows by half a byte.
    let whole = [UInt8(bytes.count)] + bytes + [0]
    var data = [0x40 | whole[0] >> 4] + zip(whole, whole.dropFirst()).map { $0 << 4 | $1 >> 4 }
    while data.count < room { data.append((data.count - bytes.count).isMultiple(of: 2) ? 0xEC : 0x11) }
    let length = room / blocks
    let parts = (0..<blocks).map { Array(data[($0 * length)..<(($0 + 1) * length)]) }
    let corrections = parts.map { remainder(of: $0, degree: checks / blocks) }
    return [parts, corrections].flatMap { all in all[0].indices.flatMap { place in all.map { $0[place] } } }
  }

  /// Reed and Solomon's, over the field of 256 elements with 0x11D.
  private static func remainder(of data: [UInt8], degree: Int) -> [UInt8] {
    var divisor = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      for place in divisor.indices {
        divisor[place] = product(divisor[place], root) ^ (place + 1 < degree ? divisor[place + 1] : 0)
      }
      root = product(root, 2)
    }
    return data.reduce(into: [UInt8](repeating: 0, count: degree)) { rest, byte in
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for place in rest.indices { rest[place] ^= product(divisor[place], factor) }
    }
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    (0..<8).reversed().reduce(0 as UInt8) { sum, bit in
      (sum << 1) ^ (sum >> 7) * 0x1D ^ (b >> bit & 1) * a
    }
  }

  /// Up and down in columns of two, from the right (section 7.7.3).
  private mutating func place(_ codewords: [UInt8]) {
    var bit = 0
    for right in stride(from: size - 1, to: 0, by: -2) {
      // The column of the timing pattern is left out.
      let column = right <= 6 ? right - 1 : right
      for step in 0..<size {
        let y = (column + 1) & 2 == 0 ? size - 1 - step : step
        for x in [column, column - 1] where !isFixed[y * size + x] && bit < codewords.count * 8 {
          dark[y * size + x] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
    }
  }

  private mutating func apply(_ mask: Int) {
    for y in 0..<size {
      for x in 0..<size where !isFixed[y * size + x] && Self.inverts(mask, x, y) { dark[y * size + x].toggle() }
    }
    drawFormat(mask: mask)
  }

  private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y).isMultiple(of: 2)
    case 1: y.isMultiple(of: 2)
    case 2: x.isMultiple(of: 3)
    case 3: (x + y).isMultiple(of: 3)
    case 4: (x / 3 + y / 2).isMultiple(of: 2)
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3).isMultiple(of: 2)
    default: ((x + y) % 2 + x * y % 3).isMultiple(of: 2)
    }
  }

  /// How much is in it that a reader could mistake (section 7.8.3).
  private var penalty: Int {
    let finder = [true, false, true, true, true, false, true, false, false, false, false]
    var sum = abs(dark.count { $0 } * 20 / dark.count - 10) * 10
    for line in 0..<size {
      for cells in [(0..<size).map { isDark($0, line) }, (0..<size).map { isDark(line, $0) }] {
        var run = 1
        for place in 1...size {
          if place < size, cells[place] == cells[place - 1] {
            run += 1
          } else {
            if run >= 5 { sum += run - 2 }
            run = 1
          }
          if place >= finder.count, [finder, finder.reversed()].contains(Array(cells[(place - finder.count)..<place])) {
            sum += 40
          }
        }
      }
    }
    for y in 1..<size {
      for x in 1..<size where Set([isDark(x, y), isDark(x - 1, y), isDark(x, y - 1), isDark(x - 1, y - 1)]).count == 1 {
        sum += 3
      }
    }
    return sum
  }
}

extension QRCode {
  /// The modules around it that must be light.
  private static let margin = 4

  /// How many columns it takes.
  var width: Int { size + 2 * Self.margin }

  /// Lines for a terminal, two rows of modules each, black on white whatever its colours are.
  var lines: [String] {
    stride(from: -Self.margin, to: size + Self.margin, by: 2).map { y in
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
