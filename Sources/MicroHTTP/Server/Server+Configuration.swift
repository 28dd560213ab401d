internal import CMicroHTTPD
internal import Glibc

package extension Server {
  /// The configuration of a server: its address, its limits and its deadlines.
  struct Configuration: Sendable {
    /// An address, or a name that resolves to one. `::` is every address, IPv4 included.
    var host: String
    /// 0 for any free one.
    var port: Int
    /// The descriptor of a socket to take instead of `host` and `port`: TCP, listening, and the server's own from its
    /// start; `nil` to make one.
    package var listeningSocket: Int32?
    /// Threads that handle requests; the default is one for each processor.
    var threads: Int
    let headLimits = HeadReader.Limits()
    /// Connections at a time; more wait to be accepted. If more than three quarters of them are open, those whose peers
    /// have owed a request, or the rest of one, for the longest end.
    package var connectionLimit = 16_384
    /// Connections at a time from one address (for IPv6, from one /64 network); more are closed at once.
    /// Trusted proxies and clients on this machine may have any number.
    package var connectionLimitPerClient = 1024
    /// Sockets that are read to their end after their connections; beyond that, they are closed at once.
    package var lingeringLimit = 256
    /// The number of bytes that may wait for all peers together to read them; beyond that, the peers that have not read
    /// for the longest are cut off.
    var unreadLimit = 64 << 20
    /// The same for one address (for IPv6, one /64 network). Trusted proxies may leave any number.
    var unreadLimitPerClient = 4 << 20
    var deadlines = Deadlines()
    /// The certificate and key for HTTPS, or `nil` to speak HTTP.
    package var tls: TLS?

    /// A prefix of paths, `/ask`, that is removed before requests are handled; empty for none.
    package var basePath = ""
    /// Peers that are believed about their clients.
    package var trustedProxies = TrustedProxies()

    package init(host: String = "127.0.0.1", port: Int = 8080, threads: Int? = nil) {
      self.host = host
      self.port = port
      self.threads = threads ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// Bytes of memory that libmicrohttpd takes for each connection. It clears them for every request, so more than the
    /// limits ask for costs time.
    var connectionMemory: Int {
      // Its record of one header, rounded up to its alignment.
      let records = 64 * headLimits.headers
      let responseHead = 4 * 1024
      return headLimits.bytes + records + responseHead
    }
  }

  /// The reason a server could not start.
  enum StartError: Error, Hashable, Sendable, CustomStringConvertible {
    case host(String, reason: String)
    case port(Int)
    case addressInUse(host: String, port: Int)
    case notPermitted(host: String, port: Int)
    /// The socket that was passed cannot be used.
    case passedSocket(Int32, reason: String)
    /// A certificate or a key cannot be used; the reason, as a sentence without its full stop.
    case tls(String)
    /// The system grants too few threads; the limits that count them.
    case threads(limits: [String])
    /// The system lets this process open too few files and sockets; it needs so many.
    case descriptors(limit: Int, needed: Int)
    case noProc
    /// A call to the system failed with this `errno`.
    case system(String, code: Int32)
    /// A server starts once.
    case startedBefore

    package var description: String {
      switch self {
      case .host(let host, let reason):
        "The server cannot listen on the host “\(host)”: \(reason); give an address of this machine, like 127.0.0.1."
      case .port(let port): "\(port) is not a port; give 0 to 65535."
      case .addressInUse(let host, let port):
        "Port \(port) on \(host) is in use; stop the program that has it or give another port."
      case .notPermitted(let host, let port):
        "Listening on port \(port) of \(host) is not permitted; ports from 1024 are."
      case .passedSocket(let descriptor, let reason):
        "The server cannot listen on the descriptor \(descriptor) that was passed to it: \(reason)."
      case .tls(let why): "The server cannot speak TLS: \(why)."
      case .threads(let limits):
        "The system grants this process too few threads"
          + (limits.isEmpty ? "" : ": " + limits.joined(separator: ", ")) + "; raise that limit."
      case .descriptors(let limit, let needed):
        """
        The system lets this process open too few files and sockets: RLIMIT_NOFILE (ulimit -n, LimitNOFILE=) is \
        \(limit); raise it to \(needed).
        """
      case .noProc: "/proc is missing, and nothing here works without it; mount it."
      case .system(let call, let code): "The server could not start: \(call): \(String(cString: strerror(code)))."
      case .startedBefore: "This server was started before."
      }
    }
  }
}

package extension Server {
  /// The port that it listens on, or `nil` before `start` and after the end.
  var port: Int? { running?.socket.port }

  /// The address, or the name, that it listens on, or `nil` as `port`.
  var host: String? { running?.socket.host }

  /// The version of libmicrohttpd that was loaded, like `0.9.75`: an update of the system replaces it.
  static var libraryVersion: String { String(cString: MHD_get_version()) }
}
