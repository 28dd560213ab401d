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
  subscript(name: String) -> String? { place(of: name).map { Self.text(bytes[$0.value]) } }

  /// The values of all headers with this name, in their order.
  func values(_ name: String) -> [String] {
    guard mayHave(name) else { return [] }
    return places.filter { isNamed(name, $0) }.map { Self.text(bytes[$0.value]) }
  }

  /// Lends the value of each header with this name, as it was sent, in their order.
  func forEachValue(_ name: String, _ body: (Span<UInt8>) -> Void) {
    guard mayHave(name) else { return }
    for place in places where isNamed(name, place) { body(bytes.span.extracting(place.value)) }
  }

  /// Lends the first value with this name, as it was sent; nothing if there is none.
  func withFirst<Result>(_ name: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let range = place(of: name)?.value ?? 0..<0
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// True if there is more than one header with this name.
  func repeats(_ name: String) -> Bool { mayHave(name) && places.count { isNamed(name, $0) } > 1 }

  /// True if the first header with this name has exactly this value.
  func has(_ name: String, _ value: StaticString) -> Bool {
    guard let place = place(of: name) else { return false }
    return bytes.span.extracting(place.value).equals(value)
  }

  private func place(of name: String) -> Place? { mayHave(name) ? places.first { isNamed(name, $0) } : nil }

  /// False if there is surely no header with this name: its length tells, and costs next to nothing.
  func mayHave(_ name: String) -> Bool { lengths & Self.bit(name.utf8.count) != 0 }

  private static func bit(_ count: Int) -> UInt64 { 1 << UInt64(min(count, 63)) }

  private func isNamed(_ name: String, _ place: Place) -> Bool {
    place.nameCount == name.utf8.count
      && bytes.span.extracting(place.name).equalsIgnoringASCIICase(name.utf8.span)
  }

  /// As UTF-8 if the bytes are that, else one character a byte: a header's value has no encoding of its own
  /// (RFC 9110, section 5.5).
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
