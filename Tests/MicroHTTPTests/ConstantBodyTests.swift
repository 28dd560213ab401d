import Foundation
import TestSupport
import Testing

@testable import MicroHTTP

@Suite struct `A constant body` {
  static let text = String(repeating: "All work and no play. ", count: 100)
  static let body = ConstantBody(bytes: Array(text.utf8), type: "text/plain; charset=utf-8")
  static let small = ConstantBody(bytes: [1], type: "text/plain", version: "v1", headers: [("X-A", "b")])

  @Test func `is compressed for those who take it`() throws {
    let plain = Self.body.response(to: try Request(.get, "/"))
    #expect(plain.header("Content-Encoding") == nil)
    #expect(plain.header("Vary") == "Accept-Encoding")
    for accepted in ["gzip", "br, GZIP;q=0.1", "*"] {
      let gzipped = Self.body.response(to: try Request(.get, "/", headers: [("Accept-Encoding", accepted)]))
      #expect(gzipped.header("Content-Encoding") == "gzip")
      #expect(gzipped.header("ETag") != plain.header("ETag"))
      #expect(gzipped.body.count! < 200)
    }
    for refused in ["gzip;q=0", "identity", "gzip;q=0, *", "br", ""] {
      let response = Self.body.response(to: try Request(.get, "/", headers: [("Accept-Encoding", refused)]))
      #expect(response.header("Content-Encoding") == nil, "\(refused)")
    }
    #expect(
      Self.small.response(to: try Request(.get, "/", headers: [("Accept-Encoding", "gzip")])).header("Vary") == nil)
  }

  @Test(arguments: [
    ("\"v1\"", 304), ("W/\"v1\"", 304), ("\"v0\", \"v1\"", 304), ("*", 304), ("\"v0\" , W/\"v1\" ", 304),
    ("\"v0\"", 200), ("v1", 200), ("\"V1\"", 200), ("", 200),
  ])
  func `is not sent again to those who have it`(tag: String, status: Int) throws {
    let response = Self.small.response(to: try Request(.get, "/", headers: [("If-None-Match", tag)]))
    #expect(response.status.rawValue == status)
    #expect(response.header("ETag") == "\"v1\"")
    #expect(response.header("X-A") == "b")
    #expect(response.header("Cache-Control") == "no-cache")
    #expect((response.header("Content-Type") == nil) == (status == 304))
  }

  /// Promise 3.20
  @Test(arguments: [(19, 304), (20, 200), (1_900, 200)])
  func `is looked for among the first 20 tags that a request names`(others: Int, status: Int) throws {
    let tags = Array(repeating: #""a""#, count: others) + [#""v1""#]
    let inOne = [("If-None-Match", tags.joined(separator: ","))]
    for headers in [inOne, tags.prefix(50).map { ("If-None-Match", $0) }] where headers.count == 1 || others < 50 {
      #expect(Self.small.response(to: try Request(.get, "/", headers: headers)).status.rawValue == status)
    }
  }

  @Test func `has a tag that changes with it`() {
    let tags = ["", "a", "b", "ab", "ba"].map { ConstantBody(bytes: Array($0.utf8), type: "a/b").entityTag }
    #expect(Set(tags).count == 5)
  }

  @Test func `goes over the wire whole`() throws {
    let running = try RunningServer { router in
      router.on(.get, "/") { .now(Self.body.response(to: $0)) }
      router.on(.get, "/more") {
        var response = Self.body.response(to: $0)
        response.headers.append(("X-More", "1"))
        return .now(response)
      }
    }
    let client = try running.client()
    for path in ["/", "/more", "/"] {
      let answer = try client.answer(to: get(path))
      #expect(answer.text == Self.text)
      #expect(answer.header("X-More") == (path == "/" ? nil : "1"))
    }
    try client.send("GET / HTTP/1.1\r\nHost: x\r\nIf-None-Match: \(Self.body.entityTag)\r\n\r\n")
    #expect(try client.answer(hasBody: false).status == 304)
    let gzipped = try client.answer(to: "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n")
    #expect(gzipped.header("Content-Encoding") == "gzip")
    #expect(try Gunzip.bytes(gzipped.body) == Array(Self.text.utf8))
  }
}

/// Unpacks with the system's gzip, which shares no code with this module.
enum Gunzip {
  static func bytes(_ packed: [UInt8]) throws -> [UInt8] {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data(packed))
    try input.fileHandleForWriting.close()
    let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    return bytes
  }
}

@Suite struct `Static files` {
  @Test func `are served with their type and tag`() throws {
    let folder = try TemporaryDirectory(["a.js": "export {}", ".hidden": "no", "none": "x", "empty.txt": ""])
    try FileManager.default.createDirectory(atPath: folder.file("embed"), withIntermediateDirectories: false)
    try folder.write(Data("p {}".utf8), to: "embed/b.css")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "/etc/passwd")
    let files = try StaticFiles(directory: folder.path)
    #expect(files.paths == ["/a.js", "/embed/b.css", "/empty.txt", "/none"])
    let running = try RunningServer { router in
      for path in files.paths {
        router.on(.get, path) { try files.reply(to: $0) ?? RoutedApplication(Router()).handler(for: $0).reply($0) }
      }
    }
    for (path, status, type) in [
      ("/a.js", 200, "text/javascript; charset=utf-8"), ("/embed/b.css", 200, "text/css; charset=utf-8"),
      ("/none", 200, "application/octet-stream"), ("/empty.txt", 200, "text/plain; charset=utf-8"),
      ("/.hidden", 404, nil), ("/link", 404, nil), ("/embed", 404, nil), ("/embed/", 404, nil),
      ("/../etc/passwd", 400, nil), ("/%2e%2e/etc/passwd", 400, nil), ("/embed/../a.js", 400, nil),
      ("/..%2fetc/passwd", 400, nil), ("//etc/passwd", 404, nil), ("/a.js%00.css", 400, nil), ("/A.js", 404, nil),
    ] as [(String, Int, String?)] {
      let answer = try running.answer(to: get(path))
      #expect(answer.status == status, "\(path)")
      if let type { #expect(answer.header("Content-Type") == type) }
    }
    #expect(try files.reply(to: Request(.get, "/nothing")).map { _ in true } == nil)
    let post = try Request(.post, "/a.js")
    #expect(throws: HTTPError.methodNotAllowed(allowed: [.get, .head, .options])) { try files.reply(to: post) }
  }

  @Test func `of a missing directory are a fault`() {
    #expect { try StaticFiles(directory: "/nowhere") } throws: {
      "\($0)" == "/nowhere cannot be read: No such file or directory."
    }
  }
}

extension ConstantBody {
  /// The entity tag of the uncompressed form, with its quotes.
  fileprivate var entityTag: String { (try? response(to: Request(.get, "/")).header("etag")) ?? "" }
}
