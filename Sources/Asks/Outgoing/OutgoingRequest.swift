internal import CCurl
internal import Foundation
package import Platform
internal import Prompts

/// A request to another server.
package struct OutgoingRequest: Sendable {
  let method: String
  let url: String
  /// In this order. Values hold no CR, LF or NUL.
  let headers: [(name: String, value: String)]
  let body: [UInt8]?
  package let responseLimit: Int
  let usesProxy: Bool
  let authorities: String?
  /// The settings that name other authorities, for whoever reads that a certificate is not trusted.
  package var authoritySettings = "SSL_CERT_FILE"
  /// Called with each part of the response's body as it comes, on another thread.
  package var received: @Sendable ([UInt8]) -> Void = { _ in }
  /// From whom and to whom it goes if it is a mail, whose text is the body; or `nil`.
  var mail: Envelope?

  /// The envelope of a mail: all that a mail server is told beside it.
  struct Envelope: Sendable {
    let from, to: String
    let user, password: String?
    /// True if nothing may be said before STARTTLS.
    let needsTLS: Bool
  }

  /// An operator's own services may have certificates that only the operator knows.
  private static let ownAuthorities = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]

  /// - Parameters:
  ///   - limit: bytes of the response, its head included; more is not read.
  ///   - usesProxy: whether to use the proxy that the environment names. Do not use it for a URL that a client gave:
  ///     the proxy would decide which machine the request reaches.
  ///   - authorities: the PEM file of the certificate authorities to trust, or `nil` for the file that `SSL_CERT_FILE`
  ///     names or, if that is not set, the system's.
  package init(
    _ method: String, _ url: String, headers: [(name: String, value: String)], body: [UInt8]?, limit: Int = 64 << 10,
    usesProxy: Bool = false, trusting authorities: String? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    responseLimit = limit
    self.usesProxy = usesProxy
    self.authorities = authorities ?? Self.ownAuthorities
  }

  /// A mail.
  init(mail: Envelope, _ url: String, body: [UInt8]) {
    self.init("", url, headers: [], body: body)
    self.mail = mail
  }
}

/// The end of a request.
package enum OutgoingResult: Sendable, Equatable {
  /// - Parameters:
  ///   - body: as much as was read; of a mail server, the last line that it said.
  ///   - retryAfter: how long the server asks to wait.
  case response(status: Int, body: [UInt8] = [], isCut: Bool = false, retryAfter: Duration? = nil)
  /// No whole response came, for this reason.
  case noResponse(reason: String)
  /// The same, after the request was sent: the server may have done what it asked for.
  case lost(reason: String)
  /// The task was cancelled.
  case interrupted

  /// How long the server asks to wait (RFC 9110, section 10.2.3), or `nil` if it does not.
  package var retryAfter: Duration? { if case .response(_, _, _, let requested) = self { requested } else { nil } }

  /// The beginning of what the server said, on one line; or `nil` if it said nothing.
  var words: String? {
    guard case .response(_, let body, _, _) = self else { return nil }
    let text = (try? JSON(parsing: body))?.text("error") ?? String(decoding: body.prefix(1000), as: UTF8.self)
    let words = text.onOneLine.split(separator: " ")
    return words.isEmpty ? nil : words.joined(separator: " ").prefix(characters: 200)
  }
}

extension OutgoingResult {
  /// The same with what the server said.
  var said: String { "\(self)" + (words.map { ", and said: \($0)" } ?? "") }
}

extension OutgoingResult: CustomStringConvertible {
  /// To follow the word "callback …:" in a log.
  package var description: String {
    switch self {
    case .response(let status, _, _, nil): "responded \(status)"
    case .response(let status, _, _, let pause?):
      "responded \(status) and asked to wait \(pause.components.seconds) s"
    case .noResponse(let reason), .lost(let reason): reason
    case .interrupted: "interrupted because the server stopped"
    }
  }
}

/// libcurl, opened when it is first needed.
package enum Curl {
  /// Its functions, or why it cannot be opened. They are only written here, once.
  private static let opened: Result<ccurl, PlainError> = {
    // All of its fields are written, or the result is not used.
    let library = UnsafeMutablePointer<ccurl>.allocate(capacity: 1)
    defer { library.deallocate() }
    if let problem = ccurl_open(library) {
      let detail = String(cString: problem)
      return .failure(PlainError("libcurl is missing (\(detail)); install Debian’s package libcurl4"))
    }
    guard library.pointee.curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else {
      return .failure(PlainError("libcurl cannot be set up; see that the machine has memory left"))
    }
    return .success(library.pointee)
  }()

  /// - Throws: if it is missing, with the remedy.
  package static func open() throws(PlainError) { _ = try opened.get() }

  /// For those that have a transfer: libcurl is open then.
  fileprivate static var library: ccurl {
    guard case .success(let library) = opened else { preconditionFailure("libcurl was never opened") }
    return library
  }
}

