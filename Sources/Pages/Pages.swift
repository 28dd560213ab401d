package import Prompts

/// Draws the pages people see, from Mustache templates.
///
/// Every method gives a whole HTML document as UTF-8. What comes from definitions and from people is escaped.
package struct Pages: Sendable {
  let templates: TemplateLibrary
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
    /// The dialog's own path.
    package let page: String
    /// The path that judges without submitting.
    package let validate: String
    /// Of a prompt in several languages the one of this page, as a query.
    private let query: String

    package init(page: String, validate: String, in edition: Edition? = nil) {
      (self.page, self.validate) = (page, validate)
      query = edition.map { $0.isOneOfSeveral ? "lang=\($0.language)" : "" } ?? ""
    }

    /// The page, in its language.
    package var submit: String { query.isEmpty ? page : "\(page)?\(query)" }
    /// The path that judges, in the page's language.
    var judge: String { query.isEmpty ? validate : "\(validate)?\(query)" }
    /// Where a browser lands after this outcome.
    package func done(_ outcome: Outcome) -> String {
      "\(page)/done?outcome=\(outcome.word)" + (query.isEmpty ? "" : "&\(query)")
    }
  }

  /// - Parameters:
  ///   - templates: sources by the names of their files, `page.mustache`.
  ///   - directory: a folder of more `*.mustache` files, which replace those of the same name, or `nil` if there is
  ///     none. It is only read now.
  ///   - origins: those whose pages may frame a dialog, besides the server's own.
  ///   - files: what the addresses of static files begin with, up to and with a slash.
  ///   - inlined: style sheets and scripts that pages carry inside, instead of a link to them, by path: `okcancel.css`.
  /// - Throws: `TemplateFault` if the directory or a template in it cannot be used.
  package init(
    templates: [String: [UInt8]] = [:], directory: String?, framedBy origins: [String] = [],
    files: String = "/", inlined: [String: String] = [:]
  ) throws(TemplateFault) {
    self.templates = try TemplateLibrary(
      templates, directory: directory, inlined: inlined,
      required: ["dialog", "done", "error", "index"] + Control.allCases.map(\.template))
    self.origins = origins.joined(separator: " ")
    self.files = files
  }

  /// The prompts a server offers, in the order given.
  package func index(_ prompts: [(name: String, edition: Edition, href: String)], in sentences: Sentences) -> [UInt8] {
    var values = common(sentences)
    values.set("hasPrompts", !prompts.isEmpty)
    values.set(
      "prompts",
      prompts.map { entry in
        var values = TemplateValues()
        values["name"] = entry.name
        values["href"] = entry.href
        values["title"] = entry.edition.prompt.title
        values["message"] = entry.edition.prompt.message
        values["language"] = entry.edition.language.tag
        return values
      })
    return draw("index", values)
  }

  /// What a browser shows after an outcome.
  ///
  /// - Parameter again: the path that asks the same again, or `nil` if there is none.
  package func done(_ edition: Edition, _ ending: Outcome.Kind, again: String? = nil) -> [UInt8] {
    var values = common(edition.sentences)
    let note = edition.sentences[PageNote(after: ending)]
    values["outcome"] = ending.rawValue
    values["title"] = edition.prompt.title
    values["heading"] = note.heading
    values["sentence"] = note.sentence
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
  ///   - sentences: in the person's language, as far as that is known.
  package func problem(
    status: Int, reason: String, detail: String, outcome: String? = nil, embedder: String? = nil,
    in sentences: Sentences = .english
  ) -> [UInt8] {
    var values = common(sentences)
    if let embedder { values["origins"] = embedder }
    values["status"] = String(status)
    values["detail"] = detail
    if let outcome {
      let ended = sentences[outcome == "expired" ? .expired : outcome == "withdrawn" ? .withdrawn : .answered]
      values["outcome"] = outcome
      values["heading"] = ended.heading
      values["sentence"] = ended.sentence
      return draw("done", values)
    }
    let note: PageNote? =
      switch status {
      case 404: .notFound
      case 405: .notPossible
      case 413, 414, 431: .tooLarge
      case 500...: .serverFault
      default: nil
      }
    // What else there is was written for programmers, in English.
    let own = sentences.isEnglish ? (reason, detail) : (sentences[.problem], sentences[.failed])
    (values["heading"], values["sentence"]) = note.map { sentences[$0] } ?? own
    return draw("error", values)
  }

  /// What every page has.
  func common(_ sentences: Sentences) -> TemplateValues {
    var text = TemplateValues()
    for name in PageText.allCases { text[name.rawValue] = sentences[name] }
    // In English a problem's own detail says more.
    if sentences.isEnglish { text["failed"] = nil }
    var values = TemplateValues()
    values["language"] = sentences.language.tag
    values["direction"] = sentences.language.isRightToLeft ? "rtl" : "ltr"
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

extension PageNote {
  /// What to say after an outcome.
  fileprivate init(after ending: Outcome.Kind) {
    switch ending {
    case .ok: self = .accepted
    case .cancel: self = .cancelled
    case .action: self = .done
    case .expired: self = .expired
    case .withdrawn: self = .withdrawn
    }
  }
}
