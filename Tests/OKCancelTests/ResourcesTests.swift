import Foundation
import TestSupport
import Testing

@testable import OKCancel

@Suite struct `The files inside the executable` {
  @Test func `are those of the folders: name one that is new in resources.c; for a script, touch Package.swift`() throws
  {
    for (name, embedded) in [("Templates", Resources.templates), ("Public", Resources.public)] {
      let folder = Repository.root.appending(path: name)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isDirectory)
        return !isDirectory.boolValue
      }
      #expect(embedded.keys.sorted() == paths.sorted())
      for path in paths where !path.hasSuffix(".js") && !path.hasSuffix(".css") {
        #expect(embedded[path] == Array(try Data(contentsOf: folder.appending(path: path))), "\(path)")
      }
    }
  }

  @Test func `have no comment after code, which would take the next line in`() throws {
    let folder = Repository.root.appending(path: "Public")
    for path in Resources.public.keys where path.hasSuffix(".js") {
      for line in try String(contentsOf: folder.appending(path: path), encoding: .utf8).split(separator: "\n") {
        #expect(!line.drop { $0 == " " }.dropFirst(2).contains(" // "), "\(path): \(line)")
      }
    }
  }

  @Test func `have all that every dialog needs in one script, unless somebody replaces a part`() throws {
    let whole = String(decoding: try #require(Resources.bundled(besides: nil)["dialog.js"]), as: UTF8.self)
    #expect(whole.contains("class DialogState") && whole.contains("function compile("))
    #expect(!whole.contains("export ") && !whole.contains("import {"))
    let folder = try TemporaryDirectory()
    #expect(Resources.bundled(besides: folder.path)["dialog.js"] == Array(whole.utf8))
    try folder.write(Data(), to: "judge.js")
    #expect(Resources.bundled(besides: folder.path)["dialog.js"] == Resources.public["dialog.js"])
  }

  @Test func `have no text over several lines with something in it that looks like a comment`() {
    for (path, bytes) in Resources.public where path.hasSuffix(".js") {
      var isInText = false
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        if isInText { #expect(!line.contains("//") && !line.contains("/*"), "\(path): \(line)") }
        // Back-quotes in patterns stand behind a backslash or another character of their class.
        let quotes = line.replacing("\\`", with: "").replacing("_`{", with: "").count { $0 == "`" }
        if !quotes.isMultiple(of: 2) { isInText.toggle() }
      }
      #expect(!isInText, "\(path)")
    }
  }
}
