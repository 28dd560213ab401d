internal import CCurl
internal import Foundation
internal import Synchronization

/// A request to another server.
package struct OutgoingRequest: Sendable {
  let method: String
  let url: String
  let headers: [(name: String, value: String)]
  let body: [UInt8]?
  /// More of a response is not read, its head included.
  fileprivate var responseLimit = 64 << 10
  fileprivate var usesProxy = false
  fileprivate var authorities: String?

  /// To a receiver whose address came from elsewhere. Not even a proxy that the environment names is used: it would
  /// choose where this goes.
  ///
  /// - Parameter headers: in this order. Values hold no CR, LF or NUL.
  init(_ method: String, _ url: String, headers: [(name: String, value: String)], body: [UInt8]) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }

  /// To a server that this process's user named, through the proxy that the environment names for it.
  ///
  /// - Parameters:
  ///   - limit: bytes of the response; a longer one is an error.
  ///   - authorities: the PEM file of those whose certificates are trusted, or `nil` for the system's.
  package init(
    _ method: String, toServer url: String, headers: [(name: String, value: String)], body: [UInt8]?, limit: Int,
    trusting authorities: String?
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    (responseLimit, self.authorities, usesProxy) = (limit, authorities, true)
  }
}

/// What a request came to.
package enum OutgoingResult: Sendable {
  /// - Parameters:
  ///   - body: as much as was read.
  ///   - retryAfter: how long the server wants to be left alone.
  case response(status: Int, body: [UInt8], isCut: Bool, retryAfter: Duration?)
  /// No whole response came, for this reason.
  case noResponse(reason: String)
  /// The same, after the request was sent: the server may have done what it asked for.
  case lost(reason: String)
  /// The loop was stopped, or the task cancelled.
  case interrupted
}

/// libcurl, opened when it is first needed.
package enum Curl {
  /// Why it cannot be used, and what to do.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// Its functions, or why it cannot be opened. They are only written here, once.
  private static let opened: Result<ccurl, Fault> = {
    // All of its fields are written, or the result is not used.
    let library = UnsafeMutablePointer<ccurl>.allocate(capacity: 1)
    defer { library.deallocate() }
    if let problem = ccurl_open(library) {
      let detail = String(cString: problem)
      return .failure(Fault(description: "libcurl is missing (\(detail)); install Debian’s package libcurl4"))
    }
    guard library.pointee.curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else {
      return .failure(Fault(description: "libcurl cannot be set up; see that the machine has memory left"))
    }
    return .success(library.pointee)
  }()

  /// - Throws: `Fault` if it is missing.
  package static func open() throws(Fault) { _ = try opened.get() }

  /// For whoever has a transfer: libcurl is open then.
  fileprivate static var library: ccurl {
    guard case .success(let library) = opened else { preconditionFailure("libcurl was never opened") }
    return library
  }
}

