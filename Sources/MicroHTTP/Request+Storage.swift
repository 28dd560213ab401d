internal import Synchronization

extension Request {
  /// What the copies of a request share. One serves a connection's requests in
  /// turn, so that most of them allocate nothing, until somebody keeps a request.
  final class Storage: @unchecked Sendable {
    // Sendable by proof: but for the mark it is changed by its connection alone,
    // and only while nobody else has it. So the runtime need not watch for two
    // accesses at once, which it would at every access of every request.
    @exclusivity(unchecked) var method = Method.get
    @exclusivity(unchecked) var target = RequestTarget()
    @exclusivity(unchecked) var fields = HeaderFields()
    @exclusivity(unchecked) var body: [UInt8] = []
    /// Whose request this is: the peer's own, or of who stands behind it.
    @exclusivity(unchecked) var sender: Sender
    /// The route's pattern. The router says for each request anew which one that is, if any.
    @exclusivity(unchecked) var pattern: RoutePattern?
    /// Unique in this process.
    @exclusivity(unchecked) var number: UInt64 = 0
    private let marked = Atomic(0)

    /// See `Request.mark`.
    var mark: Int {
      get { marked.load(ordering: .relaxed) }
      set { marked.store(newValue, ordering: .relaxed) }
    }

    /// See `Request.id`.
    var id: String { sender.requestID ?? RequestID.text(of: number) }

    init(sender: Sender) { self.sender = sender }

    /// Makes room for the next request. A long body's memory is given back.
    func clear(for sender: Sender) {
      body.removeAll(keepingCapacity: body.capacity <= 4096)
      if self.sender !== sender { self.sender = sender }
      mark = 0
    }
  }
}
