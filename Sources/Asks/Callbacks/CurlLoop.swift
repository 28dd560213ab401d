internal import CCurl
internal import Foundation
internal import Synchronization

/// Sends requests side by side on one thread, which begins with the first of them.
///
/// The thread alone touches libcurl; others leave orders for it and wake it. A receiver that does
/// not answer costs a socket, and no other request waits for it.
final class CurlLoop: Sendable {
  private struct Orders {
    var arriving: [CurlTransfer] = []
    var leaving: [CurlTransfer] = []
    var isStopping = false
    /// The thread's own libcurl, to wake it by; nil while there is no thread.
    var thread: Multi?
  }

  /// libcurl's set of transfers. `curl_multi_wakeup` may be called from any thread.
  private struct Multi: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  private let orders = Mutex(Orders())
  private let timeout: Duration

  /// - Parameter timeout: for a request, from its first step to its answer's end.
  init(timeout: Duration) { self.timeout = timeout }

  /// Sends it and returns when it was answered or will not be. A cancelled task interrupts it.
  func send(_ request: PostRequest) async -> CallbackAttempt {
    guard let transfer = CurlTransfer(request, timeout: timeout) else { return Self.noMemory }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.wait(continuation)
        if let refusal = order({ $0.arriving.append(transfer) }) { transfer.finish(refusal) }
      }
    } onCancel: {
      transfer.finish(.interrupted)
      _ = order { $0.leaving.append(transfer) }
    }
  }

  /// Interrupts what is on its way, and ends the thread.
  func stop() { _ = order { $0.isStopping = true } }

  private static let noMemory = CallbackAttempt.unanswered(reason: "libcurl has no memory left")

  /// nil: the thread will see to it; else why not.
  private func order(_ change: (inout Orders) -> Void) -> CallbackAttempt? {
    orders.withLock { orders in
      guard !orders.isStopping else { return .interrupted }
      change(&orders)
      if orders.thread == nil, !orders.arriving.isEmpty {
        guard let pointer = curl_multi_init() else {
          orders.arriving.removeAll()
          return Self.noMemory
        }
        let multi = Multi(pointer: pointer)
        orders.thread = multi
        Thread.detachNewThread { self.run(multi) }
      }
      // Under the lock, so that the thread does not free it meanwhile.
      if let thread = orders.thread { curl_multi_wakeup(thread.pointer) }
      return nil
    }
  }

  // MARK: On the thread

  private func run(_ multi: Multi) {
    // A peer that closes while OpenSSL writes must not end the process.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    var underWay: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    func end(_ handle: UnsafeMutableRawPointer, _ attempt: (CurlTransfer) -> CallbackAttempt) {
      guard let transfer = underWay.removeValue(forKey: handle) else { return }
      let result = attempt(transfer)
      curl_multi_remove_handle(multi.pointer, handle)
      transfer.finish(result)
    }
    while true {
      let orders = takeOrders()
      for transfer in orders.arriving where !transfer.isFinished {
        underWay[transfer.handle] = transfer
        if curl_multi_add_handle(multi.pointer, transfer.handle) != CURLM_OK {
          end(transfer.handle) { _ in Self.noMemory }
        }
      }
      for transfer in orders.leaving {
        end(transfer.handle) { _ in .interrupted }
      }
      if orders.isStopping { break }
      var running: Int32 = 0
      curl_multi_perform(multi.pointer, &running)
      var code = CURLE_OK
      while let handle = ccurl_next_ended(multi.pointer, &code) {
        end(handle) { $0.attempt(endedWith: code) }
      }
      curl_multi_poll(multi.pointer, nil, 0, 60_000, nil)
    }
    for handle in Array(underWay.keys) { end(handle) { _ in .interrupted } }
    orders.withLock { $0.thread = nil }
    curl_multi_cleanup(multi.pointer)
  }

  private func takeOrders() -> Orders {
    orders.withLock { orders in
      defer { (orders.arriving, orders.leaving) = ([], []) }
      return orders
    }
  }
}
