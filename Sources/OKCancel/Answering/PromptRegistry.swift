internal import Asks
internal import Crypto
internal import Logging
internal import MicroHTTP
internal import Prompts
internal import Synchronization

/// The prompts that a server offers now, with their pages and the static files. A reload replaces everything at once.
final class PromptRegistry: Sendable {
  /// The prompts and files between two reloads.
  struct Generation: Sendable {
    /// By name.
    let sorted: [PublishedPrompt]
    private let byName: [String: PublishedPrompt]
    let pages: Pages
    let files: StaticFiles

    /// - Precondition: no two prompts have the same name.
    init(_ prompts: [NamedPrompt], pages: Pages, files: StaticFiles, headers: [(name: String, value: String)]) {
      self.pages = pages
      self.files = files
      // Without a bound, a thousand prompts in every language would fill the memory.
      let translated = TranslatedPrompts(capacity: 32 << 20)
      sorted = prompts.map { named in
        PublishedPrompt(named.name, named.prompt.edition(), pages: pages, headers: headers, among: translated)
      }.sorted { $0.name < $1.name }
      byName = Dictionary(uniqueKeysWithValues: sorted.map { ($0.name, $0) })
    }

    /// Strings are equal by canonical equivalence, by which U+212A KELVIN SIGN is `K`; a name is one sequence of bytes.
    subscript(name: String) -> PublishedPrompt? { byName[name].flatMap { isSame($0.name, name) ? $0 : nil } }

    /// Checks the prompts, and reads the templates and the static files.
    ///
    /// - Parameter language: that of prompts that name none.
    /// - Throws: `AskFault` if a prompt cannot be served, a folder is missing or a file in it cannot be used.
    init(
      reading configuration: Configuration, _ prompts: [NamedPrompt], in language: Language,
      knowing predicates: Predicates, _ logger: Logger
    ) throws(AskFault) {
      let prompts = prompts.map { $0.inLanguage(language) }
      try Self.check(prompts, predicates, configuration.identity, configuration.channels)
      let headers = SecurityHeaders(configuration)
      let files = try AskFault.wrapping {
        try StaticFiles(
          Resources.bundled(besides: configuration.public, under: configuration.basePath),
          directory: try Resources.folder(configuration.public, for: "--public"),
          headers: headers.ofFile)
      }
      var pages = try AskFault.wrapping {
        try Pages(
          templates: Resources.templates, directory: try Resources.folder(configuration.templates, for: "--templates"),
          framedBy: configuration.allowedOrigins.map(\.description), under: configuration.basePath,
          files: files.lastingPrefix,
          inlined: Resources.inlined(besides: configuration.public))
      }
      let paths = Set(files.paths)
      pages.theme = ["theme.css"].first { paths.contains("/\($0)") }
      pages.logo = ["logo.svg", "logo.png"].first { paths.contains("/\($0)") }
      pages.kinds = Resources.kinds(besides: configuration.public)
      pages.isAnsweredByMachine = configuration.answers != nil
      if configuration.isWatched { pages.watchedVersion = Self.version(of: prompts, pages, files) }
      Self.warn(of: prompts, logger)
      self.init(prompts, pages: pages, files: files, headers: headers.headers + CrossOrigin(configuration).varying)
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
    private static func check(
      _ prompts: [NamedPrompt], _ predicates: Predicates, _ identity: Identity?, _ channels: [Channel]
    ) throws(AskFault) {
      var names: Set<String> = []
      for named in prompts {
        guard NamedPrompt.isName(named.name) else {
          throw AskFault.setup(
            "“\(named.name)” cannot name a prompt; use up to 64 of a to z, 0 to 9 and hyphens, not beginning with a hyphen"
          )
        }
        guard names.insert(named.name).inserted else {
          throw AskFault.setup("two prompts are named “\(named.name)”; rename one")
        }
        try named.prompt.check(named.name, predicates, wasRead: named.wasRead)
        let answerers = named.prompt.answerers
        if !answerers.isEmpty, identity == nil {
          throw AskFault.setup(
            "the prompt “\(named.name)” is for some people only, and nothing says who a visitor is; offer it by “okcancel serve” with --identity, or remove its `for` and `notBy`"
          )
        }
        if let key = answerers.keyOfGroup, identity?.groups == nil {
          throw AskFault.setup(
            "the prompt “\(named.name)” names a group in `\(key)`, and nothing says who belongs to one; set --identity-groups or --identity-groups-claim, or name people"
          )
        }
        if let channel = channels.unknown(in: named.prompt.noticePlan) {
          let known = channels.names.isEmpty ? "there is none" : "there are \(channels.names.joined(separator: ", "))"
          throw AskFault.setup(
            "the prompt “\(named.name)” names the channel “\(channel)” in `notify`, and \(known); offer it by “okcancel serve” with --channel, or remove it from `notify`"
          )
        }
        if let ask = answerers.asks.first {
          throw AskFault.setup(
            "the prompt “\(named.name)” names ask:\(ask) in `notBy`; name asks where the question is asked, with POST /asks"
          )
        }
      }
    }
  }

  private let generation: Mutex<Generation>
  /// In the language of pages that belong to no prompt.
  let sentences: Sentences

  init(_ generation: Generation, in language: Language) {
    self.generation = Mutex(generation)
    sentences = Sentences(in: language)
  }

  var current: Generation { generation.withLock { $0 } }
  var pages: Pages { generation.withLock { $0.pages } }
  var files: StaticFiles { generation.withLock { $0.files } }

  func replace(with next: Generation) { generation.withLock { $0 = next } }

  // Under the lock, which is shorter than to retain the generation and release it.
  subscript(name: String) -> PublishedPrompt? { generation.withLock { $0[name] } }

  /// - Throws: `Problem` 404 that suggests the nearest name of all.
  func prompt(_ name: String) throws(Problem) -> PublishedPrompt {
    guard let published = self[name] else { throw Problem(unknownPrompt: name, among: current.sorted) }
    return published
  }
}

extension Problem {
  /// 404 that suggests the nearest name.
  ///
  /// - Parameter visible: the prompts that the visitor may know of.
  init(unknownPrompt name: String, among visible: [PublishedPrompt]) {
    if let nearest = Nearest.nearest(to: name, among: visible.map(\.name)) {
      self.init("unknown-prompt.near", ["name": name, "nearest": nearest])
    } else {
      self.init("unknown-prompt", ["name": name])
    }
  }
}

extension Prompt {
  /// - Parameters:
  ///   - name: under which it is to be offered, or `nil` if it is only asked.
  ///   - wasRead: whether it was read from a file. To check its definition again would find nothing new, and take as long
  ///     as the first time.
  func check(_ name: String?, _ predicates: Predicates, wasRead: Bool = false) throws(AskFault) {
    var found: [Fault] = wasRead ? [] : self.faults
    if found.isEmpty { found = faults(knowing: predicates) }
    if !found.isEmpty { throw .unusablePrompt(found, named: name) }
  }
}
