internal import Glibc
package import Platform
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

    private let make: @Sendable (_ cacheControl: String) -> ConstantBody
    private let bodies = Mutex<[String: ConstantBody]>([:])

    init(_ bytes: [UInt8], type: String, headers: [(name: String, value: String)]) {
      make = { ConstantBody(bytes: bytes, type: type, cacheControl: $0, headers: headers) }
      if bytes.count > Self.limit { _ = (checked, lasting) }
    }

    /// For browsers that ask before they use what they have.
    var checked: ConstantBody { body("no-cache") }
    /// The same, to be kept for a year.
    var lasting: ConstantBody { body("public, max-age=31536000, immutable") }

    private func body(_ cacheControl: String) -> ConstantBody {
      bodies.withLock { bodies in
        if let body = bodies[cacheControl] { return body }
        let body = make(cacheControl)
        bodies[cacheControl] = body
        return body
      }
    }
  }

  private let files: [String: File]
  /// The prefix that pages put before a path so that browsers keep the file: `/files/1f3k9x2/`. It changes with any of
  /// the files.
  package let lastingPrefix: String

  /// - Parameters:
  ///   - files: bytes by path, `embed/frame.js`.
  ///   - directory: its files replace those given of the same path; `nil` if there is none.
  ///   - prefix: what the paths begin with, a slash at its end.
  ///   - fileLimit: bytes of one file.
  ///   - headers: more headers, for each response with the file at a path.
  package init(
    _ files: [String: [UInt8]] = [:], directory: String?, prefix: String = "/", fileLimit: Int = 16 << 20,
    headers: (_ path: String) -> [(name: String, value: String)] = { _ in [] }
  ) throws(PlainError) {
    var files = files
    if let directory { files.merge(try Self.files(in: directory, limit: fileLimit)) { $1 } }
    self.files = Dictionary(
      uniqueKeysWithValues: files.map { path, bytes in
        (prefix + path, File(bytes, type: MediaType.ofFile(named: path), headers: headers(path)))
      })
    var all: [UInt8] = []
    for (path, bytes) in files.sorted(by: { $0.key < $1.key }) { all += Array(path.utf8) + [0] + bytes }
    lastingPrefix = Self.versioned + EntityTag.hash(of: all) + "/"
  }

  private static let versioned = "/files/"

  /// The body at a path, with or without a version hash before it. An outdated hash gets the current bytes, which
  /// browsers must revalidate.
  private func body(at path: String) -> ConstantBody? {
    if let file = files[path] { return file.checked }
    guard path.hasPrefix(Self.versioned) else { return nil }
    if path.hasPrefix(lastingPrefix) { return files["/" + path.dropFirst(lastingPrefix.count)]?.lasting }
    return path.dropFirst(Self.versioned.count).firstIndex(of: "/").flatMap {
      files[String(path[$0...])]?.checked
    }
  }

  /// The files of a directory and those below it, by path.
  private static func files(in directory: String, limit: Int) throws(PlainError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    var waiting = [""]
    while let folder = waiting.popLast() {
      for name in try names(in: folder.isEmpty ? directory : "\(directory)/\(folder)") {
        let path = folder + name
        do throws(RegularFile.ReadError) {
          files[path] = try RegularFile("\(directory)/\(path)", first: limit + 1, followingLink: false).bytes
        } catch {
          switch error {
          case .irregular(S_IFDIR): waiting.append("\(path)/")
          // A symbolic link, or a socket.
          case .irregular, .system(ELOOP), .system(ENXIO): break
          case .system(let code): throw unreadable("\(directory)/\(path)", code)
          }
        }
        if files[path]?.count ?? 0 > limit {
          throw PlainError("\(directory)/\(path) is larger than \(limit) bytes, too large to serve from memory.")
        }
      }
    }
    return files
  }

  /// The paths that are served, sorted.
  package var paths: [String] { files.keys.sorted() }

  package func hasFile(at path: String) -> Bool { body(at: path) != nil }

  /// Replies to `GET` and `HEAD` of a file and to `OPTIONS`; `nil` if no file has this path.
  ///
  /// - Throws: `methodNotAllowed` for other methods.
  package func reply(to request: Request) throws -> Reply? {
    guard let body = body(at: request.path) else { return nil }
    guard request.isRead else {
      return try Handler.methods([.get, .head, .options]).reply(request)
    }
    return .now(body.response(to: request))
  }

  private static func names(in directory: String) throws(PlainError) -> [String] {
    guard let stream = opendir(directory) else { throw unreadable(directory, errno) }
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

  private static func unreadable(_ path: String, _ code: Int32) -> PlainError {
    PlainError("\(path) cannot be read: \(String(cString: strerror(code))).")
  }
}

/// The media types of the files that a web page is made of.
enum MediaType {
  /// By the name's extension; `application/octet-stream` when it is not known.
  static func ofFile(named name: String) -> String {
    if name.hasSuffix(".schema.json") { return "application/schema+json" }
    let dot = name.lastIndex(of: ".").map(name.index(after:)) ?? name.endIndex
    return byExtension[name[dot...].lowercased()] ?? "application/octet-stream"
  }

  private static let byExtension = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "txt": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8",
    "ts": "text/plain; charset=utf-8", "json": "application/json", "map": "application/json",
    "webmanifest": "application/manifest+json", "wasm": "application/wasm", "svg": "image/svg+xml", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "ico": "image/vnd.microsoft.icon", "woff2": "font/woff2",
  ]
}
