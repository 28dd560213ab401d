/// A header that lists alternatives with weights: `Accept`, `Accept-Encoding`
/// (RFC 9110, section 12.4.2). Read where it lies: browsers send one with every page.
enum WeightedList {
  typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  struct Item {
    /// As it was sent, without parameters.
    let name: Bytes
    /// 0 to 1000.
    var weight = 1000

    /// Nil for what breaks the grammar.
    fileprivate init?(_ element: Bytes) {
      let nameEnd = element.firstIndex(of: UInt8(ascii: ";")) ?? element.endIndex
      name = WeightedList.trimmed(element[..<nameEnd])
      guard !name.isEmpty else { return nil }
      var rest = element[nameEnd...]
      while !rest.isEmpty {
        rest = rest.dropFirst()
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        let parameter = WeightedList.trimmed(rest[..<end])
        if parameter.first?.asciiLowercased == UInt8(ascii: "q"), parameter.dropFirst().first == UInt8(ascii: "=") {
          guard let weight = WeightedList.weight(parameter.dropFirst(2)) else { return nil }
          self.weight = weight
          return
        }
        rest = rest[end...]
      }
    }

    /// - Parameter name: in lower case.
    func isNamed(_ name: String) -> Bool {
      self.name.count == name.utf8.count && zip(self.name, name.utf8).allSatisfy { $0.asciiLowercased == $1 }
    }
  }

  /// Calls `body` with each item that keeps to the grammar, in order.
  static func forEach(in headers: [String], _ body: (Item) -> Void) {
    for header in headers {
      var header = header
      header.withUTF8 { bytes in
        var rest = bytes[...]
        while true {
          let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
          if let item = Item(rest[..<end]) { body(item) }
          if end == rest.endIndex { return }
          rest = rest[(end + 1)...]
        }
      }
    }
  }

  private static func trimmed(_ text: Bytes) -> Bytes {
    var text = text
    while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
    while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text
  }

  /// `qvalue`: 0 or 1 with at most three decimals.
  private static func weight(_ digits: Bytes) -> Int? {
    guard let first = digits.first, first == 0x30 || first == 0x31, digits.count <= 5 else { return nil }
    guard digits.count > 1 else { return Int(first - 0x30) * 1000 }
    guard digits[digits.startIndex + 1] == UInt8(ascii: ".") else { return nil }
    var weight = Int(first - 0x30)
    for place in 2..<5 {
      let digit = place < digits.count ? digits[digits.startIndex + place] : 0x30
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
  /// Both are media types without parameters, in lower case: `application/json`.
  /// Parameters that the client names, like `charset=utf-8`, change nothing.
  public func prefers(_ type: String, over other: String) -> Bool {
    guard storage.fields.mayHave("accept") else { return false }
    let headers = storage.fields.values("accept")
    guard !headers.isEmpty else { return false }
    var (rank, otherRank) = (WeightedList.Rank(), WeightedList.Rank())
    WeightedList.forEach(in: headers) { item in
      rank.consider(item, for: type)
      otherRank.consider(item, for: other)
    }
    return rank > otherRank || rank.isNamed && !(otherRank > rank)
  }

  /// True when the client takes a body in this coding (RFC 9110, section 12.5.3).
  ///
  /// - Parameter coding: in lower case.
  func accepts(coding: String) -> Bool {
    let headers = storage.fields.values("accept-encoding")
    guard !headers.isEmpty else { return false }
    var (named, any): (Int?, Int?)
    WeightedList.forEach(in: headers) { item in
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

    mutating func consider(_ item: Item, for type: String) {
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

    private static func isAnySubtype(_ item: Item, of type: String) -> Bool {
      guard item.name.last == UInt8(ascii: "*"), item.name.dropLast().last == UInt8(ascii: "/") else { return false }
      return zip(item.name.dropLast(), type.utf8).allSatisfy { $0.asciiLowercased == $1 }
        && type.utf8.dropFirst(item.name.count - 2).first == UInt8(ascii: "/")
    }
  }
}
