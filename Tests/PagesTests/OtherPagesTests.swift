import Testing

@testable import OKCancel
@testable import Prompts

@Suite struct `Pages besides the dialog` {
  private let prompt = Prompt(title: "Your Email", message: "What is it?")

  @Test func `The index lists prompts in order`() throws {
    let pages = try Pages.own.get()
    let page = html(
      pages.index(
        [("b", prompt.edition(), "/prompts/b"), ("a", Prompt(title: "A").edition(), "/prompts/a")], in: .english))
    #expect(
      page.contains(
        #"href="/prompts/b" lang="en"><strong dir="auto">Your Email</strong><span dir="auto">What is it?</span><code>b</code>"#
      ))
    #expect(page.contains(#"href="/prompts/a" lang="en"><strong dir="auto">A</strong><code>a</code>"#))
    #expect(html(pages.index([], in: .english)).contains("There are no prompts yet."))
  }

  @Test(arguments: [(Outcome.Kind.ok, "Thank you"), (.cancel, "Cancelled"), (.action, "Done")])
  func `Each ending has its heading`(ending: Outcome.Kind, heading: String) throws {
    let pages = try Pages.own.get()
    let page = html(pages.done(prompt.edition(), ending, again: "/prompts/email"))
    #expect(page.contains("<title>\(heading)</title>"))
    #expect(page.contains(#"<a href="/prompts/email">Open it again</a>"#))
    #expect(!html(pages.done(prompt.edition(), ending)).contains("Open it again"))
  }

  @Test(arguments: [
    (404, "Not Found", "Not found"), (500, "Internal Server Error", "Something went wrong"),
    (400, "Bad Request", "Bad Request"),
  ])
  func `A problem says what happened`(status: Int, reason: String, heading: String) throws {
    let page = html(try Pages.own.get().problem(status: status, reason: reason, detail: "There is no prompt “x”."))
    #expect(page.contains("<title>Error: \(heading)</title>"))
    // The embedding page is told what people need not know.
    #expect(page.contains(#"data-status="\#(status)" data-detail="There is no prompt “x”.""#))
    #expect(page.contains("<p dir=\"auto\">There is no prompt “x”.</p>") == (status == 400))
  }

  @Test func `A problem that no sentence of ours is about is told in English`() throws {
    let german = Sentences(in: try #require(Language("de")))
    let page = html(try Pages.own.get().problem(status: 403, reason: "Forbidden", detail: "Not from here.", in: german))
    #expect(page.contains(#"<p dir="auto" lang="en">Not from here.</p>"#) && page.contains("Es gibt ein Problem"))
  }

  @Test func `Nothing is hidden in them`() throws {
    let pages = try Pages.own.get(), text = "a\u{202E}\u{E0041}b"
    let edition = Prompt(title: text, message: text).edition()
    for page in [
      pages.index([(text, edition, "/")], in: .english), pages.done(edition, .ok),
      pages.problem(status: 400, reason: text, detail: text, embedder: text),
    ] {
      #expect(html(page).contains("a⟨U+202E⟩⟨U+E0041⟩b"))
      #expect(!html(page).unicodeScalars.contains { $0.isHidden })
    }
  }

  @Test(arguments: [("ok", "Already answered"), ("expired", "Too late"), ("withdrawn", "No longer needed")])
  func `An ask that has ended is nobody's error`(outcome: String, heading: String) throws {
    let pages = try Pages.own.get()
    let page = html(pages.problem(status: 410, reason: "Gone", detail: "This question…", outcome: outcome))
    #expect(page.contains("<title>\(heading)</title>"))
    #expect(page.contains("You can close this page."))
    #expect(page.contains(#"data-outcome="\#(outcome)""#))
    #expect(!page.contains("Error"))
  }

  @Test(arguments: [("en", "ltr"), ("ar", "rtl"), ("he-IL", "rtl"), ("arn", "ltr")])
  func `A language brings its direction`(language: String, direction: String) throws {
    let sentences = Sentences(in: try #require(Language(language)))
    #expect(
      html(try Pages.own.get().index([], in: sentences)).contains(
        #"<html lang="\#(language)" dir="\#(direction)">"#))
  }
}
