internal import Prompts

/// Draws the pages people see, from Mustache templates.
///
/// Every method gives a whole HTML document as UTF-8. What comes from definitions and from people is escaped.
struct Pages: Sendable {
  let templates: TemplateLibrary
  /// The origins whose pages may frame a dialog, as the framed page learns them.
  private let origins: String
  /// The beginning of the addresses of static files.
  private let files: String
  /// The beginning of every address, `/ask`, or empty.
  private let base: String
  /// The version of the prompts, templates and files while they are being edited: a page reloads itself when the
  /// version changes. `nil` if pages need not watch for changes.
  var watchedVersion: String?
  /// The scripts that pages load as one, `dialog-kinds.js`, if they need several of them.
  var kinds: [String] = []
  /// True if a machine answers instead of people: every page says so.
  var isAnsweredByMachine = false
  /// The static files of the operator's own that every page links to and that every dialog shows, by path; `nil` if
  /// there are none.
  var theme: String?, logo: String?
  /// The sources of all templates.
  var sources: [String] { templates.sources }

  /// The path to which a dialog's page sends the inputs.
  struct Address: Sendable {
    /// The dialog's own path.
    let page: String
    /// The path that judges without submitting.
    let validate: String
    /// The time left to answer the page, in seconds; `nil` if it never ends.
    var secondsLeft: Int64?
    /// The name of the program that asks; `nil` if it has none.
    var askedBy: String?
    /// The person for whom it asks, or `nil`.
    var requestedBy: Person?
    /// True if only some people may answer, whatever the prompt says.
    var isForSome = false
    /// The page's language as a query, or empty if the prompt has only one language.
    private let query: String

    init(page: String, validate: String, in edition: Edition? = nil, under base: String = "") {
      self.page = base + page
      self.validate = base + validate
      query = edition.map { $0.isOneOfSeveral ? "lang=\($0.language)" : "" } ?? ""
    }

    /// The page, in its language.
    var submit: String { query.isEmpty ? page : "\(page)?\(query)" }
    /// The path that judges, in the page's language.
    var judge: String { query.isEmpty ? validate : "\(validate)?\(query)" }
    /// The path at which a browser lands after this outcome.
    func done(_ outcome: Outcome) -> String {
      "\(page)/done?outcome=\(outcome.word)" + (query.isEmpty ? "" : "&\(query)")
    }
  }

  /// - Parameters:
  ///   - templates: sources by the names of their files, `page.mustache`.
  ///   - directory: a folder of more `*.mustache` files, which replace those of the same name, or `nil` if there is
  ///     none. It is only read now.
  ///   - origins: those whose pages may frame a dialog, besides the server's own.
  ///   - base: what every address begins with, those of static files too: `/ask`, or empty.
  ///   - files: what the addresses of static files begin with after that, up to and with a slash.
  ///   - inlined: style sheets and scripts that pages carry inside, instead of a link to them, by path: `okcancel.css`.
  /// - Throws: `PlainError` if the directory or a template in it cannot be used.
  init(
    templates: [String: [UInt8]] = [:], directory: String?, framedBy origins: [String] = [],
    under base: String = "", files: String = "/", inlined: [String: String] = [:]
  ) throws(PlainError) {
    self.templates = try TemplateLibrary(
      templates, directory: directory, inlined: inlined,
      required: ["dialog", "done", "error", "index"] + Control.allCases.map(\.template))
    self.origins = origins.joined(separator: " ")
    self.base = base
    self.files = base + files
  }

  /// The addresses of a dialog.
  func address(page: String, validate: String, in edition: Edition) -> Address {
    Address(page: page, validate: validate, in: edition, under: base)
  }

  /// The prompts a server offers, in the order given.
  func index(_ prompts: [(name: String, edition: Edition, href: String)], in sentences: Sentences) -> [UInt8] {
    let entries = prompts.map { name, edition, href -> TemplateValues in
      [
        "name": name, "href": href, "title": edition.prompt.title, "message": edition.prompt.message,
        "language": edition.language.tag,
      ]
    }
    return draw("index", in: sentences, ["hasPrompts": !prompts.isEmpty, "prompts": entries])
  }

  /// The page that a browser shows after an outcome.
  ///
  /// - Parameters:
  ///   - again: the path that asks the same again, or `nil` if there is none.
  ///   - afterwards: what came of it, or `nil` if nothing can.
  func done(
    _ edition: Edition, _ ending: Outcome.Kind, again: String? = nil, afterwards: Afterwards? = nil
  ) -> [UInt8] {
    // A reason was sent.
    let hasReason = ending == .cancel && edition.reason != nil
    let (heading, sentence) = edition.sentences[hasReason ? .done : ending.note]
    return draw(
      "done", in: edition.sentences,
      (afterwards?.values(in: edition.sentences) ?? [:]).merging([
        "outcome": ending.rawValue, "title": edition.prompt.title, "heading": heading, "sentence": sentence,
        "again": again,
      ]))
  }

