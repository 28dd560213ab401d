/// The headers of one request, in the order in which they came.
///
/// They lie in one array of bytes, and each is found by its place in it: what nobody reads is never made a string.
struct HeaderFields: ~Copyable {
  private struct Place {
    var start: Int
    var nameCount: Int
    var valueCount: Int

    var name: Range<Int> { start..<start + nameCount }
    var value: Range<Int> { start + nameCount..<start + nameCount + valueCount }
  }

  private var bytes: [UInt8] = []
  private var places: [Place] = []
  /// A bit for each length that a name has here. Most names that are looked for are not here, and most of these
  /// differ in length from all that are.
  private var lengths: UInt64 = 0

  /// In their order.
  var names: [String] { places.map { Self.text(bytes[$0.name]) } }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    lengths = 0
  }

  mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
    places.append(Place(start: bytes.count, nameCount: name.count, valueCount: value.count))
    lengths |= Self.bit(name.count)
    name.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    value.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// The value of the first header with this name, whatever the case of its ASCII letters, or `nil` if there is none.
  subscript(name: String) -> String? { index(of: name).map { Self.text(bytes[places[$0].value]) } }

  /// The values of all headers with this name, in their order.
  func values(_ name: String) -> [String] {
    var values: [String] = []
    var next = index(of: name)
    while let found = next {
      values.append(Self.text(bytes[places[found].value]))
      next = index(of: name, from: found + 1)
    }
    return values
  }

  /// Lends the value of each header with this name, as it was sent, in their order.
  func forEachValue(_ name: String, _ body: (Span<UInt8>) -> Void) {
    var next = index(of: name)
    while let found = next {
      body(bytes.span.extracting(places[found].value))
      next = index(of: name, from: found + 1)
    }
  }

  /// Lends the first value with this name, as it was sent; nothing if there is none.
  func withFirst<Result>(_ name: String, _ body: (Span<UInt8>) -> Result) -> Result {
    body(bytes.span.extracting(index(of: name).map { places[$0].value } ?? 0..<0))
  }

  /// True if there is more than one header with this name.
  func repeats(_ name: String) -> Bool { index(of: name).map { index(of: name, from: $0 + 1) != nil } ?? false }

  /// True if the first header with this name has exactly this value.
  func has(_ name: String, _ value: StaticString) -> Bool {
    index(of: name).map { bytes.span.extracting(places[$0].value).equals(value) } ?? false
  }

  /// What the first header with this name counts, or `nil` if there is none, or its value is no such number.
  func count(_ name: String) -> Int? {
    guard let found = index(of: name), places[found].valueCount > 0 else { return nil }
    var count = 0
    for byte in bytes[places[found].value] {
      guard 0x30...0x39 ~= byte, count < Int.max / 100 else { return nil }
      count = count * 10 + Int(byte - 0x30)
    }
    return count
  }

  /// The place of the first header with this name, from that place on.
  private func index(of name: String, from start: Int = 0) -> Int? {
    guard mayHave(name) else { return nil }
    let name = name.utf8.span
    for index in start..<places.count
    where places[index].nameCount == name.count
      && bytes.span.extracting(places[index].name).equalsIgnoringASCIICase(name)
    { return index }
    return nil
  }

  /// False if there is surely no header with this name: its length tells, and costs next to nothing.
  func mayHave(_ name: String) -> Bool { lengths & Self.bit(name.utf8.count) != 0 }

  private static func bit(_ count: Int) -> UInt64 { 1 << UInt64(min(count, 63)) }

  /// As UTF-8 if the bytes are that, else one character a byte: a header's value has no encoding of its own
  /// (RFC 9110, section 5.5).
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
