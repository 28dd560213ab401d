internal import Foundation

extension Values {
  /// These values as a type of your own, whose properties have the fields' names.
  ///
  /// ```swift
  /// struct Order: Decodable {
  ///   let size: String
  ///   let quantity: Int
  ///   let note: String?
  /// }
  /// let order = try values.decode(Order.self)
  /// ```
  ///
  /// A field that is left empty or does not apply is an optional property. A date and time with its offset from UTC may be
  /// a `Date`; local ones, and dates, are texts.
  ///
  /// - Throws: `DecodingError`.
  public func decode<Decoded: Decodable>(_ type: Decoded.Type = Decoded.self) throws -> Decoded {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try String(from: decoder)
      guard let moment = Timestamp(rfc3339: text) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” has no offset from UTC; decode a String"))
      }
      return Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
    }
    var json = json
    while true {
      do {
        return try decoder.decode(type, from: Data(json.bytes))
      } catch DecodingError.typeMismatch(let wanted, let context) {
        // A number that no double holds is a text, unless a number is wanted.
        guard let exact = json.writingNumber(at: context.codingPath[...]) else {
          throw DecodingError.typeMismatch(wanted, context)
        }
        json = exact
      }
    }
  }
}

extension JSON {
  /// The same with the text at a path as a number; `nil` if there is no text of a number.
  fileprivate func writingNumber(at path: ArraySlice<any CodingKey>) -> JSON? {
    switch (self, path.first) {
    case (.string(let text), nil): ExactNumber(text).map { .number($0.exactLiteral) }
    case (.object(var members), let key?):
      members.firstIndex { isSame($0.key, key.stringValue) }.flatMap { index in
        members[index].value.writingNumber(at: path.dropFirst()).map { value in
          members[index] = Member(key.stringValue, value)
          return .object(members)
        }
      }
    case (.array(var elements), let key?):
      key.intValue.flatMap { index in
        elements.indices.contains(index)
          ? elements[index].writingNumber(at: path.dropFirst()).map { value in
            elements[index] = value
            return .array(elements)
          } : nil
      }
    default: nil
    }
  }
}
