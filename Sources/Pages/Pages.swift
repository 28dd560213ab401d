package import Prompts

/// Draws the pages people see, from Mustache templates.
///
/// Every method gives a whole HTML document as UTF-8. What comes from definitions and from people is escaped.
package struct Pages: Sendable {
  let templates: TemplateLibrary
  let words: Words
  /// The origins whose pages may frame a dialog, as the framed page learns them.
  private let origins: String
  /// What the addresses of static files begin with.
  private let files: String
  /// What a page is known by while its prompts, templates and files are written: it reloads itself when there is another.
  /// `nil` if it need not know.
  package var watchedVersion: String?
  /// The sources of all templates.
  package var sources: [String] { templates.sources }

  /// Where a dialog's page sends what was entered.
  package struct Address: Sendable {
    /// The dialog's own path; its form posts to it.
    package let page: String
    /// The path that judges without submitting.
    package let validate: String

    package init(page: String, validate: String) { (self.page, self.validate) = (page, validate) }
  }

  /// - Parameters:
  ///   - templates: sources by the names of their files, `page.mustache`.
  ///   - directory: a folder of more `*.mustache` files, which replace those of the same name, or `nil` if there is
  ///     none. It is only read now.
  ///   - origins: those whose pages may frame a dialog, besides the server's own.
  ///   - files: what the addresses of static files begin with, up to and with a slash.
  /// - Throws: `TemplateFault` if the directory or a template in it cannot be used.
  package init(
    templates: [String: [UInt8]] = [:], directory: String?, words: Words = .english, framedBy origins: [String] = [],
    files: String = "/"
  ) throws(TemplateFault) {
    self.templates = try TemplateLibrary(
      templates, directory: directory,
      required: ["dialog", "done", "error", "index"] + Control.allCases.map(\.template))
    self.words = words
    self.origins = origins.joined(separator: " ")
    self.files = files
  }

  /// The prompts a server offers, in the order given.
  package func index(_ prompts: [(name: String, prompt: Prompt, href: String)]) -> [UInt8] {
    var values = common
    values.set("hasPrompts", !prompts.isEmpty)
    values.set(
      "prompts",
      prompts.map { entry in
        var values = TemplateValues()
        values["name"] = entry.name
        values["href"] = entry.href
        values["title"] = entry.prompt.title
        values["message"] = entry.prompt.message
        return values
      })
    return draw("index", values)
  }

  /// What a browser shows after an outcome.
  ///
  /// - Parameter again: the path that asks the same again, or `nil` if there is none.
  package func done(_ prompt: Prompt, _ ending: Outcome.Kind, again: String? = nil) -> [UInt8] {
    var values = common
    values["outcome"] = ending.rawValue
    values["title"] = prompt.title
    values["heading"] = words.endings[ending]?.heading
    values["sentence"] = words.endings[ending]?.sentence
    values["again"] = again
    return draw("done", values)
  }

  /// A problem (RFC 9457) for people; calm if all that happened is that the ask has ended.
  ///
  /// - Parameters:
  ///   - status: the HTTP status code.
  ///   - reason: its reason phrase, for statuses that have no heading of their own.
  ///   - detail: what happened and what to do.
  ///   - outcome: how the ask ended that can no longer be answered, or `nil` for any other problem.
  ///   - embedder: the origin that a framed page tells of the problem, or `nil` for those that may frame dialogs.
  package func problem(
    status: Int, reason: String, detail: String, outcome: String? = nil, embedder: String? = nil
  ) -> [UInt8] {
    var values = common
    if let embedder { values["origins"] = embedder }
    values["status"] = String(status)
    values["detail"] = detail
    if let outcome {
      let ended = words.ended(outcome)
      values["outcome"] = outcome
      values["heading"] = ended.heading
      values["sentence"] = ended.sentence
      return draw("done", values)
    }
    values["heading"] = words.heading(status, reason)
    values["sentence"] = words.sentence(status) ?? detail
    return draw("error", values)
  }

  /// What every page has.
  var common: TemplateValues {
    var text = TemplateValues()
    for (name, phrase) in words.phrases { text[name] = phrase }
    var values = TemplateValues()
    values["language"] = words.language
    values["direction"] = words.isRightToLeft ? "rtl" : "ltr"
    values["origins"] = origins.isEmpty ? nil : origins
    values["files"] = files
    values.set("text", text)
    return values
  }

  func draw(_ template: String, _ values: TemplateValues) -> [UInt8] {
    var html = templates.render(template, values)
    if let watchedVersion {
      // Not in a template: the author's own ones may be older.
      let script = "<script type=\"module\" src=\"\(files)watch.js?\(watchedVersion)\"></script>\n"
      html.insert(contentsOf: script, at: html.firstRange(of: "</head>")?.lowerBound ?? html.endIndex)
    }
    return Array(html.utf8)
  }
}
