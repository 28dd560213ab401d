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
      let translated = TranslatedPrompts()
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

/// A prompt on offer in one language: its documents and its page, each made when it is first requested and kept until the
/// next reload.
final class PublishedPrompt: Sendable {
  let name: String
  let judged: JudgedPrompt
  var edition: Edition { judged.edition }
  var prompt: Prompt { edition.prompt }
  let address: Pages.Address
  private let pages: Pages
  /// What every response carries, and the language of those that have one.
  private let headers: [(name: String, value: String)]
  /// Where the prompt is in its other languages, or `nil` if it has none.
  private let translated: TranslatedPrompts?

  private let madeRules = AtomicLazyReference<Rules>()
  private let madeDefinition = AtomicLazyReference<ConstantBody>()
  private let madeKeptDefinition = AtomicLazyReference<KeptDefinition>()
  private let madeSchema = AtomicLazyReference<ConstantBody>()
  private let madePage = AtomicLazyReference<ConstantBody>()
  private let madeAllValid = AtomicLazyReference<AllValid>()

  /// - Parameters:
  ///   - headers: what every response carries.
  ///   - translated: keeps the prompt in other languages.
  init(
    _ name: String, _ judged: JudgedPrompt, pages: Pages, headers: [(name: String, value: String)],
    among translated: TranslatedPrompts
  ) {
    self.name = name
    self.judged = judged
    let edition = judged.edition
    address = Pages.Address(page: "/prompts/\(name)", validate: "/validate/\(name)", in: edition)
    self.pages = pages
    self.headers = headers
    self.translated = edition.isOneOfSeveral ? translated : nil
  }

  /// Changes with the prompt.
  var version: String {
    var json = JSONWriter(reserving: 1024)
    judged.authored.writeDefinition(to: &json)
    return SHA256.hash(data: json.bytes).prefix(8).hexadecimal
  }

  /// The prompt in the language that the person wants.
  func inLanguage(of request: Request) -> PublishedPrompt {
    guard let translated, let language = request.language(among: edition.languages), language != edition.language
    else { return self }
    return translated.prompt(name, language) {
      PublishedPrompt(name, judged.inLanguage(language), pages: pages, headers: headers, among: translated)
    }
  }

  /// The rules JSON itself, for pages that carry what was typed.
  var rulesJSON: [UInt8] { versionedRules.json }

  var rules: ConstantBody { versionedRules.body }

  /// The prompt's definition as JSON.
  var definition: ConstantBody {
    madeDefinition.value {
      var json = JSONWriter()
      edition.writeDefinition(to: &json)
      return kept(ConstantBody(bytes: json.bytes, type: "application/json", headers: negotiated("Accept")), json.bytes)
    }
  }

  /// The definition that an ask keeps, whatever language the person has.
  var keptDefinition: [UInt8] {
    madeKeptDefinition.value { KeptDefinition(json: AskDraft(judged.authored).definition) }.json
  }

  /// The values it takes, as JSON Schema.
  var schema: ConstantBody {
    madeSchema.value {
      var json = JSONWriter()
      prompt.writeSchema(to: &json, id: address.page + "/schema", sentences: edition.sentences)
      return kept(
        ConstantBody(bytes: json.bytes, type: "application/schema+json", headers: negotiated()), json.bytes)
    }
  }

  var page: ConstantBody {
    madePage.value {
      let bytes = pages.dialog(edition, at: address, rules: rulesJSON)
      return kept(
        ConstantBody(bytes: bytes, type: "text/html; charset=utf-8", headers: negotiated("Accept")), bytes)
    }
  }

  /// Whether the page has yet to be made, and that takes longer than an event loop has time for.
  var isPageCostly: Bool { madePage.load() == nil && prompt.pageWork > WorkBudget.eventLoop.left }

  /// The same document, whose size counts for a prompt that is kept only as long as there is room.
  private func kept(_ body: ConstantBody, _ bytes: [UInt8]) -> ConstantBody {
    // Plain, compressed and, of the rules, for pages.
    translated?.grew(name, edition.language, by: 2 * bytes.count)
    return body
  }

