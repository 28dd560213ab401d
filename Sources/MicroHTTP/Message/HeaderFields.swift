/// The headers of one request, in the order in which they came.
///
/// They lie in one array of bytes, and each is found by its place in it: what nobody reads is never made a string.
package struct HeaderFields: ~Copyable {
  private var bytes: [UInt8] = []
  private var places: [(name: Range<Int>, value: Range<Int>)] = []
  /// A bit for each length that a name has: most lookups are for headers that are absent, and of other lengths.
  private var lengths: UInt64 = 0

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    lengths = 0
  }

  mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
    let (start, middle) = (bytes.count, bytes.count + name.count)
    places.append((start..<middle, middle..<middle + value.count))
    lengths |= 1 &<< UInt64(name.count)
    bytes.append(name)
    bytes.append(value)
  }

  /// The value of the first header with this name, whatever the case of its ASCII letters, as it was sent; `nil` if there is
  /// none.
  func first(_ name: String) -> ArraySlice<UInt8>? { place(of: name).map { bytes[places[$0].value] } }

  /// The same, and true if there are several with this name.
  func single(_ name: String) -> (value: ArraySlice<UInt8>, isRepeated: Bool)? {
    place(of: name).map { (bytes[places[$0].value], place(of: name, from: $0 + 1) != nil) }
  }

  /// The values of all headers with this name, whatever the case, and of those that some programs take for it: `_` counts
  /// as `-`.
  func all(like name: String) -> [(isExact: Bool, value: ArraySlice<UInt8>)] {
    let wanted = Array(name.utf8)
    return places.compactMap { place in
      guard place.name.count == wanted.count else { return nil }
      var isExact = true
      for (byte, other) in zip(bytes[place.name], wanted) where byte.asciiLowercased != other.asciiLowercased {
        guard byte == UInt8(ascii: "_"), other == UInt8(ascii: "-") else { return nil }
        isExact = false
      }
      return (isExact, bytes[place.value])
    }
  }

  /// Finds the first header with this name from there on.
  private func place(of name: String, from start: Int = 0) -> Int? {
    let count = name.utf8.count
    guard lengths & 1 &<< UInt64(count) != 0 else { return nil }
    let (bytes, places) = (bytes.span, places.span)
    for index in start..<places.count where places[index].name.count == count {
      if bytes.extracting(places[index].name).equalsIgnoringASCIICase(name) { return index }
    }
    return nil
  }

  /// A value as UTF-8 if its bytes are that, else one character a byte: a header's value has no encoding of its own
  /// (RFC 9110, section 5.5).
  package static func text(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = try? UTF8Span(validating: bytes.span) { return String(copying: text) }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The elements of all values with this name, each between commas and without white space around it (RFC 9110, section
  /// 5.6.1).
  ///
  /// - Parameter limit: how many elements to split off each value; one more element holds the rest of it.
  func elements(_ name: String, limit: Int = .max) -> [ArraySlice<UInt8>] {
    var elements: [ArraySlice<UInt8>] = [], start = 0
    while let place = place(of: name, from: start) {
      let parts = bytes[places[place].value]
        .split(separator: UInt8(ascii: ","), maxSplits: limit, omittingEmptySubsequences: false)
      elements += parts.map(\.trimmed)
      start = place + 1
    }
    return elements
  }
}

/// Content negotiation: the headers in which a client lists alternatives with weights (RFC 9110, section 12.4.2).
extension Request {
  /// True if the client prefers `type` to `other`, the default (RFC 9110, section 12.5.1): by weight, and if the
  /// weights are equal, by which of the two it names more precisely. In a tie, `Accept` must name `type` itself.
  /// Without `Accept` the result is false.
  ///
  /// Both are media types without parameters, in lower case: `application/json`. Parameters that the client names, like
  /// `charset=utf-8`, change nothing.
  package func prefers(_ type: String, over other: String) -> Bool {
    guard storage.fields.first("accept") != nil else { return false }
    let accepted = accepted("accept")
    let (wanted, usual) = (Self.rank(of: type, in: accepted), Self.rank(of: other, in: accepted))
    return wanted > usual || wanted == usual && wanted.precision == 3
  }

  /// True if the client takes a body in this coding (RFC 9110, section 12.5.3).
  func accepts(coding: String) -> Bool {
    let accepted = accepted("accept-encoding")
    let item =
      accepted.first { $0.name.span.equalsIgnoringASCIICase(coding) } ?? accepted.first { $0.name.span.equals("*") }
    return item.map { $0.weight > 0 } ?? false
  }

  /// The language ranges that the client asks for, most wanted first (RFC 9110, section 12.5.4), at most 16 of them.
  /// What it does not want is left out.
  package var acceptedLanguages: [String] {
    var ranges: [AcceptedItem] = []
    for range in accepted("accept-language").filter({ $0.weight > 0 && $0.name.count <= 35 }).prefix(16) {
      // After all ranges that have the same weight or more.
      ranges.insert(range, at: ranges.firstIndex { $0.weight < range.weight } ?? ranges.count)
    }
    return ranges.map { String(decoding: $0.name, as: UTF8.self) }
  }

  private typealias AcceptedItem = (name: ArraySlice<UInt8>, weight: Int)

  /// The preference for a media type: the weight and the precision of the most precise item that covers it. Precision 3
  /// is the type itself, 2 is `type/*`, 1 is `*/*`, and 0 means that the type is not acceptable.
  private static func rank(of type: String, in accepted: [AcceptedItem]) -> (weight: Int, precision: Int) {
    let anySubtype = "\(Substring(type.utf8.prefix { $0 != UInt8(ascii: "/") }))/*"
    for (precision, name) in [(3, type), (2, anySubtype), (1, "*/*")] {
      guard let item = accepted.first(where: { $0.name.span.equalsIgnoringASCIICase(name) }) else { continue }
      return (item.weight, item.weight > 0 ? precision : 0)
    }
    return (0, 0)
  }

  /// The name and the weight, 0 to 1000, of each item of a header that keeps to the grammar.
  private func accepted(_ header: String) -> [AcceptedItem] {
    storage.fields.elements(header).compactMap { item in
      let parts = item.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(\.trimmed)
      guard let name = parts.first, !name.isEmpty, let weight = Self.weight(parts.dropFirst()) else { return nil }
      return (name, weight)
    }
  }

  /// An item's weight, from its `q` parameter: 1000 if it has none, `nil` if `q` is not a valid `qvalue`, which is 0 or
  /// 1 with at most three decimals.
  private static func weight(_ parameters: ArraySlice<ArraySlice<UInt8>>) -> Int? {
    let named = parameters.first { $0.starts(with: "q=".utf8) || $0.starts(with: "Q=".utf8) }
    guard let value = named?.dropFirst(2) else { return 1000 }
    let digits = value.filter { $0 &- 0x30 < 10 }
    let isNumber = value.dropFirst().first ?? UInt8(ascii: ".") == UInt8(ascii: ".")
    guard (1...4).contains(digits.count), isNumber, value.count == (value.count > 1 ? digits.count + 1 : 1) else {
      return nil
    }
    let weight = [1000, 100, 10, 1][digits.count - 1] * digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return weight <= 1000 ? weight : nil
  }
}
