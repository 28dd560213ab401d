/// Bytes that nearly are what a door expects.
struct Mutation {
  private(set) var bytes: [UInt8]

  /// Longer than any limit of the server, and not much longer.
  private static let longest = 70_000

  /// Bytes that mean something to JSON, YAML, forms, patterns, HTTP or UTF-8.
  private static let marks =
    Array("\n\r\t\0 \"\\/{}[]()<>:,;.+-*?^$|&=%#!'`@~_09azAZ".utf8) + [
      0x7F, 0x80, 0xBF, 0xC0, 0xC2, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
    ]

  /// - Parameters:
  ///   - seeds: what the door takes, of which one is changed.
  ///   - words: what may be put in besides.
  init(of seeds: [[UInt8]], with words: [[UInt8]], _ random: inout some RandomNumberGenerator) {
    bytes = seeds.randomElement(using: &random) ?? []
    if Int.random(in: 0..<3, using: &random) == 0 { changeNumber(&random) }
    // One change in half of the cases, sixteen and more in few: a door far inside is reached by a small one.
    if Bool.random(using: &random) { repeat { change(seeds, words, &random) } while Bool.random(using: &random) }
    if bytes.count > Self.longest { bytes.removeSubrange(Self.longest...) }
  }

  /// Puts an extreme one in the place of a number.
  private mutating func changeNumber(_ random: inout some RandomNumberGenerator) {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    let starts = bytes.indices.filter { isDigit(bytes[$0]) && ($0 == 0 || !isDigit(bytes[$0 - 1])) }
    guard let start = starts.randomElement(using: &random) else { return }
    let end = bytes[start...].firstIndex { !isDigit($0) && !".eE+".utf8.contains($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: Corpus.numbers.randomElement(using: &random) ?? [])
  }

  private mutating func change(
    _ seeds: [[UInt8]], _ words: [[UInt8]], _ random: inout some RandomNumberGenerator
  ) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 0...16, using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where place < bytes.count: bytes[place] = Self.marks.randomElement(using: &random) ?? 0
    case 2: bytes.insert(Self.marks.randomElement(using: &random) ?? 0, at: place)
    case 3: bytes.removeSubrange(place..<end)
    case 4, 5, 6: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
    case 7: bytes.replaceSubrange(place..<end, with: words.randomElement(using: &random) ?? [])
    case 8: bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...bytes.count, using: &random))
    case 9:
      // Most rules of a parser are about a part of another text.
      let other = seeds.randomElement(using: &random) ?? []
      let start = Int.random(in: 0...other.count, using: &random)
      bytes.insert(contentsOf: other[start..<min(other.count, start + 64)], at: place)
    case 10 where Int.random(in: 0..<8, using: &random) == 0:
      // Deep, long and many.
      let times = 1 << Int.random(in: 1...12, using: &random)
      let part = Array(bytes[place..<end])
      guard part.count * times < Self.longest else { return }
      bytes.insert(contentsOf: Array(repeatElement(part, count: times).joined()), at: place)
    case 11 where Int.random(in: 0..<8, using: &random) == 0: bytes.removeSubrange(place...)
    default: break
    }
  }
}
