/// How a server is set up. Every setting has the command line's default.
public struct Configuration: Sendable {
  /// An address or a host name to listen on.
  public var host = "127.0.0.1"
  /// 0: any free port.
  public var port = 8080
  /// Threads that serve requests; nil: as many as there are active cores.
  public var threads: Int?
  /// The folder of page templates; nil: found in the working directory or beside the executable.
  public var templates: String?
  /// The folder of static files; nil: found like the templates.
  public var `public`: String?
  /// Origins, such as `https://tools.example.com`, that may frame dialogs and post to this server.
  public var allowedOrigins: [Origin] = []

  public init() {}
}