  /// What came of an answer, as far as it is known.
  struct Afterwards: Sendable {
    /// What the program says, or `nil` if it has not.
    let result: AskResult?
    /// True while the program has time to say it.
    let isAwaited: Bool

    init(_ result: AskResult?, isAwaited: Bool) { (self.result, self.isAwaited) = (result, isAwaited) }

    /// True until the program has said it.
    var isOpen: Bool { result == nil || result?.status == .unknown }

    fileprivate func values(in sentences: Sentences) -> TemplateValues {
      let word = result.map { sentences.sentence(on: AskResult($0.status)) }
      return [
        "isFollowed": isOpen, "resultStatus": result?.status.rawValue ?? (isAwaited ? "running" : "none"),
        "result": word ?? (isAwaited ? sentences[.running] : ""), "said": result?.text ?? "",
      ]
    }
  }

  /// A problem (RFC 9457) for people; calm if all that happened is that the ask has ended.
  ///
  /// - Parameters:
  ///   - status: the HTTP status code.
  ///   - isOfQuestion: whether its address is that of a question.
  ///   - reason: its reason phrase, for statuses that have no heading of their own.
  ///   - detail: what happened and what to do.
  ///   - outcome: how the ask ended that can no longer be answered, or `nil` for any other problem.
  ///   - embedder: the origin that a framed page tells of the problem, or `nil` for those that may frame dialogs.
  ///   - by: who ended the question and when, or `nil` if that is not known.
  ///   - afterwards: what came of its answer, or `nil` if nothing can.
  ///   - typed: what the person had typed, which can be read and copied there.
  ///   - note: what the page says instead of what it says for the status.
  ///   - signIn: where the person can sign in, or `nil` if the page does not lead there.
  ///   - sentences: in the person's language, as far as that is known.
  func problem(
    status: Int, isOfQuestion: Bool = true, reason: String, detail: String, outcome: String? = nil,
    embedder: String? = nil, by: String? = nil, afterwards: Afterwards? = nil,
    typed: [(label: String, text: String)] = [],
    about note: PageNote? = nil,
    signIn: String? = nil, in sentences: Sentences = .english
  ) -> [UInt8] {
    let usual: PageNote? =
      switch (outcome, status) {
      case ("expired", _): .expired
      case ("withdrawn", _): .withdrawn
      case (_?, _): .answered
      case (nil, 404): isOfQuestion ? .notFound : .noPage
      case (nil, 405): .notPossible
      case (nil, 413), (nil, 414): .tooLarge
      // What a proxy or a cookie adds, the person cannot shorten.
      case (nil, 431), (nil, 500...): .serverFault
      default: nil
      }
    // Any other problem is described for programmers, in English: no sentence of ours says what to do about it.
    let other = (sentences.isEnglish ? reason : sentences[.problem], detail)
    let (heading, sentence) = (note ?? usual).map { sentences[$0] } ?? other
    let isForeign = note ?? usual == nil && !sentences.isEnglish
    return draw(
      outcome == nil ? "error" : "done", in: sentences,
      (afterwards?.values(in: sentences) ?? [:]).merging([
        "status": String(status), "detail": detail, "outcome": outcome, "heading": heading, "sentence": sentence,
        "sentenceLanguage": isForeign || !sentences.areInLanguage ? "en" : nil, "by": by,
        "origins": embedder ?? origins, "signIn": signIn,
        "isCalm": note != nil,
        "typed": typed.map { label, text -> TemplateValues in ["label": label, "text": Raw(text)] },
      ]))
  }

  func draw(_ template: String, in sentences: Sentences, _ values: TemplateValues) -> [UInt8] {
    var text: TemplateValues = [:]
    for name in PageText.allCases { text.setRevealed(name.rawValue, to: sentences[name]) }
    // What a dialog says if the sign-in has ended while it was open.
    text.setRevealed("signInFirst", to: sentences[.signInFirst].sentence)
    // In English a problem's own detail says more.
    if sentences.isEnglish { text.setRevealed("failed", to: nil) }
    let common: TemplateValues = [
      "text": text, "language": sentences.language.tag, "direction": sentences.language.direction,
      // What is built in then stands out as English from a page of another language.
      "english": !sentences.areInLanguage,
      "origins": origins, "files": files,
      "theme": theme, "logo": logo,
    ]
    var html = templates.render(template, common.merging(values))
    // Not in a template: the operator's own templates may be older.
    if isAnsweredByMachine {
      let note = #"<p role="note" lang="en" dir="ltr">This server is for tests: a machine answers its questions.</p>"#
      html.insert(contentsOf: note, at: html.firstRange(of: "</body>")?.lowerBound ?? html.endIndex)
    }
    if let watchedVersion {
      let script = "<script type=\"module\" src=\"\(files)watch.js?\(watchedVersion)\"></script>\n"
      html.insert(contentsOf: script, at: html.firstRange(of: "</head>")?.lowerBound ?? html.endIndex)
    }
    return Array(html.utf8)
  }
}

extension Language {
  /// HTML's `dir`.
  var direction: String { isRightToLeft ? "rtl" : "ltr" }
}
