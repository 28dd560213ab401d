internal import Foundation
internal import Glibc
internal import MCP
internal import OKCancel
internal import Synchronization

/// A session of the Model Context Protocol over standard input and output: a message a line.
///
/// Lines are read on a thread of their own, which also takes them; whatever waits is a task.
final class LinePipe: Sendable {
  /// Bytes of a line; longer ones are refused.
  private static let lineLimit = 4 << 20

  private struct State {
    var session: Session
    var tasks: [ID: Task<Void, Never>] = [:]
    /// Asks that were made here and have not been seen to end.
    var open: Set<String> = []
    /// Whether nobody reads any more.
    var isOver = false
  }

  private let state: Mutex<State>
  private let desk: any Desk
  private let presenter: LinkPresenter
  private let output: Output

  /// - Parameter output: where messages go.
  init(_ session: Session, desk: any Desk, presenter: LinkPresenter, output: Int32) {
    state = Mutex(State(session: session))
    (self.desk, self.presenter, self.output) = (desk, presenter, Output(output))
  }

  static func nonce() -> String {
    (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
  }

  /// Serves until the input ends and every request has its response.
  func run(input: Int32) async {
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        self.read(input)
        done.resume()
      }
    }
    while let task = state.withLock({ $0.tasks.values.first }) { await task.value }
    output.flush()
  }

  private func read(_ input: Int32) {
    var (line, isTooLong) = ([UInt8](), false)
    var part = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Glibc.read(input, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      for byte in part[..<count] {
        if byte == UInt8(ascii: "\n") {
          take(line, isTooLong: isTooLong)
          (line, isTooLong) = ([], false)
        } else if line.count < Self.lineLimit {
          line.append(byte)
        } else {
          isTooLong = true
        }
      }
    }
    take(line, isTooLong: isTooLong)
  }

  private func take(_ line: [UInt8], isTooLong: Bool) {
    // Windows ends lines with two characters.
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    guard isTooLong || !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return }
    output.waitForRoom()
    perform { session in
      isTooLong ? [.send(session.refusal(ofBytesOver: Self.lineLimit))] : session.receive(Array(line))
    }
  }

  /// Has the session decide, and does what it wants. Messages go out in the order in which they were decided.
  ///
  /// - Parameter done: the piece of work that has ended on this task, and what came of it.
  private func perform(
    after done: (work: WorkID, event: Event)? = nil, _ decide: @Sendable (inout Session) -> [Action]
  ) {
    state.withLock { state in
      if case .ask(let ask)? = done?.event {
        if ask.closed != nil { state.open.remove(ask.id) } else if ask.isNew { state.open.insert(ask.id) }
      }
      if let done {
        // Stopped meanwhile: another task may have its place.
        if Task.isCancelled { return }
        state.tasks[done.work.request] = nil
      }
      guard !state.isOver else { return }
      for action in decide(&state.session) {
        switch action {
        case .send(let message): output.write(message.bytes + [UInt8(ascii: "\n")])
        case .stop(let request): state.tasks.removeValue(forKey: request)?.cancel()
        case .background(let work): Task { _ = await self.event(of: work) }
        case .work(let id, let work):
          state.tasks[id.request] = Task {
            let event = await self.event(of: work)
            self.perform(after: (id, event)) { $0.resume(id, with: event) }
          }
        }
      }
    }
  }

  private func event(of work: Work) async -> Event {
    guard case .present(let link) = work else { return await desk.perform(work) }
    return .presented(await presenter.present(link))
  }

  /// Sends nothing more.
  func stop() {
    state.withLock { state in
      state.isOver = true
      for task in state.tasks.values { task.cancel() }
    }
  }

  /// Waits until the asks that were made here have ended.
  func waitForOpenAsks(atMost limit: Duration) async {
    let end = ContinuousClock.now + limit
    for id in state.withLock({ $0.open }) {
      while !Task.isCancelled, ContinuousClock.now < end {
        let left = Int((end - .now).components.seconds)
        guard case .ask(let ask) = await desk.perform(.look(id: id, seconds: max(1, left))), ask.closed == nil else {
          break
        }
      }
    }
  }
}

/// Lines on their way out, written by a thread of its own: a host may read none while it writes, and would wait for
/// this process, which has to read on.
private final class Output: Sendable {
  /// Bytes that may wait before no more messages are read.
  private static let limit = 16 << 20

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "output")
  private let waiting = Atomic(0)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func write(_ bytes: [UInt8]) {
    waiting.add(bytes.count, ordering: .relaxed)
    queue.async {
      self.writeAll(bytes)
      self.waiting.subtract(bytes.count, ordering: .relaxed)
    }
  }

  func flush() { queue.sync {} }

  func waitForRoom() {
    if waiting.load(ordering: .relaxed) > Self.limit { flush() }
  }

  private func writeAll(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Nobody reads any more; the end of the input will tell.
      guard count > 0 else { return }
      sent += count
    }
  }
}
