import Foundation
import Testing

@testable import Prompts

@Suite struct `The data files inside the executable` {
  @Test func `Every data file of the sources is inside, and begins with what it is`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL
    let first = ["txt": "# ", "sql": "-- ", "json": "{\n  \"$comment\": \"", "html": "<!doctype html>"]
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { first[URL(filePath: $0).pathExtension] != nil }
    #expect(EmbeddedFiles.paths(in: "Sources/") == paths.sorted())
    for path in paths {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      #expect(Array(EmbeddedFiles.text(of: "Sources/\(path)").utf8) == Array(text.utf8), "\(path)")
      #expect(text.hasPrefix(first[URL(filePath: path).pathExtension] ?? ""), "\(path)")
    }
  }
}
