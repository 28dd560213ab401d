internal import Asks
internal import Crypto
internal import Definitions
internal import Logging
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON
internal import Synchronization

/// What a server offers now: its prompts, their pages and the static files. A reload replaces everything at once.
final class PromptRegistry: Sendable {
  /// What is offered between two reloads.
  struct Generation: Sendable {
    /// By name.
    let sorted: [PublishedPrompt]
    private let byName: [String: PublishedPrompt]
    let pages: Pages
    let files: StaticFiles

    /// - Precondition: no two prompts have the same name.
    init(_ prompts: [NamedPrompt], pages: Pages, files: StaticFiles, headers: [(name: String, value: String)]) {
      (self.pages, self.files) = (pages, files)
      // Without a bound, a thousand prompts in every language would fill the memory.
      let translated = TranslatedPrompts(capacity: 32 << 20)
      sorted = prompts.map { named in
        PublishedPrompt(
          named.name, JudgedPrompt(named.prompt), pages: pages, headers: headers, among: translated)
      }.sorted { $0.name < $1.name }
      byName = Dictionary(uniqueKeysWithValues: sorted.map { ($0.name, $0) })
    }

    /// Names are ASCII, and only ASCII is looked up: strings are equal by canonical equivalence, by which U+212A KELVIN
    /// SIGN is `K`.
    subscript(name: String) -> PublishedPrompt? { name.utf8.allSatisfy { $0 < 0x80 } ? byName[name] : nil }

    /// Checks the prompts, and reads the templates and the static files.
    ///
    /// - Parameter language: that of prompts that name none.
    /// - Throws: `SetupFault` if a prompt cannot be served, a folder is missing or a file in it cannot be used.
    init(
      reading configuration: Configuration, _ prompts: [NamedPrompt], in language: Language,
      knowing predicates: Predicates, _ logger: Logger
    ) throws(SetupFault) {
      let prompts = prompts.map { $0.inLanguage(language) }
      try Self.check(prompts, predicates)
      let headers = SecurityHeaders(configuration).headers
      let files = try SetupFault.wrapping {
        try StaticFiles(
          Resources.bundled(besides: configuration.public, under: configuration.basePath),
          directory: try Resources.folder(configuration.public, for: "--public"),
          headers: headers + SecurityHeaders.ofFiles)
      }
      var pages = try SetupFault.wrapping {
        try Pages(
          templates: Resources.templates, directory: try Resources.folder(configuration.templates, for: "--templates"),
          framedBy: configuration.allowedOrigins.map(\.description), under: configuration.basePath,
          files: files.lastingPrefix,
          inlined: Resources.inlined(besides: configuration.public))
      }
      let paths = Set(files.paths)
      pages.theme = ["theme.css"].first { paths.contains("/\($0)") }
      pages.logo = ["logo.svg", "logo.png"].first { paths.contains("/\($0)") }
      if configuration.isWatched { pages.watchedVersion = Self.version(of: prompts, pages, files) }
      Self.warn(of: prompts, logger)
      self.init(prompts, pages: pages, files: files, headers: headers + CrossOrigin(configuration).varying)
    }

    /// A hash of everything that a page is made of.
    private static func version(of prompts: [NamedPrompt], _ pages: Pages, _ files: StaticFiles) -> String {
      var bytes = Array(files.lastingPrefix.utf8)
      for text in pages.sources { bytes += Array(text.utf8) + [0] }
      for named in prompts { bytes += Array(named.name.utf8) + [0] + AskDraft(named.prompt).definition }
      return SHA256.version(of: bytes)
    }

    /// Logs which prompts a person could fill in so that they are too costly to judge.
    private static func warn(of prompts: [NamedPrompt], _ logger: Logger) {
      for named in prompts {
        let cost = named.prompt.worstCost
        guard cost.work > WorkBudget.form.left, let part = cost.mostExpensive else { continue }
        logger.warning(
          """
          the prompt “\(named.name)” can be filled in so that it takes up to \(WorkBudget.milliseconds(cost.work)) to \
          judge, more than the \(WorkBudget.form.description) that are allowed; such forms are refused. Most of it is \
          \(part.rule.inWords) of the field `\(part.field ?? "")`: put a `length` rule before it, or make it simpler
          """)
      }
    }

    /// A prompt made in Swift obeys the same rules as one from a file.
    private static func check(_ prompts: [NamedPrompt], _ predicates: Predicates) throws(SetupFault) {
      var names: Set<String> = []
      for named in prompts {
        guard NamedPrompt.isName(named.name) else {
          throw SetupFault(
            "“\(named.name)” cannot name a prompt; use up to 64 of a to z, 0 to 9 and hyphens, not beginning with a hyphen"
          )
        }
        guard names.insert(named.name).inserted else {
          throw SetupFault("two prompts are named “\(named.name)”; rename one")
        }
        try named.prompt.check("the prompt “\(named.name)”", predicates, wasRead: named.wasRead)
      }
    }
  }

