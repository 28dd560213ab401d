internal import Glibc

/// The files and sockets that this process may have open.
enum OpenFiles {
  /// Takes as many as are granted: the usual first limit of 1024 is fewer than the connections a server takes.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
