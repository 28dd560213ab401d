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
      sorted = prompts.map { PublishedPrompt($0, pages: pages, headers: headers) }.sorted { $0.name < $1.name }
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
          framedBy: configuration.allowedOrigins.map(\.description), files: files.lastingPrefix)
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
    let remedy = nearest.map { "did you mean “\($0)”?" } ?? "GET / lists the prompts there are."
    throw Problem(status: .notFound, detail: "There is no prompt “\(name)”; \(remedy)")
  }
}

/// A prompt on offer: its documents and its page, each made when it is first requested and kept until the next reload.
final class PublishedPrompt: Sendable {
  let name: String
  let subject: Judging.Subject
  var prompt: Prompt { subject.prompt }
  let address: Pages.Address
  private let pages: Pages
  private let headers: [(name: String, value: String)]

  private let madeRules = AtomicLazyReference<Rules>()
  private let madeDefinition = AtomicLazyReference<ConstantBody>()
  private let madeSchema = AtomicLazyReference<ConstantBody>()
  private let madePage = AtomicLazyReference<ConstantBody>()
  private let madeAllValid = AtomicLazyReference<AllValid>()

  /// - Parameter headers: what every response carries.
  init(_ named: NamedPrompt, pages: Pages, headers: [(name: String, value: String)]) {
    name = named.name
    subject = Judging.Subject(named.prompt)
    address = Pages.Address(page: "/prompts/\(name)", validate: "/validate/\(name)")
    self.pages = pages
    self.headers = headers
  }

  /// Changes with the prompt.
  var version: String {
    var json = JSONWriter(reserving: 1024)
    prompt.writeDefinition(to: &json)
    return SHA256.hash(data: json.bytes).prefix(8).hexadecimal
  }

  /// Where a browser lands after this outcome.
  func done(_ outcome: Outcome) -> String { "\(address.page)/done?outcome=\(outcome.word)" }

  /// The rules JSON itself, for pages that carry what was typed.
  var rulesJSON: [UInt8] { versionedRules.json }

  var rules: ConstantBody { versionedRules.body }

  /// The prompt's definition as JSON.
  var definition: ConstantBody {
    madeDefinition.value {
      var json = JSONWriter()
      prompt.writeDefinition(to: &json)
      return ConstantBody(bytes: json.bytes, type: "application/json", headers: negotiated)
    }
  }

  /// The values it takes, as JSON Schema.
  var schema: ConstantBody {
    madeSchema.value {
      var json = JSONWriter()
      prompt.writeSchema(to: &json, id: address.page + "/schema")
      return ConstantBody(bytes: json.bytes, type: "application/schema+json", headers: headers)
    }
  }

  var page: ConstantBody {
    madePage.value {
      ConstantBody(
        bytes: pages.dialog(prompt, at: address, rules: rulesJSON), type: "text/html; charset=utf-8",
        headers: negotiated)
    }
  }

  /// What `POST /validate/{name}` responds if it judged all fields. For valid values it is always the same, unless it
  /// depends on them which fields apply.
  func response(to verdicts: Verdicts) -> Response {
    guard verdicts.isValid, !prompt.hasConditions else { return verdicts.response }
    return madeAllValid.value {
      var response = verdicts.response
      response.headers += headers + [("Cache-Control", "no-store")]
      return AllValid(response: response.preparedOnce)
    }.response
  }

  /// The page and the definition share an address.
  private var negotiated: [(name: String, value: String)] { headers + [("Vary", "Accept")] }

  private var versionedRules: Rules {
    madeRules.value {
      let version = SHA256.hash(data: rulesJSON(version: "")).prefix(8).hexadecimal
      let json = rulesJSON(version: version)
      return Rules(
        json: json, body: ConstantBody(bytes: json, type: "application/json", version: version, headers: headers))
    }
  }

  private func rulesJSON(version: String) -> [UInt8] {
    var json = JSONWriter(reserving: 1024)
    prompt.writeRules(to: &json, name: name, version: version)
    return json.bytes
  }

  private final class Rules: Sendable {
    let json: [UInt8]
    let body: ConstantBody
    init(json: [UInt8], body: ConstantBody) { (self.json, self.body) = (json, body) }
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