  private let generation: Mutex<Generation>

  init(_ generation: Generation) { self.generation = Mutex(generation) }

  var current: Generation { generation.withLock { $0 } }
  var pages: Pages { generation.withLock { $0.pages } }
  var files: StaticFiles { generation.withLock { $0.files } }

  func replace(with next: Generation) { generation.withLock { $0 = next } }

  /// - Throws: `Problem` 404 that suggests the nearest name.
  func prompt(_ name: String) throws(Problem) -> PublishedPrompt {
    // Under the lock, which is shorter than to retain the generation and release it.
    if let published = generation.withLock({ $0[name] }) { return published }
    let nearest = Nearest.nearest(to: name, among: current.sorted.map(\.name))
    throw Problem(.unknownPrompt(name, nearest: nearest))
  }
}

extension Prompt {
  /// - Parameters:
  ///   - what: what a fault calls it.
  ///   - wasRead: whether it was read from a file. To check its definition again would find nothing new, and take as long
  ///     as the first time.
  func check(_ what: String, _ predicates: Predicates, wasRead: Bool = false) throws(SetupFault) {
    do throws(InlineFaults) { if !wasRead { try Definition.check(self) } } catch {
      throw SetupFault("\(what) cannot be served:\n\(error)")
    }
    if let language, translations.contains(where: { $0.language == language }) {
      throw SetupFault(
        "\(what) is translated into its own language `\(language)`; name the `language` that it is written in")
    }
    let unknown = faults(knowing: predicates)
    if !unknown.isEmpty { throw SetupFault("\(what) cannot be served:\n\(InlineFaults(unknown))") }
  }
}

/// Prompts in other languages than their own, made on first request; by name and language.
typealias TranslatedPrompts = LRUCache<String, PublishedPrompt>

/// What can be read of a prompt.
enum Document: Sendable { case page, definition, rules, schema }

/// A prompt at an address, in one of its languages.
final class Dialog: Sendable {
  let judged: JudgedPrompt
  let address: Pages.Address
  /// What the rules JSON calls the prompt, or `nil` if it has no name.
  let name: String?
  /// Changes with the prompt, whatever the language: an answer to another version answers another question.
  let version: String

  init(_ judged: JudgedPrompt, at address: Pages.Address, named name: String?, version: String) {
    (self.judged, self.address, self.name, self.version) = (judged, address, name, version)
  }

  /// - Parameter values: what the fields hold at first, or `nil` for their own values.
  func bytes(of document: Document, on pages: Pages, holding values: Inputs? = nil) -> [UInt8] {
    var json = JSONWriter()
    switch document {
    case .page: return pages.dialog(judged.edition, at: address, version: version, rules: rules, inputs: values)
    case .definition: judged.edition.writeDefinition(to: &json, holding: values ?? Inputs())
    case .rules: return rules
    case .schema:
      judged.prompt.writeSchema(to: &json, id: address.page + "/schema", sentences: judged.edition.sentences)
    }
    return json.bytes
  }

  /// Whether a document of it takes longer to make than cheap requests do: it has many fields, options, lines or cells,
  /// or a long text, in which each code point can be one that is marked.
  var isLarge: Bool {
    let inContext = judged.prompt.context.reduce(0) { pieces, block in
      switch block {
      case .diff(let diff): pieces + diff.utf8.count { $0 == UInt8(ascii: "\n") }
      case .table(let columns, let rows): pieces + columns.count * (rows.count + 1)
      case .text(let text), .code(let text, _): pieces + 1 + text.utf8.count / 64
      case .link, .image: pieces + 1
      }
    }
    return judged.prompt.fields.reduce(inContext) { $0 + 5 + $1.options.count } > 100
  }

  /// The rules JSON.
  var rules: [UInt8] {
    var json = JSONWriter(reserving: 1024)
    judged.edition.writeRules(to: &json, name: name, version: version)
    return json.bytes
  }
}

extension SHA256 {
  /// Changes with these bytes.
  fileprivate static func version(of bytes: [UInt8]) -> String { hash(data: bytes).prefix(8).hexadecimal }
}

