import CMicroHTTPD  // Its headers may be those that have SOCK_STREAM.
import Dispatch
import Glibc

/// A client that sends exactly the bytes it is given.
final class RawClient: @unchecked Sendable {
  // Sendable by proof: each client is used by one test, one call after the other.
  private let descriptor: Int32
  private var received: [UInt8] = []

  struct Failure: Error { let call: String, code: Int32 }

  /// - Parameter room: bytes that the kernel keeps of what was not read; nil: as ever.
  init(port: Int, room: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var room { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    // A test that waits for what never comes fails instead of hanging.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Failure(call: "connect", code: errno) }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Failure(call: "send", code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends a byte every 20 milliseconds until something comes or the server closes.
  func drip(_ text: String) throws {
    for byte in text.utf8.cycled {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, 20) != 0 { return }
      // A connection that was closed meanwhile is found so by the next poll.
      _ = try? send([byte])
    }
  }

  /// True when bytes or the end have come.
  var hasNews: Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) != 0
  }

  /// Says that nothing more will be sent.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes with a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  struct Answer {
    let status: Int
    let head: String
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
      head.split(separator: "\r\n").dropFirst().first {
        $0.lowercased().hasPrefix(name.lowercased() + ":")
      }.map { line in
        String(line.dropFirst(name.count + 1).drop { $0 == " " })
      }
    }
  }

  /// Sends these bytes and reads one response.
  func answer(to text: String, hasBody: Bool = true) throws -> Answer {
    try send(text)
    return try answer(hasBody: hasBody)
  }

  /// Reads one response.
  ///
  /// - Parameter hasBody: false for the answer to HEAD, whose length announces no bytes.
  func answer(hasBody: Bool = true) throws -> Answer {
    while place(of: "\r\n\r\n") == nil {
      guard try fill() else { throw Failure(call: "closed before an answer", code: 0) }
    }
    let end = place(of: "\r\n\r\n")!
    let head = String(decoding: received[..<end], as: UTF8.self)
    received.removeFirst(end + 4)
    let empty = Answer(status: Int(head.split(separator: " ")[1])!, head: head, body: [])
    let count = hasBody ? empty.header("Content-Length").flatMap { Int($0) } ?? 0 : 0
    while received.count < count {
      guard try fill() else { throw Failure(call: "closed within a body", code: 0) }
    }
    defer { received.removeFirst(count) }
    return Answer(status: empty.status, head: head, body: Array(received.prefix(count)))
  }

  /// Reads the next chunk of a body that was answered in chunks; empty at its end.
  func chunk() throws -> [UInt8] {
    while place(of: "\r\n") == nil {
      guard try fill() else { throw Failure(call: "closed within a chunk", code: 0) }
    }
    let end = place(of: "\r\n")!, start = end + 2
    let size = Int(String(decoding: received[..<end], as: UTF8.self), radix: 16)!
    while received.count < start + size + 2 {
      guard try fill() else { throw Failure(call: "closed within a chunk", code: 0) }
    }
    defer { received.removeFirst(start + size + 2) }
    return Array(received[start..<start + size])
  }

  /// Reads the chunks that are left.
  func chunks() throws -> String {
    var bytes: [UInt8] = []
    while case let chunk = try chunk(), !chunk.isEmpty { bytes += chunk }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the chunks that are left, and says how many bytes they have.
  func chunkBytes() throws -> Int {
    var count = 0
    while case let chunk = try chunk(), !chunk.isEmpty { count += chunk.count }
    return count
  }

  /// Reads what a task of this process writes, on none of the threads that tasks share.
  func later<Result: Sendable>(_ read: @escaping @Sendable (RawClient) throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Swift.Result { try read(self) }) }
    }
  }

  /// What comes until the server closes.
  func rest() throws -> String {
    while try fill() {}
    defer { received = [] }
    return String(decoding: received, as: UTF8.self)
  }

  /// The same, for an answer that a task of this process works on: the wait
  /// takes none of the threads that tasks share.
  func laterAnswer() async throws -> Answer { try await later { try $0.answer() } }

  /// True when the server closes without sending anything more.
  func isClosed() throws -> Bool { try received.isEmpty && !fill() }

  private func place(of mark: String) -> Int? { received.firstRange(of: Array(mark.utf8))?.lowerBound }

  private func fill() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw Failure(call: "recv", code: errno) }
    received += buffer[..<count]
    return count > 0
  }
}

extension Collection {
  /// This collection again and again.
  fileprivate var cycled: some Sequence<Element> {
    sequence(state: makeIterator()) { rest -> Element? in
      if let next = rest.next() { return next }
      rest = makeIterator()
      return rest.next()
    }
  }
}
