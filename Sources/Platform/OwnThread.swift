internal import CProcess
internal import Glibc
internal import Synchronization

/// Runs work that blocks on a thread of its own: never on one of the few threads that Swift's tasks share.
package enum OwnThread {
  package static func run(_ work: @escaping @Sendable () -> Void) {
    // If no thread can be started, on this one, although it blocks.
    if let thread = start(work) { pthread_detach(thread) } else { work() }
  }

  /// Runs it in the same way, and returns its result.
  package static func result<Result: Sendable>(of work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { done in run { done.resume(returning: work()) } }
  }

  /// The same for work that ends early once its task is cancelled.
  ///
  /// - Parameters:
  ///   - wake: called then, on any thread, for work that waits.
  ///   - work: asks now and then whether its task is cancelled.
  package static func result<Result: Sendable>(
    wakingBy wake: @escaping @Sendable () -> Void = {},
    of work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Result
  ) async -> Result {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await result { work { cancellation.flag.load(ordering: .relaxed) } }
    } onCancel: {
      cancellation.flag.store(true, ordering: .relaxed)
      wake()
    }
  }

  private final class Cancellation: Sendable {
    let flag = Atomic(false)
  }

  /// Starts so many threads at once, and ends them again.
  ///
  /// - Returns: `nil` if the system grants them; otherwise the limits that count threads, as `NAME is NUMBER`.
  package static func limits(refusing count: Int) -> [String]? {
    let gate = Gate()
    let threads = gate.isClosed.withLock { _ in
      (0..<count).map { _ in start { gate.isClosed.withLock { _ in } } }
    }
    for case let thread? in threads { pthread_join(thread, nil) }
    return threads.contains(nil) ? limits : nil
  }

  private final class Gate: Sendable {
    let isClosed = Mutex(())
  }

  private static var limits: [String] {
    // Each thread also takes some MiB of addresses for its stack.
    var limits: [String] = []
    for (resource, name) in [
      (__RLIMIT_NPROC.rawValue, "RLIMIT_NPROC (ulimit -u, LimitNPROC=)"),
      (RLIMIT_AS.rawValue, "RLIMIT_AS (ulimit -v, LimitAS=)"),
    ] {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(resource), &limit)
      if limit.rlim_cur != rlim_t.max { limits.append("\(name) is \(limit.rlim_cur)") }
    }
    // `0::/path` with version 2, `8:pids:/path` with version 1 (cgroups(7)).
    for line in RegularFile.text(of: "/proc/self/cgroup").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, ["", "pids"].contains(parts[1]) else { continue }
      let most = RegularFile.text(of: "/sys/fs/cgroup/\(parts[1])\(parts[2])/pids.max").prefix { $0 != "\n" }
      if Int(most) != nil { limits.append("pids.max (TasksMax=, --pids-limit) is \(most)") }
    }
    return limits
  }

  /// - Returns: `nil` if the system grants no more threads.
  private static func start(_ work: @escaping @Sendable () -> Void) -> pthread_t? {
    let box = Unmanaged.passRetained(Work(run: work))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        cprocess_run_on_own_thread({ Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().run() }, argument)
        return nil
      }, box.toOpaque())
    if code == 0 { return thread }
    box.release()
    return nil
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