extension OutgoingRequest {
  /// Sends it, on a thread of its own, and returns when the response is there, or none will come. A cancelled task
  /// interrupts it.
  ///
  /// - Parameter timeout: from its first step to its response's end.
  package func send(within timeout: Duration) async -> OutgoingResult {
    do throws(PlainError) { try Curl.open() } catch { return .noResponse(reason: error.description) }
    guard let transfer = CurlTransfer(self, timeout: timeout) else {
      return .noResponse(reason: "libcurl has no memory left")
    }
    return await OwnThread.result(wakingBy: transfer.wake, of: transfer.perform)
  }
}

/// One request on its way: a libcurl handle that is set up to send this request and do nothing else.
private final class CurlTransfer: @unchecked Sendable {
  // Sendable by proof: one task makes it and gives it to one thread. From then on only that thread uses it, except
  // that any thread may call `wake`, which only uses `curl_multi_wakeup`.
  private let request: OutgoingRequest
  private let handle: UnsafeMutableRawPointer
  /// libcurl's set of transfers, which has only this one: `curl_multi_wakeup` may be called from any thread.
  private let multi: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var recipients: UnsafeMutablePointer<curl_slist>?
  /// The rest of a mail that is still to be sent.
  private var unsent: ArraySlice<UInt8> = []
  /// Bytes of the response so far, its head included.
  private var received = 0
  /// The part of the response's body that has come so far.
  private var body: [UInt8] = []
  /// True if the response's head was complete before the limit was reached.
  private var hasHead = false
  /// The buffer for libcurl's details of an error.
  private let complaint = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// - Returns: `nil` if libcurl has no memory for it, or rejects the URL.
  init?(_ request: OutgoingRequest, timeout: Duration) {
    guard let handle = Curl.library.curl_easy_init(), let multi = Curl.library.curl_multi_init() else { return nil }
    self.handle = handle
    self.multi = multi
    self.request = request
    complaint.pointee = 0
    for (name, value) in request.headers + [("Expect", "")] {
      // A header without a value takes libcurl's own away: nobody waits for “100 Continue”.
      headers = Curl.library.curl_slist_append(headers, value.isEmpty ? "\(name):" : "\(name): \(value)") ?? headers
    }
    guard set(timeout) == CURLE_OK else { return nil }
  }

  deinit {
    _ = Curl.library.curl_multi_cleanup(multi)
    Curl.library.curl_easy_cleanup(handle)
    Curl.library.curl_slist_free_all(headers)
    Curl.library.curl_slist_free_all(recipients)
    complaint.deallocate()
  }

