internal import Asks
internal import MicroHTTP

/// `/receipts`: what a program learns of an answer that a browser says it gave.
struct ReceiptRoutes: Sendable {
  let askService: AskService

  private static let unknown = Problem(
    status: .notFound, detail: "There is no answer with this receipt; do not trust whoever showed it.")

  /// `GET /receipts/{receipt}`: the answer, as often as it is asked for.
  func get(_ request: Request) throws(Problem) -> Route.Reply {
    guard let receipt = Receipt(request.parameters["receipt"] ?? "") else { throw Self.unknown }
    return .later { () throws(Problem) in
      let found = try await askService.asking { () throws -> [UInt8]? in
        try await askService.store.answer(for: receipt)?.json(redeeming: receipt, openedWith: askService.store.secrets)
      }
      guard let found else { throw Self.unknown }
      return Response(.ok, type: "application/json", bytes: found)
    }
  }
}
