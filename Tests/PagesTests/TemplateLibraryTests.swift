import Foundation
import Platform
import TestSupport
import Testing

@testable import OKCancel

@Suite struct `A directory of templates` {
  @Test func `It must be there`() {
    #expect(throws: PlainError("/no/such: no such directory of templates; name one with --templates")) {
      try Pages(directory: "/no/such")
    }
  }

  @Test func `A template that a page needs must be there`() throws {
    let folder = try TemporaryDirectory(["a.mustache": "a"])
    #expect(throws: PlainError("\(folder.path)/b.mustache is missing")) {
      try TemplateLibrary(directory: folder.path, required: ["a", "b"])
    }
  }

  @Test func `A file replaces the template of its name, and the others stay`() throws {
    let given = ["a.mustache": Array("a{{>b}}{{>c}}".utf8), "b.mustache": Array("b".utf8)]
    let folder = try TemporaryDirectory(["b.mustache": "B", "c.mustache": "{{x}}", "d.txt": "{{#"])
    let library = try TemplateLibrary(given, directory: folder.path, required: ["a"])
    #expect(library.render("a", ["x": "<"]) == "aB&lt;")
    #expect(
      throws: PlainError("Templates/c.mustache is missing; a.mustache uses it")
    ) { try TemplateLibrary(given, directory: nil, required: ["a"]) }
  }

  @Test(arguments: ["{{>b}}", "x\n  {{> b }}\n", "{{<b}}{{$t}}x{{/t}}{{/b}}", "{{#list}}{{>b}}{{/list}}"])
  func `A template that another one uses must be there`(source: String) throws {
    let folder = try TemporaryDirectory(["a.mustache": source])
    #expect(throws: PlainError("\(folder.path)/b.mustache is missing; a.mustache uses it")) {
      try TemplateLibrary(directory: folder.path, required: ["a"])
    }
  }

  @Test(arguments: [
    ("one\n{{#open}}\n{{/other}}\n", "3:", "this closes another section than the one that is open"),
    ("one\n{{#open}}\ntwo\n", "4:", "a section is not closed; end what"),
    ("one\n{{name", "2:", "a tag is not closed; end it with `}}`"),
    ("{{=x=}}", "1:", "this does not set delimiters"),
  ])
  func `A malformed template is named with its line, what is wrong and what to do`(
    source: String, place: String, reason: String
  ) throws {
    let folder = try TemporaryDirectory(["a.mustache": source])
    let fault = #expect(throws: PlainError.self) { try TemplateLibrary(directory: folder.path, required: ["a"]) }
    #expect("\(fault!)".hasPrefix("\(folder.path)/a.mustache:\(place)"))
    #expect("\(fault!)".contains(reason))
  }

  @Test func `A file that is not UTF-8 is named`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Data([0xFF]), to: "a.mustache")
    #expect(throws: PlainError("\(folder.path)/a.mustache: not readable as UTF-8 text")) {
      try TemplateLibrary(directory: folder.path, required: ["a"])
    }
  }

  @Test func `Escaping is nothing a template can choose`() throws {
    let folder = try TemporaryDirectory(["a.mustache": "{{% CONTENT_TYPE: TEXT}}{{x}}"])
    let sentence = "\(folder.path)/a.mustache: templates cannot choose {{% CONTENT_TYPE }}; remove it"
    #expect(throws: PlainError(sentence)) {
      try TemplateLibrary(directory: folder.path, required: ["a"])
    }
  }

  /// Mustache goes back to its own escaping in partials, wherever they are used.
  @Test(arguments: [
    ["a.mustache": "{{x}}"],
    ["a.mustache": "{{>b}}", "b.mustache": "{{x}}"],
    ["a.mustache": "{{>*name}}", "b.mustache": "{{#x}}{{.}}{{/x}}"],
    ["a.mustache": "{{<b}}{{$t}}{{x}}{{/t}}{{/b}}", "b.mustache": "{{$t}}{{/t}}"],
    [
      "a.mustache": "{{<b}}{{$t}}{{>c}}{{/t}}{{/b}}", "b.mustache": "{{$t}}{{/t}}",
      "c.mustache": "{{#list}}{{x}}{{/list}}",
    ],
  ])
  func `Every way to a value escapes`(files: [String: String]) throws {
    let folder = try TemporaryDirectory(files)
    let values: TemplateValues = ["x": "\"\u{301}<", "name": "b", "list": [[:] as TemplateValues]]
    let page = try TemplateLibrary(directory: folder.path, required: ["a"]).render("a", values)
    #expect(Array(page.utf8) == Array("&quot;\u{301}&lt;".utf8))
  }

  @Test func `A name without a value draws nothing and hides the outer one`() throws {
    let folder = try TemporaryDirectory(["a.mustache": "{{#list}}[{{x}}{{#x}}{{.}}{{/x}}{{^x}}none{{/x}}]{{/list}}"])
    let inner: [TemplateValues] = [["x": nil], ["x": ""]]
    let values: TemplateValues = ["x": "outer", "list": inner]
    let page = try TemplateLibrary(directory: folder.path, required: ["a"]).render("a", values)
    #expect(page == "[none][none]")
  }
}
