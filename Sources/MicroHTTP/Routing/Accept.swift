/// What a client takes, by the headers that list alternatives with weights (RFC 9110, section 12.4.2).
///
/// They are read where they are, without a string or an array: browsers send them with every page.
extension Request {
  /// True if the client asks for `type` rather than for `other`, which is usual (RFC 9110, section 12.5.1): by weight,
  /// and if the weights are equal, by what it names more precisely. In a tie it must be named itself; without `Accept`
  /// it is not asked for.
  ///
  /// Both are media types without parameters: `application/json`. Parameters that the client names, like
  /// `charset=utf-8`, change nothing.
  package func prefers(_ type: StaticString, over other: StaticString) -> Bool {
    var (wanted, usual) = (Rank(), Rank())
    forEachAccepted("accept") { name, weight in
      wanted.consider(name, weight, for: type)
      usual.consider(name, weight, for: other)
    }
    return wanted.order > usual.order || wanted.order == usual.order && wanted.order.precision == 3
  }

  /// True if the client takes a body in this coding (RFC 9110, section 12.5.3).
  func accepts(coding: StaticString) -> Bool {
    var (named, any): (Int?, Int?)
    forEachAccepted("accept-encoding") { name, weight in
      if name.equalsIgnoringASCIICase(coding) { named = named ?? weight }
      if name.equals("*") { any = any ?? weight }
    }
    return named ?? any ?? 0 > 0
  }

  /// The language ranges that the client asks for, most wanted first (RFC 9110, section 12.5.4), at most 16 of them.
  /// What it does not want is left out.
  package var acceptedLanguages: [String] {
    guard storage.fields.mayHave("accept-language") else { return [] }
    var ranges: [(name: String, weight: Int)] = []
    forEachAccepted("accept-language") { name, weight in
      guard weight > 0, name.count <= 35, ranges.count < 16 else { return }
      let range = (name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }, weight)
      // Behind all that are wanted as much.
      ranges.insert(range, at: ranges.firstIndex { $0.weight < weight } ?? ranges.count)
    }
    return ranges.map(\.name)
  }

  /// Lends the name and the weight, 0 to 1000, of each item of a header that keeps to the grammar.
  private func forEachAccepted(_ header: String, _ body: (Span<UInt8>, Int) -> Void) {
    storage.fields.forEachValue(header) { value in
      var start = 0
      while start <= value.count {
        let end = value.firstIndex(of: UInt8(ascii: ","), from: start) ?? value.count
        let item = value.extracting(start..<end)
        let nameEnd = item.firstIndex(of: UInt8(ascii: ";")) ?? item.count
        let name = item.extracting(item.extracting(..<nameEnd).trimmed)
        if !name.isEmpty, let weight = item.extracting(nameEnd...).weight { body(name, weight) }
        start = end + 1
      }
    }
  }
}

/// How much a client wants a media type: the weight and the precision of the most precise item that covers it.
private struct Rank {
  private var weight = 0
  /// 3 is the type itself, 2 any of its subtypes, 1 anything, 0 nothing yet.
  private var precision = 0

  /// What is not acceptable has no precision.
  var order: (weight: Int, precision: Int) { (weight, weight > 0 ? precision : 0) }

  mutating func consider(_ name: Span<UInt8>, _ weight: Int, for type: StaticString) {
    let precision =
      name.equalsIgnoringASCIICase(type) ? 3 : Self.isAnySubtype(name, of: type) ? 2 : name.equals("*/*") ? 1 : 0
    if precision > self.precision { (self.precision, self.weight) = (precision, weight) }
  }

  private static func isAnySubtype(_ name: Span<UInt8>, of type: StaticString) -> Bool {
    let star = name.count - 1
    guard star > 1, star < type.utf8CodeUnitCount, name[star] == UInt8(ascii: "*"), name[star - 1] == UInt8(ascii: "/")
    else { return false }
    return (0..<star).allSatisfy { name[$0].asciiLowercased == type.utf8Start[$0].asciiLowercased }
  }
}

extension Span<UInt8> {
  /// What the parameters of an item, each after a semicolon, say with `q`: 1000 without it, or `nil` if that is no
  /// `qvalue`, 0 or 1 with at most three decimals.
  fileprivate var weight: Int? {
    var start = 1
    while start <= count {
      let end = firstIndex(of: UInt8(ascii: ";"), from: start) ?? count
      let range = extracting(start..<end).trimmed
      let (first, last) = (start + range.lowerBound, start + range.upperBound)
      start = end + 1
      guard last - first > 1, self[first] | 0x20 == UInt8(ascii: "q"), self[first + 1] == UInt8(ascii: "=") else {
        continue
      }
      guard (1...5).contains(last - first - 2) else { return nil }
      var weight = 0
      for place in 0..<5 {
        let byte = first + 2 + place < last ? self[first + 2 + place] : place == 1 ? UInt8(ascii: ".") : 0x30
        if place == 1, byte == UInt8(ascii: ".") { continue }
        guard place != 1, byte &- 0x30 < 10 else { return nil }
        weight = weight * 10 + Int(byte - 0x30)
      }
      return weight <= 1000 ? weight : nil
    }
    return 1000
  }
}
