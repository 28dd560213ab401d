internal import StrictJSON

/// The terms of an ask that a program gives beside the question, as they are kept. Whatever else is only kept, and
/// given back, goes here, and has a column.
package struct AskTerms: Sendable {
  /// The program's own JSON object, given back with the outcome.
  package var metadata = Array("{}".utf8)
  /// The URL that gets the outcome, if there is one. The caller checks whether it is allowed.
  package var callback: String?
  /// The name of the program that asks, as its token has it, or `nil` for a token without a name.
  package var askedBy: String?

  init() {}

  /// Those of a row of `asks`.
  init(_ row: StoreRow) throws {
    (metadata, callback) = (try row.kept(row.bytes("metadata")), row.text("callback"))
    askedBy = row.text("asked_by")
  }

  /// Its part of the ask's row.
  var columns: NamedValues { ["metadata": .bytes(metadata), "callback": .text(callback), "asked_by": .text(askedBy)] }

  /// Writes what the program gets back with the ask and with its outcome.
  func writeMembers(to json: inout JSONWriter) {
    json.member("askedBy", ifPresent: askedBy)
    json.member("metadata") { $0.literal(metadata) }
  }
}
