import Foundation
import Testing

@testable import OKCancel

@Suite struct `The files inside the executable` {
  @Test func `are those of the folders: name one that is new in Sources/CResources/resources.c`() throws {
    for (name, embedded) in [("Templates", Resources.templates), ("Public", Resources.public)] {
      let folder = LiveServer.root.appending(path: name)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isDirectory)
        return !isDirectory.boolValue
      }
      #expect(embedded.keys.sorted() == paths.sorted())
      for path in paths {
        let bytes = Array(try Data(contentsOf: folder.appending(path: path)))
        let kept: [UInt8] =
          switch folder.appending(path: path).pathExtension {
          case "js": Resources.withoutComments(bytes, isScript: true)
          case "css": Resources.withoutComments(bytes, isScript: false)
          default: bytes
          }
        #expect(embedded[path] == kept, "\(path)")
      }
    }
  }

  @Test(arguments: [
    ("a\n", "a"), ("  a;  \n\n\tb; /* c */\n", "a;b;/* c */"), ("// a\nb\n  // c\n", "b"),
    ("/* a */\nb;\n", "b;"), ("/**\n * a\n */\nb\n", "b"),
    ("/** @type {A} */ const a = 1;\n", "const a=1;"),
    ("if (a) {\n  b(\n    c,\n    d)\n}\n", "if(a){b(c,d)}"), ("if (a) b; else c;\n", "if(a)b;else c;"),
    ("{ a; }\nb\n", "{a}b"), ("a\nb\n", "a\nb"), ("a = b + +c - -d + e++;\n", "a=b+ +c- -d+e++;"),
    ("/* a\n b */ c;\n", "c;"), ("a = \"/* b */\";\n", "a=\"/* b */\";"),
    ("a = \"\\\\\" + \"b \\\" c\";\n", "a=\"\\\\\"+\"b \\\" c\";"),
    ("a = `b > ${c ? d : e}`;\n", "a=`b > ${c ? d : e}`;"),
    ("(a) => /b > \\/ c/.test(d / 2 > e);\n", "(a)=>/b > \\/ c/.test(d/2>e);"),
  ])
  func `leave out of a script comments on lines of their own, and white space without a meaning`(
    code: String, kept: String
  ) {
    #expect(String(decoding: Resources.withoutComments(Array(code.utf8), isScript: true), as: UTF8.self) == kept)
  }

  @Test(arguments: [
    ("/* a */\na { b: c; }\n\nd e { f: g }\n", "a{b:c}d e{f:g}"),
    ("a > b :is(c, d) e { f: g + h }\n", "a>b :is(c,d) e{f:g + h}"),
    ("@media (a: b), (c) and (d) {\n  e { f }\n}\n", "@media (a:b),(c) and (d){e{f}}"),
    ("a { b: url('c = d') e / f\n    var(--g); }\n", "a{b:url('c = d') e / f\nvar(--g)}"),
  ])
  func `leave out of a style sheet the same`(code: String, kept: String) {
    #expect(String(decoding: Resources.withoutComments(Array(code.utf8), isScript: false), as: UTF8.self) == kept)
  }

  @Test func `have no comment after code, which would take the next line in`() throws {
    let folder = LiveServer.root.appending(path: "Public")
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
    let folder = FileManager.default.temporaryDirectory.appending(path: "okcancel-own-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(Resources.bundled(besides: folder.path)["dialog.js"] == Array(whole.utf8))
    try Data().write(to: folder.appending(path: "judge.js"))
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
