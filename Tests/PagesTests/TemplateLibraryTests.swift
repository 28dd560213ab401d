import Foundation
import TestSupport
import Testing

@testable import Pages

@Suite struct `A directory of templates` {
  /// A directory with these files, which goes away after `body`.
  private func withTemplates(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let directory = try TemporaryDirectory(files)
    try withExtendedLifetime(directory) { try body(directory.path) }
  }

  @Test func `It must be there`() {
    #expect(throws: TemplateFault.noDirectory("/no/such")) { try Pages(directory: "/no/such") }
    #expect(
      "\(TemplateFault.noDirectory("/no/such"))"
        == "/no/such: no such directory of templates; name one with --templates")
  }

  @Test func `A template that a page needs must be there`() throws {
    try withTemplates(["a.mustache": "a"]) { directory in
      let fault = TemplateFault.missing(template: "b", directory: directory, wantedBy: nil)
      #expect(throws: fault) { try TemplateLibrary(directory: directory, required: ["a", "b"]) }
      #expect("\(fault)" == "\(directory)/b.mustache is missing")
    }
  }

  @Test func `A file replaces the template of its name, and the others stay`() throws {
    let given = ["a.mustache": Array("a{{>b}}{{>c}}".utf8), "b.mustache": Array("b".utf8)]
    try withTemplates(["b.mustache": "B", "c.mustache": "{{x}}", "d.txt": "{{#"]) { directory in
      let library = try TemplateLibrary(given, directory: directory, required: ["a"])
      #expect(library.render("a", ["x": "<"]) == "aB&lt;")
    }
    #expect(
      throws: TemplateFault.missing(template: "c", directory: "Templates", wantedBy: "a")
    ) { try TemplateLibrary(given, directory: nil, required: ["a"]) }
  }

  @Test(arguments: ["{{>b}}", "x\n  {{> b }}\n", "{{<b}}{{$t}}x{{/t}}{{/b}}", "{{#list}}{{>b}}{{/list}}"])
  func `A template that another one uses must be there`(source: String) throws {
    try withTemplates(["a.mustache": source]) { directory in
      let fault = TemplateFault.missing(template: "b", directory: directory, wantedBy: "a")
      #expect(throws: fault) { try TemplateLibrary(directory: directory, required: ["a"]) }
      #expect("\(fault)" == "\(directory)/b.mustache is missing; a.mustache uses it")
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
    try withTemplates(["a.mustache": source]) { directory in
      let fault = #expect(throws: TemplateFault.self) { try TemplateLibrary(directory: directory, required: ["a"]) }
      #expect("\(fault!)".hasPrefix("\(directory)/a.mustache:\(place)"))
      #expect("\(fault!)".contains(reason))
    }
  }

  @Test func `A file that is not UTF-8 is named`() throws {
    try withTemplates([:]) { directory in
      try Data([0xFF]).write(to: URL(filePath: directory).appending(path: "a.mustache"))
      #expect(throws: TemplateFault.unreadable(path: "\(directory)/a.mustache")) {
        try TemplateLibrary(directory: directory, required: ["a"])
      }
    }
  }

  @Test func `Escaping is nothing a template can choose`() throws {
    try withTemplates(["a.mustache": "{{% CONTENT_TYPE: TEXT}}{{x}}"]) { directory in
      #expect(throws: TemplateFault.choosesContentType(path: "\(directory)/a.mustache")) {
        try TemplateLibrary(directory: directory, required: ["a"])
      }
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
    try withTemplates(files) { directory in
      let values: TemplateValues = ["x": "\"\u{301}<", "name": "b", "list": [[:] as TemplateValues]]
      let page = try TemplateLibrary(directory: directory, required: ["a"]).render("a", values)
      #expect(Array(page.utf8) == Array("&quot;\u{301}&lt;".utf8))
    }
  }

  @Test func `A name without a value draws nothing and hides the outer one`() throws {
    try withTemplates(["a.mustache": "{{#list}}[{{#x}}{{.}}{{/x}}{{^x}}none{{/x}}]{{/list}}"]) { directory in
      let inner: [TemplateValues] = [["x": nil], ["x": ""]]
      let values: TemplateValues = ["x": "outer", "list": inner]
      let page = try TemplateLibrary(directory: directory, required: ["a"]).render("a", values)
      #expect(page == "[none][none]")
    }
  }
}
