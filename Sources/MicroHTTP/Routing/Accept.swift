/// A header that lists alternatives with weights: `Accept`, `Accept-Encoding`
/// (RFC 9110, section 12.4.2). Read where it lies: browsers send one with every page.
enum WeightedList {
  typealias Bytes = UnsafeRawBufferPointer

  struct Item {
    /// As it was sent, without parameters.
    let name: Bytes
    /// 0 to 1000.
    var weight = 1000

    /// Nil for what breaks the grammar.
    fileprivate init?(_ element: Bytes) {
      let nameEnd = element.firstIndex(of: UInt8(ascii: ";")) ?? element.count
      name = WeightedList.trimmed(element, 0, nameEnd)
      guard !name.isEmpty else { return nil }
      var next = nameEnd
      while next < element.count {
        let end = element[(next + 1)...].firstIndex(of: UInt8(ascii: ";")) ?? element.count
        let parameter = WeightedList.trimmed(element, next + 1, end)
        if parameter.count > 1, parameter[0] | 0x20 == UInt8(ascii: "q"), parameter[1] == UInt8(ascii: "=") {
          guard let weight = WeightedList.weight(Bytes(rebasing: parameter[2...])) else { return nil }
          self.weight = weight
          return
        }
        next = end
      }
    }

    /// True when it is this, whatever the case of its letters.
    func isNamed(_ name: StaticString) -> Bool { self.name.equalsIgnoringASCIICase(name) }
  }

  /// Calls `body` with each item of all headers with this name that keeps to the grammar, in order.
  static func forEach(_ name: String, in fields: borrowing HeaderFields, _ body: (Item) -> Void) {
    fields.forEachValue(name) { bytes in
      var start = 0
      while true {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
        if let item = Item(Bytes(rebasing: bytes[start..<end])) { body(item) }
        if end == bytes.count { return }
        start = end + 1
      }
    }
  }

  /// What is between these places, without white space around it.
  private static func trimmed(_ bytes: Bytes, _ start: Int, _ end: Int) -> Bytes {
    var (start, end) = (start, end)
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while start < end, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return Bytes(rebasing: bytes[start..<end])
  }

  /// `qvalue`: 0 or 1 with at most three decimals.
  private static func weight(_ digits: Bytes) -> Int? {
    guard let first = digits.first, first == 0x30 || first == 0x31, digits.count <= 5 else { return nil }
    guard digits.count > 1 else { return Int(first - 0x30) * 1000 }
    guard digits[1] == UInt8(ascii: ".") else { return nil }
    var weight = Int(first - 0x30)
    for place in 2..<5 {
      let digit = place < digits.count ? digits[place] : 0x30
      guard digit &- 0x30 < 10 else { return nil }
      weight = weight * 10 + Int(digit - 0x30)
    }
    return weight <= 1000 ? weight : nil
  }
}

extension Request {
  /// True when the client asks for `type` where `other` is usual (RFC 9110,
  /// section 12.5.1): by weight, and where the weights are equal, by what it
  /// names more precisely. In a tie it must be named itself; a request without
  /// `Accept` is no.
  ///
  /// Both are media types without parameters: `application/json`.
  /// Parameters that the client names, like `charset=utf-8`, change nothing.
  package func prefers(_ type: StaticString, over other: StaticString) -> Bool {
    guard storage.fields.mayHave("accept") else { return false }
    var (rank, otherRank) = (WeightedList.Rank(), WeightedList.Rank())
    WeightedList.forEach("accept", in: storage.fields) { item in
      rank.consider(item, for: type)
      otherRank.consider(item, for: other)
    }
    return rank > otherRank || rank.isNamed && !(otherRank > rank)
  }

  /// True when the client takes a body in this coding (RFC 9110, section 12.5.3).
  func accepts(coding: StaticString) -> Bool {
    guard storage.fields.mayHave("accept-encoding") else { return false }
    var (named, any): (Int?, Int?)
    WeightedList.forEach("accept-encoding", in: storage.fields) { item in
      if item.isNamed(coding) { named = named ?? item.weight }
      if item.isNamed("*") { any = any ?? item.weight }
    }
    return named ?? any ?? 0 > 0
  }
}

extension WeightedList {
  /// How much a client wants a media type: the weight and the precision of the
  /// most precise item that covers it.
  fileprivate struct Rank {
    private var weight = 0
    /// 3: the type itself; 2: any of its subtypes; 1: anything; 0: nothing yet.
    private var precision = 0

    mutating func consider(_ item: Item, for type: StaticString) {
      let precision = item.isNamed(type) ? 3 : Self.isAnySubtype(item, of: type) ? 2 : item.isNamed("*/*") ? 1 : 0
      if precision > self.precision { (self.precision, weight) = (precision, item.weight) }
    }

    /// Acceptable, and not by a wildcard alone.
    var isNamed: Bool { precision == 3 && weight > 0 }

    static func > (one: Rank, other: Rank) -> Bool {
      // What is not acceptable has no precision either.
      let precisions = (one.weight > 0 ? one.precision : 0, other.weight > 0 ? other.precision : 0)
      return (one.weight, precisions.0) > (other.weight, precisions.1)
    }

    private static func isAnySubtype(_ item: Item, of type: StaticString) -> Bool {
      let type = UnsafeRawBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount)
      let slash = item.name.count - 2
      guard slash > 0, slash < type.count, item.name[slash] == UInt8(ascii: "/"), type[slash] == UInt8(ascii: "/"),
        item.name[slash + 1] == UInt8(ascii: "*")
      else { return false }
      return (0..<slash).allSatisfy { item.name[$0].asciiLowercased == type[$0].asciiLowercased }
    }
  }
}
