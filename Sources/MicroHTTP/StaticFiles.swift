internal import Glibc

/// The files of a directory, read once and served from memory.
///
/// A path is looked up in a dictionary, so nothing outside the directory can be
/// reached. Files and directories whose names begin with a dot, and symbolic
/// links, are left out.
public struct StaticFiles: Sendable {
  private let bodies: [String: ConstantBody]

  /// Why a directory could not be read.
  public enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case tooLarge(path: String, limit: Int)

    public var description: String {
      switch self {
      case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
      case .tooLarge(let path, let limit):
        "\(path) is larger than \(limit) bytes, too large to serve from memory."
      }
    }
  }

  /// - Parameters:
  ///   - prefix: what the paths begin with, a slash at its end.
  ///   - fileLimit: bytes of one file.
  ///   - headers: more headers, for each response.
  public init(
    directory: String, prefix: String = "/", cacheControl: String = "no-cache",
    fileLimit: Int = 16 << 20, headers: [(name: String, value: String)] = []
  ) throws(Fault) {
    var bodies: [String: ConstantBody] = [:]
    var waiting = [(directory: directory, prefix: prefix)]
    while let next = waiting.popLast() {
      for name in try Self.names(in: next.directory) {
        let file = "\(next.directory)/\(name)"
        switch try Self.kind(of: file) {
        case S_IFDIR: waiting.append((file, "\(next.prefix)\(name)/"))
        case S_IFREG:
          bodies[next.prefix + name] = ConstantBody(
            bytes: try Self.read(file, limit: fileLimit), type: MediaType.ofFile(named: name),
            cacheControl: cacheControl, headers: headers)
        default: break
        }
      }
    }
    self.bodies = bodies
  }

  /// The paths that are served, sorted.
  public var paths: [String] { bodies.keys.sorted() }

  /// Answers `GET` and `HEAD` of a file and `OPTIONS`; refuses other methods. Nil when no file has this path.
  public func reply(to request: Request) -> Reply? {
    guard let body = bodies[request.path] else { return nil }
    let allowed: [Method] = [.get, .head, .options]
    switch request.method {
    case .get, .head: return .now(body.response(to: request))
    case .options:
      return .now(Response(.noContent, headers: Refusal.methodNotAllowed(allowed: allowed).headers))
    default: return .refused(.methodNotAllowed(allowed: allowed))
    }
  }

  private static func names(in directory: String) throws(Fault) -> [String] {
    guard let stream = opendir(directory) else { throw unreadable(directory) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      if let name, !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func kind(of path: String) throws(Fault) -> mode_t {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw unreadable(path) }
    return status.st_mode & S_IFMT
  }

  private static func read(_ path: String, limit: Int) throws(Fault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw unreadable(path) }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { throw .tooLarge(path: path, limit: limit) }
    }
  }

  private static func unreadable(_ path: String) -> Fault {
    .unreadable(path: path, reason: String(cString: strerror(errno)))
  }
}
