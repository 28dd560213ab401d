internal import CMicroHTTPD
internal import Glibc

// Unsafe, because libmicrohttpd passes pointers that are valid only until the callback returns. This file turns
// them into spans at once. It borrows each `Unmanaged` connection, which lives from its opening to its close.

/// The functions that libmicrohttpd calls, on its own threads.
///
/// Each connection owns one `Connection`, retained when it opens and released when it closes; requests borrow it.
enum Callbacks {
  static func all(context: UnsafeMutableRawPointer) -> cmhd_callbacks {
    cmhd_callbacks(
      handle: { _, _, _, method, _, data, count, request in
        guard let method, let count, let connection = request?.pointee else { return .NO }
        defer { count.pointee = 0 }
        return Callbacks.with(connection) { connection in
          Callbacks.withBytes(data, count.pointee) { connection.advance(method: method, data: $0) }
        }
      },
      begin: { _, target, pointer in
        let context = cmhd_connection_info(pointer, .CONNECTION_INFO_SOCKET_CONTEXT)?.pointee.socket_context
        guard let context else { return nil }
        Callbacks.with(context) { connection in
          Callbacks.withBytes(target, strlen(target)) { connection.begin(target: $0) }
        }
        // libmicrohttpd would split the query into arguments, each of which takes memory from the connection; an empty
        // query spares that.
        if let query = strchr(target, Int32(UInt8(ascii: "?"))) { query[1] = 0 }
        return context
      },
      // Nothing is decoded here: a decoded NUL would cut the path short.
      unescape: { _, _, text in strlen(text) },
      finish: { _, _, request, code in
        guard let connection = request?.pointee else { return }
        Callbacks.with(connection) { $0.finish(isWritten: code == .REQUEST_TERMINATED_COMPLETED_OK) }
      },
      notify: { core, pointer, context, code in
        guard let core, let pointer, let context else { return }
        if code == .CONNECTION_NOTIFY_STARTED {
          context.pointee = Callbacks.open(pointer, Unmanaged<Core>.fromOpaque(core).takeUnretainedValue())
        } else if let opened = context.pointee {
          let connection = Unmanaged<Connection>.fromOpaque(opened).takeRetainedValue()
          context.pointee = nil
          connection.close()
        }
      },
      admit: { core, address, _ in
        guard let core, let address else { return .NO }
        return Unmanaged<Core>.fromOpaque(core).takeUnretainedValue().admits(SocketAddress(address).ip) ? .YES : .NO
      },
      context: context)
  }

  /// - Returns: the new connection, for its close to release.
  private static func open(_ pointer: OpaquePointer, _ core: Core) -> UnsafeMutableRawPointer {
    let descriptor = cmhd_connection_info(pointer, .CONNECTION_INFO_CONNECTION_FD)?.pointee.connect_fd ?? -1
    let address = cmhd_connection_info(pointer, .CONNECTION_INFO_CLIENT_ADDRESS)?.pointee.client_addr
    let peer = Sender(address: address.map { SocketAddress($0) }, isSecure: core.isSecure)
    let connection = core.accept(pointer, descriptor, from: peer)
    let opened = Unmanaged.passRetained(connection).toOpaque()
    let isClaimed = cmhd_claim(
      descriptor, core.isSecure,
      { context, buffer, room in
        var room = UnsafeMutableBufferPointer(start: buffer.assumingMemoryBound(to: UInt8.self), count: room)
          .mutableSpan
        return Callbacks.with(context) { $0.read(into: &room) }
      }, opened)
    // `HeadReader` could not check what is read from this socket, so it is shut down.
    if !isClaimed { shutdown(descriptor, Int32(SHUT_RDWR)) }
    return opened
  }

  /// Lends a connection, which its opening keeps until its end, without counting a reference.
  private static func with<Result>(_ connection: UnsafeMutableRawPointer, _ body: (Connection) -> Result) -> Result {
    Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef(body)
  }

  fileprivate static func withBytes<Result>(
    _ start: UnsafePointer<CChar>?, _ count: Int, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    UnsafeRawBufferPointer(start: start, count: count).withMemoryRebound(to: UInt8.self) { body($0.span) }
  }
}

extension Request.Storage {
  /// Copies the request's headers, which `HeadReader` has checked, from libmicrohttpd's memory. Cookies are empty: nothing
  /// in this server reads them.
  func receiveFields(of connection: OpaquePointer) {
    fields.removeAll()
    MHD_get_connection_values_n(
      connection, .HEADER_KIND,
      { storage, _, name, nameCount, value, valueCount in
        guard let storage, let name else { return .NO }
        Unmanaged<Request.Storage>.fromOpaque(storage)._withUnsafeGuaranteedRef { storage in
          Callbacks.withBytes(name, nameCount) { name in
            Callbacks.withBytes(value, valueCount) { value in
              storage.fields.append(name: name, value: value.extracting(value.trimmed))
            }
          }
        }
        return .YES
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
