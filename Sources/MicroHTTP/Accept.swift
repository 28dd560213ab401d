/// A header that lists alternatives with weights: `Accept`, `Accept-Encoding`
/// (RFC 9110, section 12.4.2).
struct WeightedList {
  struct Item {
    /// In lower case, without parameters.
    var name: Substring
    /// 0 to 1000.
    var weight: Int
    /// True when it has parameters before its weight.
    var hasParameters = false
  }

  let items: [Item]

  /// Items that break the grammar are left out.
  init(_ header: String) {
    items = header.lowercased().split(separator: ",").compactMap { element in
      let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
      guard let name = parts.first, !name.isEmpty else { return nil }
      var item = Item(name: name, weight: 1000)
      for part in parts.dropFirst() {
        if part.hasPrefix("q=") {
          guard let weight = Self.weight(part.dropFirst(2)) else { return nil }
          item.weight = weight
          break
        }
        item.hasParameters = true
      }
      return item
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
    while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text
  }

  /// `qvalue`: 0 or 1 with at most three decimals.
  private static func weight(_ text: Substring) -> Int? {
    let digits = Array(text.utf8)
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
  /// True when the client would rather have `type` than `other` (RFC 9110,
  /// section 12.5.1): by weight, and where the weights are equal, by what it
  /// names more precisely. A tie, and a request without `Accept`, is no.
  ///
  /// Both are media types without parameters, in lower case: `application/json`.
  public func prefers(_ type: String, over other: String) -> Bool {
    let headers = head.fields.values("accept")
    guard !headers.isEmpty else { return false }
    let list = WeightedList(headers.joined(separator: ","))
    return list.rank(ofMediaType: type) > list.rank(ofMediaType: other)
  }

  /// True when the client takes a body in this coding (RFC 9110, section 12.5.3).
  func accepts(coding: String) -> Bool {
    let headers = head.fields.values("accept-encoding")
    guard !headers.isEmpty else { return false }
    let items = WeightedList(headers.joined(separator: ",")).items
    let item = items.first { $0.name == coding } ?? items.first { $0.name == "*" }
    return (item?.weight ?? 0) > 0
  }
}

extension WeightedList {
  /// Weight and precision of the most precise item that covers this type;
  /// (0, 0) when it is not acceptable.
  fileprivate func rank(ofMediaType type: String) -> (weight: Int, precision: Int) {
    let anySubtype = type.prefix { $0 != "/" } + "/*"
    var best = (weight: 0, precision: 0)
    for item in items where !item.hasParameters {
      let precision = item.name == type ? 3 : item.name == anySubtype ? 2 : item.name == "*/*" ? 1 : 0
      if precision > best.precision { best = (item.weight, precision) }
    }
    return best.weight == 0 ? (0, 0) : best
  }
}
