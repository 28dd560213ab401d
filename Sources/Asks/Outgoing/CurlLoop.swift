internal import CCurl
internal import Foundation
internal import Synchronization

/// Sends requests side by side on one thread, which begins with the first of them.
///
/// Only the thread touches libcurl; others leave orders for it and wake it. A receiver that does not respond costs a
/// socket, and no other request waits for it.
final class CurlLoop: Sendable {
  private struct Orders {
    var arriving: [CurlTransfer] = []
    var isStopping = false
    /// The thread's own libcurl, to wake it by; `nil` while there is no thread.
    var thread: Multi?
  }

  /// libcurl's set of transfers. `curl_multi_wakeup` may be called from any thread.
  private struct Multi: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  private let orders = Mutex(Orders())
  private let timeout: Duration

  /// - Parameter timeout: for a request, from its first step to its response's end.
  init(timeout: Duration) { self.timeout = timeout }

  /// Sends it and returns when the response is there, or none will come. A cancelled task interrupts it.
  func send(_ request: PostRequest) async -> CallbackAttempt {
    guard let transfer = CurlTransfer(request, timeout: timeout) else { return Self.noMemory }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.continuation = continuation
        if let refusal = order({ $0.arriving.append(transfer) }) { continuation.resume(returning: refusal) }
      }
    } onCancel: {
      transfer.isCancelled.store(true, ordering: .relaxed)
      _ = order { _ in }
    }
  }

  /// Interrupts what is on its way, and ends the thread.
  func stop() { _ = order { $0.isStopping = true } }

  private static let noMemory = CallbackAttempt.noResponse(reason: "libcurl has no memory left")

  /// - Returns: `nil` if the thread will carry it out, or why not.
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
      transfer.continuation?.resume(returning: result)
    }
    while true {
      let (arriving, isStopping) = orders.withLock { orders in
        defer { orders.arriving = [] }
        return (orders.arriving, orders.isStopping)
      }
      for transfer in arriving {
        underWay[transfer.handle] = transfer
        if curl_multi_add_handle(multi.pointer, transfer.handle) != CURLM_OK {
          end(transfer.handle) { _ in Self.noMemory }
        }
      }
      for (handle, transfer) in underWay where isStopping || transfer.isCancelled.load(ordering: .relaxed) {
        end(handle) { _ in .interrupted }
      }
      if isStopping { break }
      var running: Int32 = 0
      curl_multi_perform(multi.pointer, &running)
      var code = CURLE_OK
      while let handle = ccurl_next_ended(multi.pointer, &code) {
        end(handle) { $0.attempt(endedWith: code) }
      }
      curl_multi_poll(multi.pointer, nil, 0, 60_000, nil)
    }
    orders.withLock { $0.thread = nil }
    curl_multi_cleanup(multi.pointer)
  }
}

/// One POST on its way: a libcurl handle, set so that it does that and nothing else.
private final class CurlTransfer: @unchecked Sendable {
  // Sendable by proof: one task makes it and gives it to the loop's thread, under the loop's lock; from then on only
  // that thread touches it, but for `isCancelled`, which is atomic.
  let handle: UnsafeMutableRawPointer
  /// Who waits for the end.
  var continuation: CheckedContinuation<CallbackAttempt, Never>?
  /// Whether nobody wants it any more. The thread ends it, so that it is never resumed twice.
  let isCancelled = Atomic(false)
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// Bytes of the response so far, its head included.
  private var received = 0
  /// Whether its head was whole before that was enough.
  private var hasHead = false

  /// More of a response is not read: only its status matters.
  private static let responseLimit = 64 << 10

  /// libcurl's one-time set-up, whose result every transfer asks for.
  private static let library = curl_global_init(Int(CURL_GLOBAL_ALL))

  /// - Returns: `nil` if libcurl has no memory for it, or rejects the URL.
  init?(_ request: PostRequest, timeout: Duration) {
    guard Self.library == CURLE_OK, let handle = curl_easy_init() else { return nil }
    self.handle = handle
    for (name, value) in request.headers + [("Expect", "")] {
      // A header without a value takes libcurl's own away: nobody waits for “100 Continue”.
      headers = curl_slist_append(headers, value.isEmpty ? "\(name):" : "\(name): \(value)") ?? headers
    }
    guard set(request, timeout) == CURLE_OK else { return nil }
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
  }

  private func set(_ request: PostRequest, _ timeout: Duration) -> CURLcode {
    let settings: [CURLcode] = [
      ccurl_set_text(handle, CURLOPT_URL, request.url),
      ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
      ccurl_set_long(handle, CURLOPT_PATH_AS_IS, 1),
      ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0),
      // Not even a proxy that the environment names: it would choose where this goes.
      ccurl_set_text(handle, CURLOPT_PROXY, ""),
      ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(timeout / .milliseconds(1))),
      // No signals in a process of many threads; a name is looked up on a thread of its own, which the end of a transfer
      // does not wait for.
      ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1),
      ccurl_set_long(handle, CURLOPT_QUICK_EXIT, 1),
      ccurl_set_long(handle, CURLOPT_POST, 1),
      ccurl_set_body(handle, request.body, request.body.count),
      ccurl_set_headers(handle, headers),
      // By the type's name: under ThreadSanitizer a C function cannot be made of what says Self.
      ccurl_set_receivers(
        handle, { CurlTransfer.receive($1 * $2, $3) }, { CurlTransfer.receive($1 * $2, $3, isBody: true) },
        Unmanaged.passUnretained(self).toOpaque()),
    ]
    return settings.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  private static func receive(_ count: Int, _ context: UnsafeMutableRawPointer?, isBody: Bool = false) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    transfer.received += count
    transfer.hasHead = isBody
    return transfer.received <= responseLimit ? count : 0
  }

  /// What libcurl’s end of the transfer means.
  ///
  /// A response whose body goes on beyond what is read counts like a whole one.
  func attempt(endedWith code: CURLcode) -> CallbackAttempt {
    let status = ccurl_long(handle, CURLINFO_RESPONSE_CODE)
    let isCut = code == CURLE_WRITE_ERROR && hasHead
    guard code == CURLE_OK || isCut, status >= 200 else {
      return .noResponse(reason: code == CURLE_OK ? "no response" : String(cString: curl_easy_strerror(code)))
    }
    let pause = ccurl_offset(handle, CURLINFO_RETRY_AFTER)
    return .response(status: status, retryAfter: pause > 0 ? .seconds(pause) : nil)
  }
}
