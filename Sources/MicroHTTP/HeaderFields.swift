/// The headers of one request, in the order in which they came.
///
/// They lie in one block of bytes, and each is found by its place in it: a
/// request whose headers nobody reads costs two allocations.
public struct HeaderFields: Sendable {
  private struct Place {
    var start: UInt32
    var nameCount: UInt16
    var valueCount: UInt16
  }

  private var block: [UInt8] = []
  private var places: [Place] = []

  init() {}

  /// Bytes of all names and values.
  var byteCount: Int { block.count }

  mutating func reserve(bytes: Int, fields: Int) {
    block.reserveCapacity(bytes)
    places.reserveCapacity(fields)
  }

  /// - Precondition: both are shorter than 64 KiB.
  mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    places.append(
      Place(
        start: UInt32(block.count), nameCount: UInt16(name.count), valueCount: UInt16(value.count)))
    block.append(contentsOf: name)
    block.append(contentsOf: value)
  }

  /// The value of the first header with this name, whatever the case of its
  /// ASCII letters; nil when there is none.
  public subscript(name: String) -> String? {
    let count = name.utf8.count
    for place in places where place.nameCount == count && matches(name, place) { return value(of: place) }
    return nil
  }

  /// The values of all headers with this name, in their order.
  public func values(_ name: String) -> [String] {
    let count = name.utf8.count
    var values: [String] = []
    for place in places where place.nameCount == count && matches(name, place) { values.append(value(of: place)) }
    return values
  }

  /// - Precondition: the name has as many bytes as the one in this place.
  private func matches(_ name: String, _ place: Place) -> Bool {
    var index = Int(place.start)
    for byte in name.utf8 {
      guard block[index].asciiLowercased == byte.asciiLowercased else { return false }
      index += 1
    }
    return true
  }

  private func value(of place: Place) -> String {
    text(Int(place.start) + Int(place.nameCount), Int(place.valueCount))
  }

  /// UTF-8 where the bytes are that, else one character a byte: a header's
  /// value has no encoding of its own (RFC 9110, section 5.5).
  private func text(_ start: Int, _ count: Int) -> String {
    block.withUnsafeBufferPointer { block in
      let bytes = UnsafeBufferPointer(rebasing: block[start..<start + count])
      // ASCII is UTF-8 as it stands; looking costs less than validating.
      if Token.isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
      return String(validating: bytes, as: UTF8.self)
        ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
  }
}

extension HeaderFields: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { places.count }

  public subscript(position: Int) -> (name: String, value: String) {
    let place = places[position]
    return (text(Int(place.start), Int(place.nameCount)), value(of: place))
  }
}
