internal import Asks
internal import Crypto
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

    /// Reads the templates and the static files.
    ///
    /// - Parameter headers: what every document carries.
    /// - Throws: `SetupFault` if a folder is missing or a file in it cannot be used.
    init(
      reading configuration: Configuration, _ prompts: [NamedPrompt], headers: [(name: String, value: String)]
    ) throws(SetupFault) {
      let files: StaticFiles
      var pages: Pages
      do {
        files = try StaticFiles(
          Resources.public, directory: try Resources.folder(configuration.public, for: "--public"),
          headers: headers + SecurityHeaders.ofFiles)
        pages = try Pages(
          templates: Resources.templates, directory: try Resources.folder(configuration.templates, for: "--templates"),
          framedBy: configuration.allowedOrigins.map(\.description), files: files.lastingPrefix,
          inlined: Resources.inlined(besides: configuration.public))
        let paths = Set(files.paths)
        pages.theme = ["theme.css"].first { paths.contains("/\($0)") }
        pages.logo = ["logo.svg", "logo.png"].first { paths.contains("/\($0)") }
      } catch {
        throw SetupFault("\(error)")
      }
      if configuration.isWatched { pages.watchedVersion = Self.version(of: prompts, pages, files) }
      let varying = CORS(allowed: configuration.allowedOrigins).varying
      self.init(prompts, pages: pages, files: files, headers: headers + varying)
    }

    /// A hash of everything that a page is made of.
    private static func version(of prompts: [NamedPrompt], _ pages: Pages, _ files: StaticFiles) -> String {
      var hash = SHA256()
      hash.update(data: Array(files.lastingPrefix.utf8))
      for text in pages.sources { hash.update(data: Array(text.utf8) + [0]) }
      for named in prompts {
        var json = JSONWriter()
        named.prompt.writeDefinition(to: &json)
        hash.update(data: Array(named.name.utf8) + [0] + json.bytes)
      }
      return hash.finalize().prefix(8).hexadecimal
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

/// Prompts in other languages than their own, made when somebody wants them.
typealias TranslatedPrompts = LRUCache<TranslatedPrompt, PublishedPrompt>

struct TranslatedPrompt: Hashable {
  let name: String
  let language: Language
}

/// A prompt on offer in one language: its documents, each made when it is first requested and kept until the next reload.
final class PublishedPrompt: Sendable {
  let name: String
  let judged: JudgedPrompt
  var edition: Edition { judged.edition }
  let address: Pages.Address
  private let pages: Pages
  /// What every document carries.
  private let headers: [(name: String, value: String)]
  /// The prompt in its other languages, or `nil` if it has none.
  private let translated: TranslatedPrompts?
  private let made = Mutex<[Document: ConstantBody]>([:])

  /// - Parameters:
  ///   - headers: what every document carries.
  ///   - translated: keeps the prompt in other languages.
  init(
    _ name: String, _ judged: JudgedPrompt, pages: Pages, headers: [(name: String, value: String)],
    among translated: TranslatedPrompts
  ) {
    (self.name, self.judged, self.pages, self.headers) = (name, judged, pages, headers)
    address = Pages.Address(page: "/prompts/\(name)", validate: "/validate/\(name)", in: judged.edition)
    self.translated = judged.edition.isOneOfSeveral ? translated : nil
  }

  /// Changes with the prompt.
  var version: String {
    var json = JSONWriter(reserving: 1024)
    judged.authored.writeDefinition(to: &json)
    return Self.version(of: json.bytes)
  }

  /// The prompt in the language that the person wants.
  func inLanguage(of request: Request) -> PublishedPrompt {
    guard let translated, let language = request.language(among: edition.languages), language != edition.language
    else { return self }
    let key = TranslatedPrompt(name: name, language: language)
    if let kept = translated[key] { return kept }
    let made = PublishedPrompt(
      name, judged.inLanguage(language), pages: pages, headers: headers, among: translated)
    // Its documents, plain and compressed, and its fields and rules as objects.
    let bytes = edition.prompt.fields.reduce(32 << 10) { $0 + (4 << 10) + 256 * $1.options.count }
    return translated.keep(made, for: key, bytes: bytes)
  }

  /// Whether its page was drawn already.
  var hasPage: Bool { made.withLock { $0[.page] != nil } }

  subscript(document: Document) -> ConstantBody {
    if let kept = made.withLock({ $0[document] }) { return kept }
    // Outside of the lock: it takes longer than all that others wait for here.
    let new = body(of: document)
    return made.withLock { made in
      let kept = made[document] ?? new
      made[document] = kept
      return kept
    }
  }

  private func body(of document: Document) -> ConstantBody {
    var json = JSONWriter()
    switch document {
    case .page:
      let page = pages.dialog(edition, at: address, rules: rulesJSON)
      return ConstantBody(bytes: page, type: "text/html; charset=utf-8", headers: negotiated("Accept"))
    case .definition:
      edition.writeDefinition(to: &json)
      return ConstantBody(bytes: json.bytes, type: "application/json", headers: negotiated("Accept"))
    case .rules:
      let version = Self.version(of: rulesJSON(version: ""))
      return ConstantBody(
        bytes: rulesJSON(version: version), type: "application/json", version: version, headers: negotiated())
    case .schema:
      edition.prompt.writeSchema(to: &json, id: address.page + "/schema", sentences: edition.sentences)
      return ConstantBody(bytes: json.bytes, type: "application/schema+json", headers: negotiated())
    }
  }

  /// The language is said if there is another.
  var languageHeaders: [(name: String, value: String)] {
    translated == nil ? [] : [("Content-Language", edition.language.tag), ("Vary", "Accept-Language")]
  }

  /// What a document carries that depends on this header, and on the language if there are several.
  private func negotiated(_ header: String? = nil) -> [(name: String, value: String)] {
    let vary = [header, translated == nil ? nil : "Accept-Language"].compactMap(\.self)
    return headers + [("Content-Language", edition.language.tag)]
      + (vary.isEmpty ? [] : [("Vary", vary.joined(separator: ", "))])
  }

  /// The rules JSON itself, for pages.
  var rulesJSON: [UInt8] { rulesJSON(version: Self.version(of: rulesJSON(version: ""))) }

  private func rulesJSON(version: String) -> [UInt8] {
    var json = JSONWriter(reserving: 1024)
    edition.writeRules(to: &json, name: name, version: version)
    return json.bytes
  }

  private static func version(of bytes: [UInt8]) -> String { SHA256.hash(data: bytes).prefix(8).hexadecimal }
}
