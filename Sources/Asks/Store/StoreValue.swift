internal import Prompts

/// A value: a parameter of a statement, or a column of a row.
enum StoreValue: Hashable, Sendable {
  case integer(Int64?)
  case text(String?)
  case bytes([UInt8]?)

  static func integer(_ number: Int) -> Self { .integer(Int64(number)) }
  static func flag(_ flag: Bool) -> Self { .integer(flag ? 1 : 0) }
  static func id(_ id: AskID) -> Self { .text(id.description) }
  /// An array in PostgreSQL's words.
  static func array(_ ids: [String]) -> Self { .text("{\(ids.joined(separator: ","))}") }
  static func moment(_ moment: Timestamp) -> Self { .integer(moment.milliseconds) }

  /// The value as text; bytes as hexadecimal digits.
  var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): number.map { String($0) }
    case .bytes(let bytes): bytes?.hexadecimal
    }
  }
}
