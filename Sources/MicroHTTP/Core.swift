internal import Synchronization

/// What one server's connections share. Immutable but for a few atomics and what
/// waits, so that requests are answered without a lock.
final class Core: Sendable {
  let headLimits: HeadReader.Limits
  let bodyLimit: Int
  /// Asked only of a request whose body is longer than `bodyLimit`; nil: that is its limit too.
  let routeBodyLimit: @Sendable (Request) -> Int?
  let connectionMemory: Int
  let trustedProxies: TrustedProxies
  let handler: @Sendable (Request) -> Reply
  let refuse: @Sendable (HTTPError, Request?) -> Response
  let observe: @Sendable (CompletedRequest) -> Void
  /// False where nobody observes, and no time need be taken.
  let isObserved: Bool
  let deadlines: Deadlines.Milliseconds
  let isSecure: Bool
  /// What new connections use; nil without TLS.
  let credentials: Mutex<TLSCredentials?>
  let monitor: ConnectionMonitor
  let suspensions: Suspensions
  let streams = Streams()
  let lingering = Lingering()
  /// Connections that were ever opened.
  let opened = Atomic<UInt64>(0)
  /// True when every answer is the last of its connection.
  let isLeaving = Atomic(false)
  /// True when no connection is taken any more.
  let isQuiesced = Atomic(false)
  /// True where it is known how libmicrohttpd lays a connection's memory out.
  let knowsMemory: Bool

  init(
    _ configuration: Server.Configuration, knowsMemory: Bool,
    handler: @escaping @Sendable (Request) -> Reply,
    bodyLimit routeBodyLimit: @escaping @Sendable (Request) -> Int?,
    refuse: @escaping @Sendable (HTTPError, Request?) -> Response,
    observe: (@Sendable (CompletedRequest) -> Void)?
  ) {
    headLimits = HeadReader.Limits(
      targetBytes: configuration.targetLimit, headerBytes: configuration.headerLimit,
      headers: configuration.headerCountLimit, bodyBytes: configuration.bodyLimit)
    bodyLimit = configuration.bodyLimit
    self.routeBodyLimit = routeBodyLimit
    connectionMemory = configuration.connectionMemory
    trustedProxies = configuration.trustedProxies
    deadlines = Deadlines.Milliseconds(configuration.deadlines)
    isSecure = configuration.tls != nil
    credentials = Mutex(configuration.tls?.credentials)
    monitor = ConnectionMonitor(configuration)
    suspensions = Suspensions(monitor: monitor)
    self.knowsMemory = knowsMemory
    self.handler = handler
    self.refuse = refuse
    isObserved = observe != nil
    if let observe { self.observe = observe } else { self.observe = { _ in } }
  }

  /// True when this peer may open one more connection. Trusted proxies and this machine always may.
  func admits(_ peer: IPAddress?) -> Bool {
    guard let peer, !peer.isLoopback, !trustedProxies.contains(peer) else { return true }
    return monitor.connections.admits(peer)
  }
}
