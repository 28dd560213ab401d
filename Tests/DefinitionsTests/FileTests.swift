import Foundation
import TestSupport
import Testing

@testable import Prompts

@Suite struct `A folder of definitions` {
  private func faults(_ path: String, without prefix: String = "") -> [String] {
    do {
      _ = try NamedPrompt.read(folder: path)
      return []
    } catch {
      return error.faults.map { $0.description.replacingOccurrences(of: prefix, with: "DIR") }
    }
  }

  @Test func `offers its prompts by name and passes over other files`() throws {
    let folder = try TemporaryDirectory([
      "b.yml": "title: B", "a.yaml": "title: A", "c-1.json": #"{"title":"C"}"#, "README.md": "title", ".d.yaml": "x",
      "e.yaml~": "x",
    ])
    try FileManager.default.createDirectory(atPath: folder.file("sub.yaml"), withIntermediateDirectories: false)
    #expect(
      try NamedPrompt.read(folder: folder.path).map { "\($0.name) \($0.prompt.title)" } == ["a A", "b B", "c-1 C"])
  }

  @Test func `tells every fault of every file at once`() throws {
    let folder = try TemporaryDirectory([
      "a.yaml": "titel: A", "Bad Name.yaml": "title: B", "c.YAML": "title: C", "email.json": #"{"title":"E"}"#,
      "email.yaml": "title: E",
    ])
    #expect(
      faults(folder.path, without: folder.path) == [
        "DIR/Bad Name.yaml:1:1: the file's name `Bad Name` cannot name a prompt; rename it: up to 64 of `a` to `z`, digits and `-`, not beginning with `-`",
        "DIR/a.yaml:1:1: a prompt has no key `titel`; did you mean `title`?",
        "DIR/a.yaml:1:1: a prompt needs `title`; write what the dialog asks: `title: ...`",
        "DIR/c.YAML:1:1: the file's name ends in `.YAML`; let it end in `.yaml`, `.yml` or `.json`",
        "DIR/email.yaml:1:1: `email.json` defines the prompt `email` too; keep one of the two files",
      ])
  }

  @Test func `names the file whose name is not UTF-8`() throws {
    let folder = try TemporaryDirectory([:])
    let name = folder.file("caf").utf8.map(CChar.init) + [CChar(bitPattern: 0xE9)] + ".yaml".utf8.map(CChar.init) + [0]
    let file = try #require(fopen(name, "w"))
    fclose(file)
    #expect(
      faults(folder.path, without: folder.path) == [
        "DIR/caf\u{FFFD}.yaml: the file's name `caf\u{FFFD}` cannot name a prompt; rename it: up to 64 of `a` to `z`, digits and `-`, not beginning with `-`"
      ])
  }

  @Test func `that is not there is said to be missing`() throws {
    #expect(
      faults("/nowhere/at/all") == [
        "/nowhere/at/all: there is no such folder; make it, or name the one that holds your prompts"
      ])
    #expect(
      faults(#filePath, without: #filePath) == ["DIR: this is a file; name the folder that holds your prompts"])
  }

  @Test(arguments: [
    ("/nowhere.yaml", "/nowhere.yaml: there is no such file; check the path"),
    ("/tmp", "/tmp: this is a folder; name the files in it"),
  ])
  func `has files that can be read`(path: String, fault: String) {
    let error = #expect(throws: DefinitionFaults.self) { try DefinitionFile(path: path) }
    #expect(error?.description == fault)
  }
}

@Suite struct `Texts of a definition` {
  @Test(arguments: [
    "<script>alert(1)</script>", "\" onload=\"x", "'", "&amp;", "{{title}}", "a\u{301}\"\u{301}", "\u{202E}abc",
    "مرحبا",
    "👩‍👩‍👧", "\u{10FFFF}", "\\u0041",
  ])
  func `are only texts`(text: String) throws {
    let folder = try TemporaryDirectory(["a.yaml": "title: '\(text.replacing("'", with: "''"))'"])
    let title = try DefinitionFile(path: folder.file("a.yaml")).prompt.prompt.title
    #expect(Array(title.unicodeScalars) == Array(text.unicodeScalars))
  }
}
