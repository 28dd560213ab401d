internal import MicroHTTP
internal import Prompts
internal import Synchronization

/// The responses of a prompt to inputs in which one field is invalid. Such a response depends on the rule that the field
/// fails, and on nothing else that was entered: it is made once for each rule, when it is first needed, and kept.
///
/// What they hold is the operator's. A stranger can fill them only up to a limit, and no further than the prompt has rules.
final class InvalidResponses: Sendable {
  private final class Kept: Sendable {
    let response: Response
    init(_ response: Response) { self.response = response }
  }

  private final class Slot: Sendable {
    let rule: Rule
    let kept = AtomicLazyReference<Kept>()
    init(_ rule: Rule) { self.rule = rule }
  }

  /// By the field's place.
  private let slots: [[Slot]]
  private let limit: Int
  private let bytes = Atomic(0)
  private let grew: @Sendable (Int) -> Void

  /// - Parameters:
  ///   - limit: bytes that they may hold. When these are used, the others are made each time.
  ///   - grew: told of the bytes of each that is kept.
  init(of prompt: Prompt, limit: Int = 32 * 1024, grew: @escaping @Sendable (Int) -> Void = { _ in }) {
    slots = prompt.fields.map { $0.allRules.map(Slot.init) }
    (self.limit, self.grew) = (limit, grew)
  }

  /// The response to this failure, made now if it is not kept.
  func response(to failure: (field: Int, rule: Rule), _ make: () -> Response) -> Response {
    guard let slot = slots[failure.field].first(where: { $0.rule === failure.rule }) else { return make() }
    if let kept = slot.kept.load() { return kept.response }
    let response = make()
    // Its headers, and what libmicrohttpd notes of it.
    let size = 2048 + (response.body.count ?? limit)
    guard bytes.load(ordering: .relaxed) < limit else { return response }
    bytes.add(size, ordering: .relaxed)
    grew(size)
    return slot.kept.storeIfNil(Kept(response)).response
  }
}
