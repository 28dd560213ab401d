/// The headers of one request, in the order in which they came.
///
/// They lie in one block of bytes, and each is found by its place in it: what
/// nobody reads is never made a string.
struct HeaderFields: ~Copyable {
  private struct Place {
    var start: UInt32
    var nameCount: UInt16
    var valueCount: UInt16
  }

  private var block = Scratch<UInt8>(capacity: 512)
  private var places = Scratch<Place>(capacity: 16)
  /// A bit for each length that a name has here. Most names that are looked for
  /// are not here, and most of these differ in length from all that are.
  private var lengths: UInt64 = 0

  /// Bytes of all names and values.
  var byteCount: Int { block.count }

  var count: Int { places.count }

  /// In their order.
  var names: [String] { places.elements.map { Self.text(bytes(Int($0.start), Int($0.nameCount))) } }

  mutating func removeAll() {
    block.removeAll()
    places.removeAll()
    lengths = 0
  }

  /// - Precondition: both are shorter than 64 KiB.
  mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    places.append(
      Place(
        start: UInt32(block.count), nameCount: UInt16(name.count), valueCount: UInt16(value.count)))
    lengths |= Self.bit(name.count)
    block.append(contentsOf: name.assumingMemoryBound(to: UInt8.self))
    block.append(contentsOf: value.assumingMemoryBound(to: UInt8.self))
  }

  /// The value of the first header with this name, whatever the case of its
  /// ASCII letters; nil when there is none.
  subscript(name: String) -> String? { place(of: name).map { Self.text(value(at: $0)) } }

  /// The values of all headers with this name, in their order.
  func values(_ name: String) -> [String] {
    var values: [String] = []
    forEachValue(name) { values.append(Self.text($0)) }
    return values
  }

  /// Lends the value of each header with this name, as it was sent, in their order.
  func forEachValue(_ name: String, _ body: (UnsafeRawBufferPointer) -> Void) {
    var next = 0
    while let index = place(of: name, from: next) {
      body(value(at: index))
      next = index + 1
    }
  }

  /// Lends the first value with this name, as it was sent; nothing when there is none.
  func withFirst<Result>(_ name: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(place(of: name).map { value(at: $0) } ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// False where there is surely no header with this name: its length tells, and costs next to nothing.
  func mayHave(_ name: StaticString) -> Bool { lengths & Self.bit(name.utf8CodeUnitCount) != 0 }

  /// True when there is more than one header with this name.
  func repeats(_ name: String) -> Bool {
    guard let first = place(of: name) else { return false }
    return place(of: name, from: first + 1) != nil
  }

  /// True when the first header with this name has exactly this value.
  func has(_ name: String, _ value: StaticString) -> Bool {
    place(of: name).map { self.value(at: $0).equals(value) } ?? false
  }

  private func place(of name: String, from first: Int = 0) -> Int? {
    guard lengths & Self.bit(name.utf8.count) != 0 else { return nil }
    var name = name
    return name.withUTF8 { name in
      let places = places.elements
      for index in first..<max(first, places.count)
      where places[index].nameCount == name.count && isSame(name, at: Int(places[index].start)) {
        return index
      }
      return nil
    }
  }

  private static func bit(_ count: Int) -> UInt64 { 1 << UInt64(count < 63 ? count : 63) }

  /// True when these bytes of the block are the name, but for the case of ASCII letters.
  private func isSame(_ name: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    let bytes = block.elements
    for index in 0..<name.count where bytes[start + index].asciiLowercased != name[index].asciiLowercased {
      return false
    }
    return true
  }

  /// The value of the header in that place, as it was sent.
  private func value(at index: Int) -> UnsafeRawBufferPointer {
    let place = places.elements[index]
    return bytes(Int(place.start) + Int(place.nameCount), Int(place.valueCount))
  }

  private func bytes(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: block.elements[start..<start + count]))
  }

  /// UTF-8 where the bytes are that, else one character a byte: a header's
  /// value has no encoding of its own (RFC 9110, section 5.5).
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    let bytes = bytes.assumingMemoryBound(to: UInt8.self)
    // ASCII is UTF-8 as it stands; looking costs less than validating.
    if Token.isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

/// Elements in memory that is used again and again: emptying it and filling it
/// anew costs a copy of what comes in and nothing else.
///
/// An `Array` would look with every change whether it is shared, and takes a
/// detour to be emptied; together they cost a request more than its parsing.
struct Scratch<Element: BitwiseCopyable>: ~Copyable {
  private var memory: UnsafeMutableBufferPointer<Element>
  private(set) var count = 0

  /// - Parameter capacity: how many elements there is room for at first.
  init(capacity: Int) { memory = .allocate(capacity: max(capacity, 1)) }

  deinit { memory.deallocate() }

  /// What is in it, until the next change.
  var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(rebasing: memory[..<count]) }

  mutating func removeAll() { count = 0 }

  mutating func append(_ element: Element) {
    makeRoom(for: 1)
    memory.initializeElement(at: count, to: element)
    count += 1
  }

  mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress, let target = memory.baseAddress else { return }
    guard count + elements.count <= memory.count else {
      makeRoom(for: elements.count)
      return append(contentsOf: elements)
    }
    (target + count).initialize(from: source, count: elements.count)
    count += elements.count
  }

  private mutating func makeRoom(for more: Int) {
    guard count + more > memory.count else { return }
    let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(memory.count * 2, count + more))
    _ = larger.update(fromContentsOf: memory[..<count])
    memory.deallocate()
    memory = larger
  }
}
