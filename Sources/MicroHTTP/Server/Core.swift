internal import Synchronization

/// The state that all connections of a server share. Immutable except for a few atomics, the TLS credentials and the
/// monitor, so that requests take no lock.
final class Core: Sendable {
  let application: any Application
  let configuration: Server.Configuration
  let deadlines: Deadlines.Milliseconds
  var isSecure: Bool { configuration.tls != nil }
  /// The certificate and key of new connections, or `nil` without TLS.
  let tls: Mutex<TLS?>
  let monitor: ConnectionMonitor
  /// Connections that were ever opened.
  let opened = Atomic<UInt64>(0)
  /// True if every response is the last of its connection.
  let isLeaving = Atomic(false)
  /// True if no connection is taken any more, and streams are to end.
  let isQuiesced = Atomic(false)
  /// True if no connection may be suspended any more.
  let isStopping = Atomic(false)

  init(_ configuration: Server.Configuration, _ application: any Application) {
    self.application = application
    self.configuration = configuration
    deadlines = Deadlines.Milliseconds(configuration.deadlines)
    tls = Mutex(configuration.tls)
    monitor = ConnectionMonitor(configuration)
  }
}
