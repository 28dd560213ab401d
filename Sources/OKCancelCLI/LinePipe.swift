internal import Foundation
internal import OKCancel
internal import Platform
internal import Synchronization

/// A session of the Model Context Protocol over standard input and output: a message a line.
///
/// Lines are read on a thread of their own, which also takes them; whatever waits is a task.
final class LinePipe: Sendable {
  /// Bytes of a line; longer ones are refused.
  private static let lineLimit = 4 << 20
  /// Bytes that may wait to be written before no more messages are read.
  private static let unwrittenLimit = 16 << 20

  private struct Conversation {
    var session: Session
    var tasks: [ID: Task<Void, Never>] = [:]
    /// People who are being told, by the ask.
    var tellings: [String: Task<Void, Never>] = [:]
    /// Outcomes that are being written, by the ask, whose key is released then.
    var deliveries: [String: Task<Void, Never>] = [:]
    /// Asks that were seen here, and not seen to end.
    var open: Set<String> = []
    /// True once nobody reads any more.
    var isOver = false
  }

  private let state: Mutex<Conversation>
  private let backend: any AskBackend
  private let presenter: LinkPresenter
  private let output: Int32
  private let failed: @Sendable (OutputFault) -> Void
  /// Writes on a queue of its own, so that reading goes on: a host that does not read while it writes waits until this
  /// process has read its message.
  private let writing = DispatchQueue(label: "output")
  /// Bytes that wait to be written.
  private let unwritten = Atomic(0)

  /// - Parameters:
  ///   - output: where messages go.
  ///   - failed: called if they cannot be written.
  init(
    _ session: Session, backend: any AskBackend, presenter: LinkPresenter, output: Int32,
    failed: @escaping @Sendable (OutputFault) -> Void
  ) {
    state = Mutex(Conversation(session: session))
    self.backend = backend
    self.presenter = presenter
    self.output = output
    self.failed = failed
  }

  /// Serves until the input ends and every request has its response.
  func run(input: Int32) async {
    await OwnThread.result { self.read(input) }
    while let task = state.withLock({ $0.tasks.values.first ?? $0.tellings.values.first ?? $0.deliveries.values.first })
    { await task.value }
    writing.sync {}
  }

  private func read(_ input: Int32) {
    var line: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Glibc.read(input, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      for byte in part[..<count] {
        if byte == UInt8(ascii: "\n") {
          take(line)
          line = []
        } else if line.count <= Self.lineLimit {
          line.append(byte)
        }
      }
    }
    take(line)
  }

  private func take(_ line: [UInt8]) {
    let isTooLong = line.count > Self.lineLimit
    // Windows ends lines with two characters.
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    guard isTooLong || !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return }
    if unwritten.load(ordering: .relaxed) > Self.unwrittenLimit { writing.sync {} }
    perform { state in
      isTooLong ? [.send(state.session.refusal(ofBytesOver: Self.lineLimit))] : state.session.receive(Array(line))
    }
  }

  private func send(_ message: [UInt8], then done: (@Sendable (_ isWritten: Bool) -> Void)? = nil) {
    let line = message + [UInt8(ascii: "\n")]
    unwritten.add(line.count, ordering: .relaxed)
    writing.async {
      var isWritten = false
      do throws(OutputFault) {
        try Output.write(line, to: self.output)
        isWritten = true
      } catch {
        // If nobody reads any more, the end of the input will tell.
        if error.code != EPIPE { self.failed(error) }
      }
      self.unwritten.subtract(line.count, ordering: .relaxed)
      done?(isWritten)
    }
  }

  /// Performs the actions that the session decides on. The lock keeps messages in the order of these decisions.
  private func perform(_ decide: @Sendable (inout Conversation) -> [Action]) {
    state.withLock { state in
      let actions = decide(&state)
      guard !state.isOver else { return }
      for action in actions {
        switch action {
        case .send(let message): send(message.bytes)
        case .deliver(let message, let ask):
          let (written, writing) = AsyncStream.makeStream(of: Bool.self)
          send(message.bytes) { writing.yield($0) }
          state.deliveries[ask] = Task {
            if await written.first(where: { _ in true }) == true { _ = await backend.perform(.releaseKey(id: ask)) }
            self.state.withLock { $0.deliveries[ask] = nil }
          }
        case .stop(let request): state.tasks.removeValue(forKey: request)?.cancel()
        case .background(let work): Task { _ = await backend.perform(work) }
        case .work(let id, let work): state.tasks[id] = Task { await self.perform(work, for: id) }
        case .tell(let ask, let link):
          state.tellings[ask] = Task {
            let telling = await self.presenter.tell(link)
            self.perform { state in
              state.tellings[ask] = nil
              return state.session.told(ask, telling)
            }
          }
        }
      }
    }
  }

  private func perform(_ work: Work, for id: ID) async {
    if case .make = work {
      // The host may call again as soon as it has an outcome.
      for task in state.withLock({ Array($0.deliveries.values) }) { await task.value }
    }
    let event = await backend.perform(work)
    perform { state in
      if case .ask(let ask) = event {
        if ask.closed == nil { state.open.insert(ask.id) } else { state.open.remove(ask.id) }
      }
      // Stopped meanwhile: another task may have its place.
      if Task.isCancelled { return [] }
      state.tasks[id] = nil
      return state.session.resume(id, with: event)
    }
  }

  /// Sends nothing more.
  func stop() {
    state.withLock { state in
      state.isOver = true
      for task in Array(state.tasks.values) + Array(state.tellings.values) { task.cancel() }
    }
  }

  /// Waits until the asks that were seen here have ended.
  func waitForOpenAsks(atMost limit: Duration) async {
    let end = ContinuousClock.now + limit
    for id in state.withLock({ $0.open }) {
      while !Task.isCancelled, ContinuousClock.now < end {
        let left = Int((end - .now).components.seconds)
        guard case .ask(let ask) = await backend.perform(.look(id: id, seconds: max(1, left))), ask.closed == nil else {
          break
        }
      }
    }
  }
}