/// A prompt on offer in one language: its documents, each made when it is first requested and kept until the next reload.
final class PublishedPrompt: Sendable {
  let name: String
  let dialog: Dialog
  /// An ask that puts the prompt as it is.
  let draft: AskDraft
  var edition: Edition { dialog.judged.edition }
  private let pages: Pages
  /// What every document carries.
  private let headers: [(name: String, value: String)]
  /// The prompt in its other languages, or `nil` if it has none.
  private let translated: TranslatedPrompts?
  private let documents = Mutex<[Document: ConstantBody]>([:])
  /// The responses with the verdicts on all fields that were given last.
  private let responses = LRUCache<VerdictsKey, Response>(capacity: 32 << 10)

  /// - Parameters:
  ///   - headers: what every document carries.
  ///   - translated: keeps the prompt in other languages.
  init(
    _ name: String, _ judged: JudgedPrompt, pages: Pages, headers: [(name: String, value: String)],
    among translated: TranslatedPrompts
  ) {
    (self.name, self.pages, self.headers) = (name, pages, headers)
    let address = pages.address(page: "/prompts/\(name)", validate: "/validate/\(name)", in: judged.edition)
    draft = AskDraft(judged.authored, named: name)
    dialog = Dialog(judged, at: address, named: name, version: SHA256.version(of: draft.definition))
    self.translated = judged.edition.isOneOfSeveral ? translated : nil
  }

  /// The prompt as its author has written it.
  var authored: Prompt { dialog.judged.authored }

  /// The prompt in the language that the person wants.
  func inLanguage(of request: Request) -> PublishedPrompt {
    guard let translated, let language = request.language(among: edition.languages), language != edition.language
    else { return self }
    let key = "\(name).\(language)"
    if let kept = translated[key] { return kept }
    let other = PublishedPrompt(
      name, dialog.judged.inLanguage(language), pages: pages, headers: headers, among: translated)
    // Its documents, plain and compressed, and its fields and rules as objects.
    let bytes = edition.prompt.fields.reduce(32 << 10) { total, field in
      total + (4 << 10) + field.options.reduce(0) { $0 + 256 + 4 * ($1.help?.utf8.count ?? 0) }
    }
    return translated.keep(other, for: key, bytes: bytes)
  }

  /// Whether this document was made already.
  func has(_ document: Document) -> Bool { documents.withLock { $0[document] != nil } }

  subscript(document: Document) -> ConstantBody {
    if let kept = documents.withLock({ $0[document] }) { return kept }
    // Outside of the lock: it takes longer than everything else under the lock.
    let new = body(of: document)
    return documents.withLock { documents in
      let kept = documents[document] ?? new
      documents[document] = kept
      return kept
    }
  }

  private func body(of document: Document) -> ConstantBody {
    let type =
      switch document {
      case .page: "text/html; charset=utf-8"
      case .definition, .rules: "application/json"
      case .schema: "application/schema+json"
      }
    // What the document depends on: the header by which the page is told from the definition, and the language.
    let vary: [String] =
      (document == .page || document == .definition ? ["Accept"] : []) + (translated == nil ? [] : ["Accept-Language"])
    return ConstantBody(
      bytes: dialog.bytes(of: document, on: pages), type: type,
      headers: headers + [("Content-Language", edition.language.tag)]
        + (vary.isEmpty ? [] : [("Vary", vary.joined(separator: ", "))]))
  }

  /// The response with verdicts on its fields, complete with all headers. A few verdicts are given again and again, so
  /// their responses are cached: making one takes 40 % of a verdict's time.
  func response(with verdicts: Verdicts) -> Response {
    let key = VerdictsKey(verdicts: verdicts), isWhole = verdicts.entries.count == edition.prompt.fields.count
    if isWhole, let kept = responses[key] { return kept }
    let body = verdicts.jsonBytes
    var response = Response.json(body).limited
    response.headers += languageHeaders
    // Only short ones come again.
    guard isWhole, body.count <= 2048 else { return response }
    // Which origin asks makes a difference to documents only.
    response.headers += headers.filter { $0.name != "Vary" } + [("Cache-Control", "no-store")]
    return responses.keep(response.preparedOnce, for: key, bytes: 2048 + body.count)
  }

  /// The language is said if there is another.
  var languageHeaders: [(name: String, value: String)] {
    translated == nil ? [] : [("Content-Language", edition.language.tag), ("Vary", "Accept-Language")]
  }
}

/// The key of a cached response: its verdicts on all fields. Only their rules are hashed, since messages are long and
/// each rule has few of them.
private struct VerdictsKey: Hashable, Sendable {
  let verdicts: Verdicts

  static func == (one: Self, other: Self) -> Bool { one.verdicts.entries.elementsEqual(other.verdicts.entries, by: ==) }

  func hash(into hasher: inout Hasher) { verdicts.forEachInvalid { _, rule, _ in hasher.combine(rule) } }
}
