internal import CCurl
internal import Foundation
internal import Synchronization

/// One POST on its way: a libcurl handle, set so that it does what was asked and nothing else.
final class CurlTransfer: @unchecked Sendable {
  // Sendable by proof: made by one task, then given to the loop's thread, which alone touches it
  // from then on; `end` is behind a lock.
  let handle: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// Bytes of the answer so far, its head included.
  private var received = 0
  /// Whether its head was whole before that was enough.
  private var hasHead = false
  private let end = Mutex(End.open(nil))

  private enum End {
    /// With who waits for it, if anybody yet.
    case open(CheckedContinuation<CallbackAttempt, Never>?)
    case finished(CallbackAttempt)
  }

  /// More of an answer is not read: only its status matters.
  private static let answerLimit = 64 << 10

  /// nil where libcurl has no memory for it, or does not take the URL.
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
      // No signals in a process of many threads; a name is looked up on a thread of its own, which
      // the end of a transfer does not wait for.
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
    return transfer.received <= answerLimit ? count : 0
  }

  /// libcurl's one-time set-up, whose result every transfer asks for.
  private static let library = curl_global_init(Int(CURL_GLOBAL_ALL))

  // MARK: Its end

  var isFinished: Bool { end.withLock { if case .finished = $0 { true } else { false } } }

  /// Resumes it when the transfer is finished.
  func wait(_ continuation: CheckedContinuation<CallbackAttempt, Never>) {
    let early: CallbackAttempt? = end.withLock { end in
      if case .finished(let attempt) = end { return attempt }
      end = .open(continuation)
      return nil
    }
    if let early { continuation.resume(returning: early) }
  }

  /// Only the first time counts.
  func finish(_ attempt: CallbackAttempt) {
    let waiting: CheckedContinuation<CallbackAttempt, Never>? = end.withLock { end in
      guard case .open(let continuation) = end else { return nil }
      end = .finished(attempt)
      return continuation
    }
    waiting?.resume(returning: attempt)
  }

  /// What libcurl’s end of the transfer means.
  ///
  /// An answer whose body goes on beyond what is read counts like a whole one.
  func attempt(endedWith code: CURLcode) -> CallbackAttempt {
    let status = ccurl_long(handle, CURLINFO_RESPONSE_CODE)
    let isCut = code == CURLE_WRITE_ERROR && hasHead
    guard code == CURLE_OK || isCut, status >= 200 else {
      return .unanswered(reason: code == CURLE_OK ? "no answer" : String(cString: curl_easy_strerror(code)))
    }
    let pause = ccurl_offset(handle, CURLINFO_RETRY_AFTER)
    return .answered(status: status, retryAfter: pause > 0 ? .seconds(pause) : nil)
  }
}
