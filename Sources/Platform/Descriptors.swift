internal import Glibc

/// The descriptors of this process: open files, sockets and what the kernel treats like them.
package enum Descriptors {
  /// How many may be open.
  package static var limit: Int { Int(clamping: current.rlim_cur) }

  /// How many are open. Those with numbers beyond 4096, which hardly any program inherits, are not counted.
  package static var openCount: Int { (0..<Int32(clamping: min(limit, 4096))).count { fcntl($0, F_GETFD) >= 0 } }

  /// Allows this process as many as the system grants: the usual limit of 1024 is fewer than the connections that a
  /// server accepts.
  package static func raiseLimit() {
    var limit = current
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static var current: rlimit {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return limit
  }
}
