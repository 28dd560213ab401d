internal import Asks
internal import Crypto
internal import MicroHTTP
internal import Prompts
internal import Synchronization

/// The documents of a prompt.
enum Document: Int, Sendable, CaseIterable { case page, definition, rules, schema }

/// Prompts in other languages than their own, made on first request; by name and language.
typealias TranslatedPrompts = LRUCache<String, PublishedPrompt>

/// A prompt at an address, in one of its languages: a standing one, or behind a link.
///
/// Of a standing prompt, each document is made when it is first requested and kept until the next reload.
final class PublishedPrompt: Sendable {
  /// Its name, or empty if a program asks it without one.
  let name: String
  let edition: Edition
  let address: Pages.Address
  /// Changes with the prompt, whatever the language: an answer to another version answers another question.
  let version: String
  /// An ask that puts the standing prompt as it is; `nil` behind a link.
  let draft: AskDraft?
  /// The headers of a response that depend on its language.
  let languageHeaders: [(name: String, value: String)]
  private let pages: Pages
  /// The headers of every document of a standing prompt.
  private let headers: [(name: String, value: String)]
  /// The prompt in its other languages, or `nil` if it has none.
  private let translated: TranslatedPrompts?
  /// In the order of the cases.
  private let documents = Mutex<[ConstantBody?]>(Document.allCases.map { _ in nil })
  /// The responses with the verdicts on all fields that were given last, or `nil` behind a link.
  private let responses: LRUCache<VerdictsKey, Response>?

  typealias Offer = (draft: AskDraft, headers: [(name: String, value: String)], translated: TranslatedPrompts)

  /// - Parameter offer: `nil` for the question behind a link.
  init(
    _ edition: Edition, at address: Pages.Address, on pages: Pages, named name: String, version: String,
    as offer: Offer? = nil
  ) {
    self.name = name
    self.edition = edition
    self.address = address
    self.version = version
    self.pages = pages
    draft = offer?.draft
    headers = offer?.headers ?? []
    translated = edition.isOneOfSeveral ? offer?.translated : nil
    responses = offer.map { _ in LRUCache(capacity: 32 << 10) }
    // A standing prompt says its language if there is another.
    languageHeaders =
      offer == nil
      ? [("Content-Language", edition.language.tag)]
      : edition.isOneOfSeveral ? [("Content-Language", edition.language.tag), ("Vary", "Accept-Language")] : []
  }

  /// A standing prompt.
  ///
  /// - Parameters:
  ///   - headers: what every document carries.
  ///   - translated: keeps the prompt in other languages.
  convenience init(
    _ name: String, _ edition: Edition, pages: Pages, headers: [(name: String, value: String)],
    among translated: TranslatedPrompts
  ) {
    let draft = AskDraft(edition.authored, named: name)
    self.init(
      edition, at: pages.address(page: "/prompts/\(name)", validate: "/validate/\(name)", in: edition), on: pages,
      named: name, version: SHA256.version(of: draft.definition), as: (draft, headers, translated))
  }

  /// The standing prompt in the language that the person wants.
  func inLanguage(of request: Request) -> PublishedPrompt {
    guard let translated, let language = request.language(among: edition.languages), language != edition.language
    else { return self }
    let key = "\(name).\(language)"
    if let kept = translated[key] { return kept }
    let other = PublishedPrompt(
      name, edition.inLanguage(language), pages: pages, headers: headers, among: translated)
    // Its documents, plain and compressed, and its fields and rules as objects.
    let bytes = edition.prompt.fields.reduce(32 << 10) { total, field in
      total + (4 << 10) + field.options.reduce(0) { $0 + 256 + 4 * ($1.help?.utf8.count ?? 0) }
    }
    return translated.keep(other, for: key, bytes: bytes)
  }

  /// The document if it was made already.
  func kept(_ document: Document) -> ConstantBody? { documents.withLock { $0[document.rawValue] } }

