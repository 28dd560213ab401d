import Glibc
import MicroHTTP

/// MicroHTTP by itself: documents from memory, and the valid verdict to every body, which nobody parses.
///
/// What OKCancel's verdict costs beyond this is parsing, judging and answering.
/// `MicroHTTPPeer PORT DIRECTORY`: documents as in ../microhttpd/server.c.
@main
struct MicroHTTPPeer {
  static func main() throws {
    let (port, directory) = (Int(CommandLine.arguments[1]) ?? 0, CommandLine.arguments[2])
    var router = Router()
    for path in ["/prompts/email", "/prompts/email/rules"] {
      let document = try Document(path, in: directory)
      let body = ConstantBody(bytes: document.body, type: document.type, headers: document.headers)
      router.on(.get, path) { .now(body.response(to: $0)) }
    }
    let verdict = Response(
      .ok, headers: try Document("/verdict", in: directory).allHeaders,
      body: .bytes(Array(#"{"isValid":true,"fields":{"email":{"isValid":true}}}"#.utf8))
    ).preparedOnce
    router.on(.post, "/validate/:name") { _ in .now(verdict) }
    let server = Server(configuration: .init(port: port, threads: 1), application: RoutedApplication(router))
    try server.start()
    while true { pause() }
  }
}

/// Headers, one a line, an empty line, a body.
struct Document {
  let allHeaders: [(name: String, value: String)]
  let body: [UInt8]

  init(_ path: String, in directory: String) throws {
    let name = String(path.map { $0 == "/" ? "," : $0 })
    guard let file = fopen("\(directory)/\(name)", "rb") else { throw CannotRead(name: name) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    let end = (1..<bytes.count).first { bytes[$0] == 10 && bytes[$0 - 1] == 10 } ?? bytes.count
    allHeaders = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n").compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
    body = Array(bytes.dropFirst(end + 1))
  }

  var type: String { allHeaders.first { $0.name == "Content-Type" }?.value ?? "text/plain" }

  /// Those that a `ConstantBody` does not make itself.
  var headers: [(name: String, value: String)] {
    allHeaders.filter { !["Content-Type", "Cache-Control", "ETag"].contains($0.name) && $0.value != "Accept-Encoding" }
  }
}

struct CannotRead: Error { let name: String }
