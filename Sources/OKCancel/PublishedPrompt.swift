internal import Asks
internal import Crypto
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import Synchronization

/// Prompts in other languages than their own, made on first request; by name and language.
typealias TranslatedPrompts = LRUCache<String, PublishedPrompt>

/// A prompt on offer in one language: its documents, each made when it is first requested and kept until the next reload.
final class PublishedPrompt: Sendable {
  let name: String
  let dialog: Dialog
  /// An ask that puts the prompt as it is.
  let draft: AskDraft
  var edition: Edition { dialog.edition }
  private let pages: Pages
  /// The headers of every document.
  private let headers: [(name: String, value: String)]
  /// The prompt in its other languages, or `nil` if it has none.
  private let translated: TranslatedPrompts?
  private let documents = Mutex<[Document: ConstantBody]>([:])

  /// - Parameters:
  ///   - headers: what every document carries.
  ///   - translated: keeps the prompt in other languages.
  init(
    _ name: String, _ edition: Edition, pages: Pages, headers: [(name: String, value: String)],
    among translated: TranslatedPrompts
  ) {
    self.name = name
    self.pages = pages
    self.headers = headers
    draft = AskDraft(edition.authored, named: name)
    dialog = Dialog(
      edition, at: pages.address(page: "/prompts/\(name)", validate: "/validate/\(name)", in: edition), named: name,
      version: SHA256.version(of: draft.definition), headers: headers)
    self.translated = edition.isOneOfSeveral ? translated : nil
  }

  /// The prompt in the language that the person wants.
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

  /// True if this document was made already.
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
}

extension SHA256 {
  /// Changes with these bytes.
  static func version(of bytes: [UInt8]) -> String { hash(data: bytes).prefix(8).hexadecimal }
}
