/// Writes JSON (RFC 8259) as UTF-8 bytes, members in the order they are given.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { json in
///   json.member("isValid", true)
///   json.member("errors") { $0.array(errors) { $0.value($1.message) } }
/// }
/// ```
package struct JSONWriter: Sendable {
  /// The JSON written so far.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init(reserving capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  /// The JSON written so far, as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Values

  package mutating func value(_ text: String) {
    separate()
    quote(text)
    needsComma = true
  }

  package mutating func value(_ bool: Bool) { literal(bool ? "true" : "false") }
  package mutating func value(_ integer: Int) { literal(String(integer)) }
  package mutating func null() { literal("null") }

  /// A number's literal, or JSON made elsewhere; the caller vouches for it.
  package mutating func literal(_ json: String) { literal(json.utf8) }

  /// JSON made elsewhere; the caller vouches for it.
  package mutating func literal(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  package mutating func value(_ json: JSON) {
    switch json {
    case .null: null()
    case .bool(let bool): value(bool)
    case .number(let number): literal(number)
    case .string(let text): value(text)
    case .illFormedString: value("\u{FFFD}")
    case .array(let elements): array(elements) { $0.value($1) }
    case .object(let members):
      object { for member in members { $0.member(member.key, member.value) } }
    }
  }

  // MARK: Objects and arrays

  /// The bytes of an object.
  package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object(body)
    return json.bytes
  }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    body(&self)
    close(UInt8(ascii: "}"))
  }

  package mutating func array<Elements: Sequence>(
    _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    open(UInt8(ascii: "["))
    for element in elements { body(&self, element) }
    close(UInt8(ascii: "]"))
  }

  package mutating func array(_ texts: [String]) { array(texts) { $0.value($1) } }

  package mutating func member(_ name: String, _ body: (inout JSONWriter) -> Void) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
    body(&self)
    needsComma = true
  }

  package mutating func member(_ name: String, _ text: String) { member(name) { $0.value(text) } }
  package mutating func member(_ name: String, _ bool: Bool) { member(name) { $0.value(bool) } }
  package mutating func member(_ name: String, _ integer: Int) { member(name) { $0.value(integer) } }
  package mutating func member(_ name: String, _ json: JSON) { member(name) { $0.value(json) } }

  /// Writes nothing for `nil`.
  package mutating func member(_ name: String, ifPresent text: String?) {
    if let text { member(name, text) }
  }

  /// The members of an object that was written elsewhere and is not empty; the caller vouches for it.
  package mutating func members(of object: [UInt8]) {
    separate()
    bytes += object[1..<object.count - 1]
    needsComma = true
  }

  /// A member that is an object.
  mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) { member(name) { $0.object(body) } }

  /// A member that is an array.
  package mutating func array<Elements: Sequence>(
    _ name: String, _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    member(name) { $0.array(elements, body) }
  }

  // MARK: Bytes

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    // Without a branch, so that the compiler checks many bytes at a time.
    if bytes[start...].reduce(0, { $0 | Self.escaped($1) }) != 0 {
      bytes.removeSubrange(start...)
      for byte in text.utf8 { quote(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// 1 for a byte that is escaped, else 0.
  private static func escaped(_ byte: UInt8) -> UInt8 {
    (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0)
  }

  private mutating func quote(_ byte: UInt8) {
    switch byte {
    case _ where Self.escaped(byte) == 0: bytes.append(byte)
    case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
    case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
    case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
    case 0..<0x20: bytes += #"\u00\#(byte < 16 ? "0" : "")\#(String(byte, radix: 16))"#.utf8
    default: bytes += [UInt8(ascii: "\\"), byte]
    }
  }
}
