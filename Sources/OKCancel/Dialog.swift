internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// The documents of a prompt.
enum Document: Sendable { case page, definition, rules, schema }

/// A prompt at an address, in one of its languages.
final class Dialog: Sendable {
  let edition: Edition
  let address: Pages.Address
  /// The prompt's name in the rules JSON, or `nil` if it has none.
  let name: String?
  /// Changes with the prompt, whatever the language: an answer to another version answers another question.
  let version: String

  /// The headers of a response that depend on its language.
  let languageHeaders: [(name: String, value: String)]
  /// The headers of every response of a prompt on offer.
  private let headers: [(name: String, value: String)]
  /// The responses with the verdicts on all fields that were given last, or `nil` for the question behind a link.
  private let responses: LRUCache<VerdictsKey, Response>?

  /// - Parameters:
  ///   - name: what the rules JSON calls it, or `nil` if it has no name.
  ///   - headers: what every response of a prompt on offer carries, or `nil` for the question behind a link.
  init(
    _ edition: Edition, at address: Pages.Address, named name: String?, version: String,
    headers: [(name: String, value: String)]? = nil
  ) {
    self.edition = edition
    self.address = address
    self.name = name
    self.version = version
    self.headers = headers ?? []
    responses = headers.map { _ in LRUCache(capacity: 32 << 10) }
    // A prompt on offer says its language if there is another.
    languageHeaders =
      headers == nil
      ? [("Content-Language", edition.language.tag)]
      : edition.isOneOfSeveral ? [("Content-Language", edition.language.tag), ("Vary", "Accept-Language")] : []
  }

  /// - Parameter values: what the fields hold at first, or `nil` for their own values.
  func bytes(of document: Document, on pages: Pages, holding values: Inputs? = nil) -> [UInt8] {
    var json = JSONWriter()
    switch document {
    case .page: return pages.dialog(edition, at: address, version: version, rules: rules, inputs: values)
    case .definition:
      edition.writeDefinition(
        to: &json, holding: values ?? Inputs(), askedBy: address.askedBy, requestedBy: address.requestedBy)
    case .rules: return rules
    case .schema:
      edition.prompt.writeSchema(to: &json, id: address.page + "/schema", sentences: edition.sentences)
    }
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
      case .link, .image: pieces + 1
      }
    }
    return edition.prompt.fields.reduce(inContext) { $0 + 5 + $1.options.count } > 100
  }

  /// The rules JSON.
  var rules: [UInt8] {
    var json = JSONWriter(reserving: 1024)
    edition.writeRules(to: &json, name: name, version: version)
    return json.bytes
  }

  /// The response with these verdicts. Of a prompt on offer a few are given again and again, so they are cached, complete
  /// with all headers.
  func response(with verdicts: Verdicts) -> Response {
    let key = VerdictsKey(verdicts: verdicts)
    let responses = verdicts.entries.count == edition.prompt.fields.count ? responses : nil
    if let kept = responses?[key] { return kept }
    let body = verdicts.jsonBytes
    var response = Response.json(body).limited
    response.headers += languageHeaders
    // Only short ones come again.
    guard let responses, body.count <= 2048 else { return response }
    // Which origin asks makes a difference to documents only.
    response.headers += headers.filter { $0.name != "Vary" } + [("Cache-Control", "no-store")]
    return responses.keep(response.preparedOnce, for: key, bytes: 2048 + body.count)
  }
}

/// The key of a cached response: its verdicts on all fields. Only their rules are hashed, since messages are long and
/// each rule has few of them.
private struct VerdictsKey: Hashable, Sendable {
  let verdicts: Verdicts

  static func == (one: Self, other: Self) -> Bool { one.verdicts.entries.elementsEqual(other.verdicts.entries, by: ==) }

  func hash(into hasher: inout Hasher) { verdicts.forEachInvalid { _, rule, _ in hasher.combine(rule) } }
}