  /// What `POST /validate/{name}` responds if it judged all fields. For valid values it is always the same, unless it
  /// depends on the values which fields apply.
  func response(to verdicts: Verdicts) -> Response {
    guard verdicts.isValid, !edition.prompt.hasConditions else { return inLanguage(verdicts.response) }
    return madeAllValid.value {
      var response = verdicts.response
      response.headers += headers + language + [("Cache-Control", "no-store")]
      return AllValid(response: response.preparedOnce)
    }.response
  }

  /// A response in this prompt's language, which is said if there is another.
  func inLanguage(_ response: Response) -> Response {
    guard translated != nil else { return response }
    var response = response
    response.headers += language
    return response
  }

  private var language: [(name: String, value: String)] {
    translated == nil ? [] : [("Content-Language", edition.language.tag), ("Vary", "Accept-Language")]
  }

  /// What a document carries that depends on this header, and on the language if there are several.
  private func negotiated(_ header: String? = nil) -> [(name: String, value: String)] {
    let vary = [header, translated == nil ? nil : "Accept-Language"].compactMap(\.self)
    return headers + [("Content-Language", edition.language.tag)]
      + (vary.isEmpty ? [] : [("Vary", vary.joined(separator: ", "))])
  }

  private var versionedRules: Rules {
    madeRules.value {
      let version = SHA256.hash(data: rulesJSON(version: "")).prefix(8).hexadecimal
      let json = rulesJSON(version: version)
      let body = ConstantBody(bytes: json, type: "application/json", version: version, headers: negotiated())
      return Rules(json: json, body: kept(body, json))
    }
  }

  private func rulesJSON(version: String) -> [UInt8] {
    var json = JSONWriter(reserving: 1024)
    edition.writeRules(to: &json, name: name, version: version)
    return json.bytes
  }

  private final class Rules: Sendable {
    let json: [UInt8]
    let body: ConstantBody
    init(json: [UInt8], body: ConstantBody) { (self.json, self.body) = (json, body) }
  }

  private final class KeptDefinition: Sendable {
    let json: [UInt8]
    init(json: [UInt8]) { self.json = json }
  }

  private final class AllValid: Sendable {
    let response: Response
    init(response: Response) { self.response = response }
  }
}

extension AtomicLazyReference {
  /// The instance, made now if nobody has made it before.
  fileprivate func value(_ make: () -> Instance) -> Instance { load() ?? storeIfNil(make()) }
}

/// Prompts in other languages than their own, made when somebody wants them: the least recently used make room for others.
/// Without a bound, a thousand prompts in every language would fill the memory.
final class TranslatedPrompts: Sendable {
  private struct Key: Hashable {
    let name: String
    let language: Language
  }

  private struct Entry {
    let prompt: PublishedPrompt
    var bytes: Int
    var lastUse: UInt64
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var bytes = 0
    var uses: UInt64 = 0
  }

  /// Bytes that they may hold.
  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int = 32 << 20) { self.capacity = capacity }

  /// How many are kept now, and their bytes.
  var size: (count: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

  /// The prompt in that language, made now unless it is kept.
  func prompt(_ name: String, _ language: Language, _ make: () -> PublishedPrompt) -> PublishedPrompt {
    let key = Key(name: name, language: language)
    if let kept = kept(key) { return kept }
    // Outside of the lock: it takes longer than all that others wait for here.
    let made = make()
    return state.withLock { state in
      if let other = state.entries[key] { return other.prompt }
      // Its fields and rules as objects, besides what it shares with the prompt in its own language.
      let bytes = made.prompt.fields.reduce(4096) { $0 + 2048 + 128 * $1.options.count }
      state.entries[key] = Entry(prompt: made, bytes: bytes, lastUse: state.uses)
      state.bytes += bytes
      makeRoom(in: &state, for: key)
      return made
    }
  }

  private func kept(_ key: Key) -> PublishedPrompt? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]?.prompt
    }
  }

  /// A document of the prompt was made.
  func grew(_ name: String, _ language: Language, by bytes: Int) {
    let key = Key(name: name, language: language)
    state.withLock { state in
      guard state.entries[key] != nil else { return }
      state.entries[key]?.bytes += bytes
      state.bytes += bytes
      makeRoom(in: &state, for: key)
    }
  }

  private func makeRoom(in state: inout State, for newest: Key) {
    while state.bytes > capacity,
      let oldest = state.entries.lazy.filter({ $0.key != newest }).min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      state.entries[oldest.key] = nil
      state.bytes -= oldest.value.bytes
    }
  }
}
