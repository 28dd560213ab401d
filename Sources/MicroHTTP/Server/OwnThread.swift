internal import Glibc

/// Work that blocks, on a thread of its own: never on one of the few threads
/// that Swift's tasks share.
package enum OwnThread {
  package static func run(_ work: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Work(run: work))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      // No thread to be had: better late than never.
      box.takeRetainedValue().run()
      return
    }
    pthread_detach(thread)
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
