internal import Glibc
internal import Platform

/// A few threads of low priority for work that would hold up an event loop. Clients take turns.
final class BackgroundThreads: Sendable {
  private let limiter: ConcurrencyLimiter

  /// - Parameter threads: how many work at once, or `nil` for one less than there are cores, and at least one.
  init(threads: Int? = nil) {
    let threads = threads ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)
    limiter = ConcurrencyLimiter(atOnce: threads, waitingLimit: 1024, perClient: 64)
  }

  /// Does the work on one of the threads.
  ///
  /// - Parameter work: checks now and then whether its client has left; its result is then ignored.
  /// - Throws: `Problem` 503 if too much waits already, or if the client left before it began.
  func run<Result: Sendable>(
    for client: ConcurrencyLimiter.Client,
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Result
  ) async throws(Problem) -> Result {
    let result = await limiter.run(for: client) {
      // To start a thread costs a fraction of any work that comes here.
      await OwnThread.result { isCancelled in
        // Of this thread only, on Linux: event loops come first.
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
        return work(isCancelled)
      }
    }
    guard let result else { throw Problem("busy.work") }
    return result
  }
}

/// CPU time that this thread has used so far, in nanoseconds.
func threadNanoseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
