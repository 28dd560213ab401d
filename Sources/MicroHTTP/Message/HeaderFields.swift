/// The headers of one request, in the order in which they came.
///
/// They lie in one array of bytes, and each is found by its place in it: what nobody reads is never made a string.
struct HeaderFields: ~Copyable {
  private var bytes: [UInt8] = []
  private var places: [(name: Range<Int>, value: Range<Int>)] = []

  /// In their order.
  var names: [String] { places.map { Self.text(bytes[$0.name]) } }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
    let (start, middle) = (bytes.count, bytes.count + name.count)
    places.append((start..<middle, middle..<middle + value.count))
    name.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    value.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// The values of all headers with this name, whatever the case of its ASCII letters, in their order and as they were
  /// sent.
  subscript(name: String) -> [ArraySlice<UInt8>] {
    let length = name.utf8.count
    var values: [ArraySlice<UInt8>] = []
    for place in places where place.name.count == length {
      if zip(bytes[place.name], name.utf8).allSatisfy({ $0.asciiLowercased == $1.asciiLowercased }) {
        values.append(bytes[place.value])
      }
    }
    return values
  }

  /// A value as UTF-8 if its bytes are that, else one character a byte: a header's value has no encoding of its own
  /// (RFC 9110, section 5.5).
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The elements of all values with this name, each between commas and without white space around it (RFC 9110, section
  /// 5.6.1).
  ///
  /// - Parameter limit: how many of a value, at least; the last one then holds the rest.
  func elements(_ name: String, limit: Int = .max) -> [ArraySlice<UInt8>] {
    self[name].flatMap { $0.split(separator: UInt8(ascii: ","), maxSplits: limit, omittingEmptySubsequences: false) }
      .map(\.trimmed)
  }
}