  subscript(document: Document) -> ConstantBody {
    if let kept = kept(document) { return kept }
    // Outside of the lock: it takes longer than everything else under the lock.
    let new = body(of: document)
    return documents.withLock { documents in
      let kept = documents[document.rawValue] ?? new
      documents[document.rawValue] = kept
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
    let bytes = bytes(of: document)
    let own = headers.map { name, value in
      (name, document == .page && name == "Content-Security-Policy" ? Resources.policy(value, of: bytes) : value)
    }
    return ConstantBody(
      bytes: bytes, type: type,
      headers: own + [("Content-Language", edition.language.tag)]
        + (vary.isEmpty ? [] : [("Vary", vary.joined(separator: ", "))]))
  }

  /// The response with these verdicts. Of a standing prompt a few are given again and again, so they are cached, complete
  /// with all headers.
  ///
  /// - Parameter isRefusal: whether it refuses an answer with them.
  func response(with verdicts: Verdicts, asRefusal isRefusal: Bool = false) -> Response {
    let key = VerdictsKey(entries: verdicts.entries, isRefusal: isRefusal)
    let responses = verdicts.entries.count == edition.prompt.fields.count ? responses : nil
    if let kept = responses?[key] { return kept }
    var response = isRefusal ? Problem.invalid(verdicts).response : Response.json(verdicts.jsonBytes).limited
    response.headers += languageHeaders
    // Only short ones come again.
    guard let responses, let count = response.body.count, count <= 2048 else { return response }
    // Which origin asks makes a difference to documents only.
    response.headers += headers.filter { $0.name != "Vary" } + [("Cache-Control", "no-store")]
    // A refusal gets the request's id besides.
    return responses.keep(isRefusal ? response : response.preparedOnce, for: key, bytes: 2048 + count)
  }

  // MARK: Documents

  /// - Parameter values: what the fields hold at first, or `nil` for their own values.
  func bytes(of document: Document, holding values: Inputs? = nil) -> [UInt8] {
    var json = JSONWriter()
    switch document {
    case .page: return page(holding: values)
    case .definition:
      edition.writeDefinition(
        to: &json, holding: values ?? Inputs(), askedBy: address.askedBy, requestedBy: address.requestedBy)
    case .rules: return rules
    case .schema:
      edition.prompt.writeSchema(to: &json, id: address.page + "/schema", sentences: edition.sentences)
    }
    return json.bytes
  }

  /// - Parameters:
  ///   - verdicts: on these values, if they were judged already.
  ///   - problem: what is wrong with them otherwise.
  func page(holding values: Inputs?, verdicts: Verdicts? = nil, problem: String? = nil) -> [UInt8] {
    pages.dialog(
      edition, at: address, version: version, rules: rules, inputs: values, verdicts: verdicts, problem: problem)
  }

  /// The rules JSON.
  private var rules: [UInt8] {
    var json = JSONWriter(reserving: 1024)
    edition.writeRules(to: &json, name: name.isEmpty ? nil : name, version: version)
    return json.bytes
  }

  /// True if a document of it takes longer to make than cheap requests do: it has many fields, options, lines or cells,
  /// or a long text, in which each code point can be one that is marked.
  var isLarge: Bool {
    let inContext = edition.prompt.context.reduce(0) { pieces, block in
      switch block {
      case .diff(let diff): pieces + diff.utf8.count { $0 == UInt8(ascii: "\n") }
      case .table(let columns, let rows): pieces + columns.count * (rows.count + 1)
      case .text(let text), .code(let text, _): pieces + 1 + text.utf8.count / 64
      case .markdown(let text): pieces + 1 + text.utf8.count / 16
      case .link, .image: pieces + 1
      }
    }
    return edition.prompt.fields.reduce(inContext) { $0 + 5 + $1.options.count } + marked > 100
  }

  /// The texts in which something may have to be written out, in pieces of what a document is made of.
  private var marked: Int {
    let prompt = edition.prompt
    let texts = prompt.fields.flatMap { field in
      [field.label, field.placeholder, field.help, field.section, field.sectionHelp]
        + field.options.map { $0.title as String? }
    }
    return ([prompt.title, prompt.message] + texts).reduce(0) { pieces, text in
      text.map { $0.mayHide ? pieces + 1 + $0.utf8.count / 512 : pieces } ?? pieces
    }
  }
}

/// The key of a cached response: its verdicts on all fields. Only their rules are hashed, since messages are long and
/// each rule has few of them.
private struct VerdictsKey: Hashable, Sendable {
  let entries: [(field: String, verdict: Verdict)]
  let isRefusal: Bool

  static func == (one: Self, other: Self) -> Bool {
    one.isRefusal == other.isRefusal && one.entries.elementsEqual(other.entries, by: ==)
  }

  func hash(into hasher: inout Hasher) {
    for case (_, .invalid(let rule, _)) in entries { hasher.combine(rule) }
  }
}

extension SHA256 {
  /// Changes with these bytes.
  static func version(of bytes: [UInt8]) -> String { hash(data: bytes).prefix(8).hexadecimal }
}
