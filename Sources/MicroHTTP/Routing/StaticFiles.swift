internal import Glibc
internal import Synchronization

/// Files served from memory: those given, and those of a directory, read once.
///
/// A path is looked up in a dictionary, so nothing outside the directory can be
/// reached. Files and directories whose names begin with a dot, and symbolic
/// links, are left out.
package struct StaticFiles: Sendable {
  /// A file and its bodies, each made when it is first requested: to compress all of them would hold up the start.
  private final class File: Sendable {
    /// Bytes. Compressing more takes over ten milliseconds, so a bigger file is compressed before there are requests.
    private static let limit = 256 << 10

    private let bytes: [UInt8]
    private let type: String
    private let headers: [(name: String, value: String)]
    private let madeChecked = AtomicLazyReference<ConstantBody>()
    private let madeLasting = AtomicLazyReference<ConstantBody>()

    init(_ bytes: [UInt8], type: String, headers: [(name: String, value: String)]) {
      (self.bytes, self.type, self.headers) = (bytes, type, headers)
      if bytes.count > Self.limit { _ = (checked, lasting) }
    }

    /// For browsers that ask before they use what they have.
    var checked: ConstantBody { madeChecked.load() ?? madeChecked.storeIfNil(body("no-cache")) }

    /// The same, to be kept for a year.
    var lasting: ConstantBody {
      madeLasting.load() ?? madeLasting.storeIfNil(body("public, max-age=31536000, immutable"))
    }

    private func body(_ cacheControl: String) -> ConstantBody {
      ConstantBody(bytes: bytes, type: type, cacheControl: cacheControl, headers: headers)
    }
  }

  private let files: [String: File]
  /// What a page puts before a path, so that browsers keep the file: `/files/1f3k9x2/`. It changes with any of the files.
  package let lastingPrefix: String

  /// Why a directory could not be read.
  package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case tooLarge(path: String, limit: Int)

    package var description: String {
      switch self {
      case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
      case .tooLarge(let path, let limit):
        "\(path) is larger than \(limit) bytes, too large to serve from memory."
      }
    }
  }

  /// - Parameters:
  ///   - files: bytes by path, `embed/frame.js`.
  ///   - directory: its files replace those given of the same path; `nil` if there is none.
  ///   - prefix: what the paths begin with, a slash at its end.
  ///   - fileLimit: bytes of one file.
  ///   - headers: more headers, for each response.
  package init(
    _ files: [String: [UInt8]] = [:], directory: String?, prefix: String = "/", fileLimit: Int = 16 << 20,
    headers: [(name: String, value: String)] = []
  ) throws(Fault) {
    var files = files
    if let directory { files.merge(try Self.files(in: directory, limit: fileLimit)) { $1 } }
    self.files = Dictionary(
      uniqueKeysWithValues: files.map { path, bytes in
        (prefix + path, File(bytes, type: MediaType.ofFile(named: path), headers: headers))
      })
    var all: [UInt8] = []
    for (path, bytes) in files.sorted(by: { $0.key < $1.key }) { all += Array(path.utf8) + [0] + bytes }
    lastingPrefix = Self.versioned + EntityTag(of: all).text.filter { $0 != "\"" } + "/"
  }

  private static let versioned = "/files/"

  /// The body at a path, with or without a hash before it; one that is not today's gets today's bytes, not to be kept.
  private func body(at path: String) -> ConstantBody? {
    if let file = files[path] { return file.checked }
    guard path.hasPrefix(Self.versioned) else { return nil }
    if path.hasPrefix(lastingPrefix) { return files["/" + path.dropFirst(lastingPrefix.count)]?.lasting }
    return path.dropFirst(Self.versioned.count).firstIndex(of: "/").flatMap { files[String(path[$0...])]?.checked }
  }

  /// The files of a directory and those below it, by path.
  private static func files(in directory: String, limit: Int) throws(Fault) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    var waiting = [""]
    while let folder = waiting.popLast() {
      for name in try names(in: folder.isEmpty ? directory : "\(directory)/\(folder)") {
        let path = folder + name
        switch try kind(of: "\(directory)/\(path)") {
        case S_IFDIR: waiting.append("\(path)/")
        case S_IFREG: files[path] = try read("\(directory)/\(path)", limit: limit)
        default: break
        }
      }
    }
    return files
  }

  /// The paths that are served, sorted.
  package var paths: [String] { files.keys.sorted() }

  /// Replies to `GET` and `HEAD` of a file and to `OPTIONS`; `nil` if no file has this path.
  ///
  /// - Throws: `methodNotAllowed` for other methods.
  package func reply(to request: Request) throws -> Reply? {
    guard let body = body(at: request.path) else { return nil }
    guard request.method == .get || request.method == .head else {
      return try Handler.methods([.get, .head, .options]).reply(request)
    }
    return .now(body.response(to: request))
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

/// The media types of the files that a web page is made of.
enum MediaType {
  /// By the name's extension; `application/octet-stream` when it is not known.
  static func ofFile(named name: String) -> String {
    if name.hasSuffix(".schema.json") { return "application/schema+json" }
    guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
    return switch name[name.index(after: dot)...].lowercased() {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "json", "map": "application/json"
    case "txt", "md", "ts": "text/plain; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "ico": "image/vnd.microsoft.icon"
    case "woff2": "font/woff2"
    case "webmanifest": "application/manifest+json"
    case "wasm": "application/wasm"
    default: "application/octet-stream"
    }
  }
}
