import Glibc

/// What came back.
struct Answer {
  let status: Int
  /// Names in lower case.
  let headers: [(name: Substring, value: Substring)]
  let body: [UInt8]

  func header(_ name: String) -> Substring? { headers.first { $0.name == name }?.value }
  var closes: Bool { header("connection") == "close" }
}

/// A blocking connection to this machine.
final class Connection {
  private let socket: Int32
  private var buffer: [UInt8] = []

  init?(port: Int) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return nil }
    // That a read waits at most.
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var now: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &now, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { return nil }
  }

  deinit { close(socket) }

  /// nil: no answer, or one without a length.
  func exchange(_ request: [UInt8]) -> Answer? {
    guard write(request) else { return nil }
    while true {
      if let answer = takeAnswer() { return answer }
      guard read() > 0 else { return nil }
    }
  }

  /// The statuses of everything that is answered until the server closes; nil: it does not.
  func statuses(after bytes: [UInt8]) -> [Int]? {
    // The server may refuse and close before it has read all.
    _ = write(bytes)
    // An end that comes together with bytes is only found by the server's next sweep: half a second in many cases.
    awaitAnswer(milliseconds: 5)
    shutdown(socket, Int32(SHUT_WR))
    var count = read()
    while count > 0 { count = read() }
    guard count == 0 || errno == ECONNRESET else { return nil }
    var statuses: [Int] = []
    while let answer = takeAnswer() { statuses.append(answer.status) }
    return statuses
  }

  private func awaitAnswer(milliseconds: Int32) {
    var readable = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    poll(&readable, 1, milliseconds)
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private func read() -> Int {
    var part = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &part, part.count, 0)
    if count > 0 { buffer += part[..<count] }
    return count
  }

  /// The first answer in what was read; nil: it is not all there.
  private func takeAnswer() -> Answer? {
    guard let end = headEnd else { return nil }
    let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
    let headers = lines.dropFirst().map { line -> (name: Substring, value: Substring) in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (Substring(parts[0].lowercased()), parts.count > 1 ? parts[1].drop { $0 == " " } : "")
    }
    let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
    guard buffer.count >= end + 4 + length,
      let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    let body = Array(buffer[(end + 4)..<(end + 4 + length)])
    buffer.removeSubrange(..<(end + 4 + length))
    return Answer(status: status, headers: headers, body: body)
  }

  private var headEnd: Int? { buffer.firstRange(of: Array("\r\n\r\n".utf8))?.lowerBound }
}