  private func set(_ timeout: Duration) -> CURLcode {
    var settings: [CURLcode] = [
      ccurl_set_text(handle, CURLOPT_URL, request.url),
      ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, request.mail == nil ? "http,https" : "smtp,smtps"),
      ccurl_set_long(handle, CURLOPT_PATH_AS_IS, 1),
      ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0),
      ccurl_set_error_buffer(handle, complaint),
      ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(timeout / .milliseconds(1))),
      // No signals in a process of many threads; a name is looked up on a thread of its own, which the end of a transfer
      // does not wait for.
      ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1),
      ccurl_set_long(handle, CURLOPT_QUICK_EXIT, 1),
      // Name the type: under ThreadSanitizer, a closure that says `Self` cannot become a C function.
      ccurl_set_receivers(
        handle, { CurlTransfer.receive($0, $1 * $2, $3) }, { CurlTransfer.receive($0, $1 * $2, $3, isBody: true) },
        Unmanaged.passUnretained(self).toOpaque()),
    ]
    if let mail = request.mail {
      settings += set(mail, timeout)
      unsent = request.body?[...] ?? []
    } else {
      settings.append(ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method))
      settings.append(ccurl_set_list(handle, CURLOPT_HTTPHEADER, headers))
    }
    if request.mail == nil, let body = request.body {
      settings.append(ccurl_set_long(handle, CURLOPT_POST, 1))
      settings.append(ccurl_set_body(handle, body, body.count))
    }
    if !request.usesProxy { settings.append(ccurl_set_text(handle, CURLOPT_PROXY, "")) }
    if let file = request.authorities { settings.append(ccurl_set_text(handle, CURLOPT_CAINFO, file)) }
    return settings.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  private func set(_ mail: OutgoingRequest.Envelope, _ timeout: Duration) -> [CURLcode] {
    recipients = Curl.library.curl_slist_append(nil, "<\(mail.to)>")
    let login = [(CURLOPT_USERNAME, mail.user), (CURLOPT_PASSWORD, mail.password)]
    return [
      ccurl_set_text(handle, CURLOPT_MAIL_FROM, "<\(mail.from)>"),
      ccurl_set_list(handle, CURLOPT_MAIL_RCPT, recipients),
      ccurl_set_needs_tls(handle, mail.needsTLS),
      ccurl_set_long(handle, CURLOPT_UPLOAD, 1),
      // A connection that is kept would be closed in `deinit`, on one of the few threads that Swift's tasks share; and
      // libcurl waits for the reply to QUIT, which no other limit ends: two minutes, unless it is told otherwise.
      ccurl_set_long(handle, CURLOPT_FORBID_REUSE, 1),
      ccurl_set_long(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, Int(timeout / .seconds(1)))),
      ccurl_set_sender(
        handle, { CurlTransfer.read(into: $0, $1 * $2, $3) }, Unmanaged.passUnretained(self).toOpaque()),
    ] + login.map { option, text in text.map { ccurl_set_text(handle, option, $0) } ?? CURLE_OK }
  }

  private static func read(into bytes: UnsafeMutablePointer<CChar>, _ room: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
  {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let part = transfer.unsent.prefix(room)
    for (index, byte) in part.enumerated() { bytes[index] = CChar(bitPattern: byte) }
    transfer.unsent = transfer.unsent.dropFirst(part.count)
    return part.count
  }

  private static func receive(
    _ bytes: UnsafeMutablePointer<CChar>, _ count: Int, _ context: UnsafeMutableRawPointer?, isBody: Bool = false
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    transfer.received += count
    transfer.hasHead = isBody
    guard transfer.received <= transfer.request.responseLimit else { return 0 }
    guard isBody || transfer.request.mail != nil else { return count }
    let part = Array(UnsafeRawBufferPointer(start: bytes, count: count))
    if isBody {
      transfer.body += part
      transfer.request.received(part)
    } else if !part.starts(with: Array("221".utf8)) {
      // What a mail server says to QUIT says nothing of the mail.
      transfer.body = Array(part.prefix { $0 != 13 && $0 != 10 })
    }
    return count
  }

  /// Has `perform` look whether it is cancelled.
  @Sendable func wake() { _ = Curl.library.curl_multi_wakeup(multi) }

  /// Waits until it has ended, or is cancelled.
  @Sendable func perform(isCancelled: () -> Bool) -> OutgoingResult {
    let curl = Curl.library
    // A peer that closes while OpenSSL writes must not end the process.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    var (running, code): (Int32, CURLcode) = (0, CURLE_OK)
    guard curl.curl_multi_add_handle(multi, handle) == CURLM_OK else {
      return .noResponse(reason: "libcurl has no memory left")
    }
    defer { _ = curl.curl_multi_remove_handle(multi, handle) }
    while !isCancelled() {
      _ = curl.curl_multi_perform(multi, &running)
      if ccurl_next_ended(multi, &code) != nil { return result(endedWith: code) }
      _ = curl.curl_multi_poll(multi, nil, 0, 60_000, nil)
    }
    return .interrupted
  }

  /// The result that libcurl's end of the transfer means.
  private func result(endedWith code: CURLcode) -> OutgoingResult {
    let status = ccurl_long(handle, CURLINFO_RESPONSE_CODE)
    let isCut = code == CURLE_WRITE_ERROR && hasHead
    // A mail server refuses in the middle of the exchange, with a status.
    let isRefused = request.mail != nil && status >= 400
    guard code == CURLE_OK || isCut || isRefused, status >= 200 else {
      let reason = code == CURLE_OK ? "no response" : reason(of: code)
      return ccurl_long(handle, CURLINFO_REQUEST_SIZE) > 0 ? .lost(reason: reason) : .noResponse(reason: reason)
    }
    let pause = ccurl_offset(handle, CURLINFO_RETRY_AFTER)
    return .response(status: status, body: body, isCut: isCut, retryAfter: pause > 0 ? .seconds(pause) : nil)
  }

  private func reason(of code: CURLcode) -> String {
    let general = Curl.library.curl_easy_strerror(code).map { String(cString: $0) } ?? ""
    var words = complaint.pointee == 0 ? general : String(cString: complaint)
    let obstacle = ccurl_long(handle, CURLINFO_OS_ERRNO)
    // libcurl says the same twice here, and not why.
    if code == CURLE_WRITE_ERROR { return "the head of the response is longer than \(request.responseLimit) bytes" }
    if code == CURLE_COULDNT_CONNECT, obstacle != 0 { words = String(cString: strerror(CInt(obstacle))) }
    guard code == CURLE_PEER_FAILED_VERIFICATION else { return words }
    // OpenSSL's verdict (X509_V_ERR_*). libcurl compares the name before it asks for that, and leaves 1 here.
    let remedy =
      switch ccurl_long(handle, CURLINFO_SSL_VERIFYRESULT) {
      case 0, 1: "the certificate is for another name; use a name that it is for"
      case 9, 10: "the certificate is not valid today; renew it, or set this machine's clock"
      case 2, 18, 19, 20, 21:
        "the certificate's issuer is not trusted here; name its PEM file with \(request.authoritySettings)"
      default: nil as String?
      }
    return remedy.map { "\($0) (\(words))" } ?? words
  }
}
