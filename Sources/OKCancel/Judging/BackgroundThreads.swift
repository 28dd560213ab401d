internal import Glibc
internal import MicroHTTP
internal import Synchronization

/// A few threads of low priority for work that would hold up an event loop.
///
/// Clients take turns: whoever sends the most waits the longest. Work is dropped if its client has left before.
final class BackgroundThreads: Sendable {
  /// Whose turn it is: an address or, on this machine, a connection.
  enum Client: Hashable {
    case address(IPAddress)
    case connection(UInt64)

    init(_ request: Request) {
      if let address = request.client, !address.isLoopback {
        self = .address(address.subscriber)
      } else {
        self = .connection(request.connection)
      }
    }
  }

  private typealias Job = @Sendable () -> Void

  private struct State {
    var lines: [Client: [Job]] = [:]
    /// Those with a line, in the order of their turns.
    var turns: [Client] = []
    var waiting = 0
    var threads = 0
  }

  /// How many may wait in all, and of one client.
  private static let limit = (all: 1024, perClient: 64)

  private let threads: Int
  private let state = Mutex(State())

  /// - Parameter threads: how many work at once, or `nil` for one less than there are cores, and at least one.
  init(threads: Int? = nil) { self.threads = threads ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1) }

  /// Does the work on one of the threads.
  ///
  /// - Parameter work: asks now and then whether its client has left; what it returns is then worth nothing.
  /// - Throws: `Problem` 503 if too much waits already, or if the client left before it began.
  func run<Result: Sendable>(
    for client: Client, _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Result
  ) async throws(Problem) -> Result {
    let cancellation = Cancellation()
    let isCancelled: @Sendable () -> Bool = { cancellation.flag.load(ordering: .relaxed) }
    let result: Result? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isAccepted = enqueue(
          { continuation.resume(returning: isCancelled() ? nil : work(isCancelled)) }, for: client)
        if !isAccepted { continuation.resume(returning: nil) }
      }
    } onCancel: {
      cancellation.flag.store(true, ordering: .relaxed)
    }
    if let result { return result }
    throw Problem(.tooMuchWaits)
  }

  private final class Cancellation: Sendable {
    let flag = Atomic(false)
  }

  /// - Returns: false if too much waits already; the job is then never run.
  private func enqueue(_ job: @escaping Job, for client: Client) -> Bool {
    let (isAccepted, needsThread) = state.withLock { state in
      guard state.waiting < Self.limit.all, state.lines[client]?.count ?? 0 < Self.limit.perClient
      else { return (false, false) }
      if state.lines[client] == nil { state.turns.append(client) }
      state.lines[client, default: []].append(job)
      state.waiting += 1
      guard state.threads < threads else { return (true, false) }
      state.threads += 1
      return (true, true)
    }
    // Threads end when nothing waits: starting one costs a fraction of any work that comes here.
    if needsThread { OwnThread.run { self.work() } }
    return isAccepted
  }

  private func work() {
    // Of this thread only, on Linux: event loops come first.
    setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
    while let job = next() { job() }
  }

  /// The next client's first job, or `nil` if nothing waits and the thread is to end.
  private func next() -> Job? {
    state.withLock { state in
      guard !state.turns.isEmpty else {
        state.threads -= 1
        return nil
      }
      let client = state.turns.removeFirst()
      let job = state.lines[client]?.removeFirst()
      state.waiting -= 1
      if state.lines[client]?.isEmpty == false { state.turns.append(client) } else { state.lines[client] = nil }
      return job
    }
  }
}

/// CPU time that this thread has used so far, in nanoseconds.
func threadNanoseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
