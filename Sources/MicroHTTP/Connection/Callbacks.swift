internal import CMicroHTTPD
internal import Glibc

/// The functions that libmicrohttpd calls, on its own threads.
///
/// Each connection owns one `Connection`, retained when it opens and released
/// when it closes; requests borrow it.
enum Callbacks {
  static func all(context: UnsafeMutableRawPointer) -> cmhd_callbacks {
    cmhd_callbacks(
      handle: { _, pointer, _, method, _, data, count, request in
        guard let pointer, let method, let count, let connection = request?.pointee else { return .NO }
        let part = count.pointee > 0 ? UnsafeRawBufferPointer(start: data, count: count.pointee) : nil
        count.pointee = 0
        return Callbacks.with(connection) {
          $0.advance(pointer, method: method, data: part)
        }
      },
      begin: { _, target, pointer in
        let context = cmhd_connection_info(pointer, .CONNECTION_INFO_SOCKET_CONTEXT)?
          .pointee.socket_context
        guard let context else { return nil }
        Callbacks.with(context) { $0.begin(target: UnsafeMutablePointer(mutating: target)) }
        return context
      },
      // Nothing is decoded here: a decoded NUL would cut the path short.
      unescape: { _, _, text in strlen(text) },
      finish: { _, _, request, _ in
        if let connection = request?.pointee { Callbacks.with(connection) { $0.finish() } }
      },
      notify: { core, pointer, context, code in
        guard let core, let pointer, let context else { return }
        if code == .CONNECTION_NOTIFY_STARTED {
          let core = Unmanaged<Core>.fromOpaque(core).takeUnretainedValue()
          let descriptor = cmhd_connection_info(pointer, .CONNECTION_INFO_CONNECTION_FD)?.pointee.connect_fd ?? -1
          let address = cmhd_connection_info(pointer, .CONNECTION_INFO_CLIENT_ADDRESS)?.pointee.client_addr
          let connection = Connection(
            core: core, descriptor: descriptor, peer: Callbacks.peer(at: address, isSecure: core.isSecure))
          if core.isSecure { connection.secure(pointer) }
          core.monitor.add(
            connection.phase, descriptor: descriptor, of: connection.peer.address, isTrusted: connection.isProxied)
          let opened = Unmanaged.passRetained(connection).toOpaque()
          context.pointee = opened
          let isClaimed = cmhd_claim(
            descriptor, core.isSecure,
            { context, buffer, room in
              Callbacks.with(context) { $0.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: room)) }
            }, opened)
          // What cannot be looked at is not read.
          if !isClaimed { shutdown(descriptor, Int32(SHUT_RDWR)) }
        } else if let opened = context.pointee {
          let connection = Unmanaged<Connection>.fromOpaque(opened).takeRetainedValue()
          context.pointee = nil
          connection.close()
        }
      },
      admit: { core, address, _ in
        guard let context = core, let address else { return .NO }
        let core = Unmanaged<Core>.fromOpaque(context).takeUnretainedValue()
        return core.admits(IPAddress(address)) ? .YES : .NO
      },
      context: context)
  }

  /// Borrows a connection, which its opening keeps until its end: nothing is counted up and down.
  private static func with<Result>(_ connection: UnsafeMutableRawPointer, _ body: (Connection) -> Result) -> Result {
    Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef(body)
  }

  private static func peer(at address: UnsafePointer<sockaddr>?, isSecure: Bool) -> Sender {
    guard let address else { return Sender(address: nil, addressText: "", isSecure: isSecure) }
    return Sender(address: IPAddress(address), addressText: text(of: address), isSecure: isSecure)
  }

  /// An address in numbers; an IPv4-mapped IPv6 address as IPv4.
  private static func text(of address: UnsafePointer<sockaddr>) -> String {
    let length =
      Int32(address.pointee.sa_family) == AF_INET6
      ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return "" }
    let name = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name
  }
}