/// Sends requests side by side on one thread, which begins with the first of them.
///
/// Only the thread touches libcurl; others leave orders for it and wake it. A receiver that does not respond costs a
/// socket, and no other request waits for it.
package final class CurlLoop: Sendable {
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
  package init(timeout: Duration) { self.timeout = timeout }

  /// Sends it and returns when the response is there, or none will come. A cancelled task interrupts it.
  package func send(_ request: OutgoingRequest) async -> OutgoingResult {
    do throws(Curl.Fault) { try Curl.open() } catch { return .noResponse(reason: error.description) }
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
  package func stop() { _ = order { $0.isStopping = true } }

  private static let noMemory = OutgoingResult.noResponse(reason: "libcurl has no memory left")

  /// - Returns: `nil` if the thread will carry it out, or why not.
  private func order(_ change: (inout Orders) -> Void) -> OutgoingResult? {
    orders.withLock { orders in
      guard !orders.isStopping else { return .interrupted }
      change(&orders)
      if orders.thread == nil, !orders.arriving.isEmpty {
        guard let pointer = Curl.library.curl_multi_init() else {
          orders.arriving.removeAll()
          return Self.noMemory
        }
        let multi = Multi(pointer: pointer)
        orders.thread = multi
        Thread.detachNewThread { self.run(multi) }
      }
      // Under the lock, so that the thread does not free it meanwhile.
      if let thread = orders.thread { _ = Curl.library.curl_multi_wakeup(thread.pointer) }
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

    let curl = Curl.library
    var underWay: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    func end(_ handle: UnsafeMutableRawPointer, _ attempt: (CurlTransfer) -> OutgoingResult) {
      guard let transfer = underWay.removeValue(forKey: handle) else { return }
      let result = attempt(transfer)
      _ = curl.curl_multi_remove_handle(multi.pointer, handle)
      transfer.continuation?.resume(returning: result)
    }
    while true {
      let (arriving, isStopping) = orders.withLock { orders in
        defer { orders.arriving = [] }
        return (orders.arriving, orders.isStopping)
      }
      for transfer in arriving {
        underWay[transfer.handle] = transfer
        if curl.curl_multi_add_handle(multi.pointer, transfer.handle) != CURLM_OK {
          end(transfer.handle) { _ in Self.noMemory }
        }
      }
      for (handle, transfer) in underWay where isStopping || transfer.isCancelled.load(ordering: .relaxed) {
        end(handle) { _ in .interrupted }
      }
      if isStopping { break }
      var running: Int32 = 0
      _ = curl.curl_multi_perform(multi.pointer, &running)
      var code = CURLE_OK
      while let handle = ccurl_next_ended(multi.pointer, &code) {
        end(handle) { $0.result(endedWith: code) }
      }
      _ = curl.curl_multi_poll(multi.pointer, nil, 0, 60_000, nil)
    }
    orders.withLock { $0.thread = nil }
    _ = curl.curl_multi_cleanup(multi.pointer)
  }
}

/// One request on its way: a libcurl handle, set so that it does that and nothing else.
private final class CurlTransfer: @unchecked Sendable {
  // Sendable by proof: one task makes it and gives it to the loop's thread, under the loop's lock; from then on only
  // that thread touches it, but for `isCancelled`, which is atomic.
  let handle: UnsafeMutableRawPointer
  /// Who waits for the end.
  var continuation: CheckedContinuation<OutgoingResult, Never>?
  /// Whether nobody wants it any more. The thread ends it, so that it is never resumed twice.
  let isCancelled = Atomic(false)
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// Bytes of the response so far, its head included.
  private var received = 0
  private let limit: Int
  /// Empty until its head is whole, and after that as much as has come.
  private var body: [UInt8] = []
  /// Whether its head was whole before that was enough.
  private var hasHead = false
  /// Where libcurl says more of an error than its code does.
  private let complaint = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// - Returns: `nil` if libcurl has no memory for it, or rejects the URL.
  init?(_ request: OutgoingRequest, timeout: Duration) {
    guard let handle = Curl.library.curl_easy_init() else { return nil }
    self.handle = handle
    limit = request.responseLimit
    complaint.pointee = 0
    for (name, value) in request.headers + [("Expect", "")] {
      // A header without a value takes libcurl's own away: nobody waits for “100 Continue”.
      headers = Curl.library.curl_slist_append(headers, value.isEmpty ? "\(name):" : "\(name): \(value)") ?? headers
    }
    guard set(request, timeout) == CURLE_OK else { return nil }
  }

  deinit {
    Curl.library.curl_easy_cleanup(handle)
    Curl.library.curl_slist_free_all(headers)
    complaint.deallocate()
  }

  private func set(_ request: OutgoingRequest, _ timeout: Duration) -> CURLcode {
    var settings: [CURLcode] = [
      ccurl_set_text(handle, CURLOPT_URL, request.url),
      ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
      ccurl_set_long(handle, CURLOPT_PATH_AS_IS, 1),
      ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0),
      ccurl_set_error_buffer(handle, complaint),
      ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(timeout / .milliseconds(1))),
      // No signals in a process of many threads; a name is looked up on a thread of its own, which the end of a transfer
      // does not wait for.
      ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1),
      ccurl_set_long(handle, CURLOPT_QUICK_EXIT, 1),
      ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method),
      ccurl_set_headers(handle, headers),
      // By the type's name: under ThreadSanitizer a C function cannot be made of what says Self.
      ccurl_set_receivers(
        handle, { CurlTransfer.receive($0, $1 * $2, $3) }, { CurlTransfer.receive($0, $1 * $2, $3, isBody: true) },
        Unmanaged.passUnretained(self).toOpaque()),
    ]
    if let body = request.body {
      settings.append(ccurl_set_long(handle, CURLOPT_POST, 1))
      settings.append(ccurl_set_body(handle, body, body.count))
    }
    if !request.usesProxy { settings.append(ccurl_set_text(handle, CURLOPT_PROXY, "")) }
    if let file = request.authorities { settings.append(ccurl_set_text(handle, CURLOPT_CAINFO, file)) }
    return settings.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  private static func receive(
    _ bytes: UnsafeMutablePointer<CChar>, _ count: Int, _ context: UnsafeMutableRawPointer?, isBody: Bool = false
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    transfer.received += count
    transfer.hasHead = isBody
    guard transfer.received <= transfer.limit else { return 0 }
    if isBody { transfer.body += UnsafeRawBufferPointer(start: bytes, count: count) }
    return count
  }

  /// What libcurl’s end of the transfer means.
  func result(endedWith code: CURLcode) -> OutgoingResult {
    let status = ccurl_long(handle, CURLINFO_RESPONSE_CODE)
    let isCut = code == CURLE_WRITE_ERROR && hasHead
    guard code == CURLE_OK || isCut, status >= 200 else {
      let reason = code == CURLE_OK ? "no response" : reason(of: code)
      return ccurl_long(handle, CURLINFO_REQUEST_SIZE) > 0 ? .lost(reason: reason) : .noResponse(reason: reason)
    }
    let pause = ccurl_offset(handle, CURLINFO_RETRY_AFTER)
    return .response(status: status, body: body, isCut: isCut, retryAfter: pause > 0 ? .seconds(pause) : nil)
  }

  private func reason(of code: CURLcode) -> String {
    let general = Curl.library.curl_easy_strerror(code).map { String(cString: $0) } ?? ""
    let words = complaint.pointee == 0 ? general : String(cString: complaint)
    guard code == CURLE_PEER_FAILED_VERIFICATION else { return words }
    // OpenSSL's verdict (X509_V_ERR_*). libcurl compares the name before it asks for that, and leaves 1 here.
    let remedy =
      switch ccurl_long(handle, CURLINFO_SSL_VERIFYRESULT) {
      case 0, 1: "the certificate is for another name; use a name that it is for"
      case 9, 10: "the certificate is not valid today; renew it, or set this machine's clock"
      case 2, 18, 19, 20, 21: "the certificate's issuer is not trusted here; name its PEM file with --cacert"
      default: nil as String?
      }
    return remedy.map { "\($0) (\(words))" } ?? words
  }
}
