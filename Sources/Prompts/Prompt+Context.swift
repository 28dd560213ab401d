internal import Foundation

extension Prompt {
  /// A piece of material for the person's decision, shown above the fields: never as markup of its own.
  public enum Context: Sendable, Hashable {
    /// Plain text.
    case text(String)
    /// Markdown (CommonMark with tables). HTML and pictures are shown as their source, links as text and address.
    case markdown(String)
    /// Code, in a fixed-width font.
    ///
    /// - Parameter language: as its users write it, or `nil`.
    case code(String, language: String?)
    /// A unified diff.
    case diff(String)
    /// A table with as many cells in each row as there are columns.
    case table(columns: [String], rows: [[String]])
    /// A link to an absolute http or https URL.
    ///
    /// - Parameter title: or `nil` to show the URL.
    case link(String, title: String?)
    /// A picture as a `data:` URL of a PNG, a JPEG or a WebP, and what it shows in words.
    case image(String, alt: String)

    /// The most bytes of JSON that the blocks of a definition may have together, without its pictures. The blocks of an
    /// ask may have as many again.
    package static let limit = 16 * 1024
    /// Bytes that the pictures may have together.
    static let imageLimit = 256 * 1024

    private static let kinds = ["text", "markdown", "code", "diff", "table", "link", "image"]
    /// A PNG, a JPEG or a WebP in Base64 (RFC 2397) that begins with the bytes which such a file begins with.
    private static let imageURL = try! Pattern(
      "^data:image/(?:png;base64,iVBORw0KGgoA|jpeg;base64,/9j/|webp;base64,UklGR[A-Za-z0-9+/]{6}XRUJQ)"
        + "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$")
  }
}

// MARK: Reading

extension Prompt.Context {
  /// Reads a list of blocks, and reports every fault.
  package static func read(_ node: Node?, _ reading: inout Reading) -> [Prompt.Context] {
    guard let node, let elements = reading.list(node, "context") else { return [] }
    // An ask keeps the blocks of its prompt and its own.
    if reading.isKept { return elements.compactMap { block($0, &reading) } }
    // Each block has at least the bytes of its key.
    guard elements.count <= limit / 8 else {
      reading.report(
        "too-many", ["key": "context", "count": elements.count, "unit": "blocks", "limit": limit / 8], at: node.place)
      return []
    }
    let blocks = elements.compactMap { block($0, &reading) }
    var json = JSONWriter()
    json.array(blocks.filter { $0.imageBytes == 0 }) { $0.value($1.json) }
    if json.bytes.count > limit {
      reading.report("context-too-long", ["count": json.bytes.count, "limit": limit], at: node.place)
    }
    let imageBytes = blocks.reduce(0) { $0 + $1.imageBytes }
    if imageBytes > imageLimit {
      reading.report("images-too-large", ["count": imageBytes, "limit": imageLimit], at: node.place)
    }
    let pixels = blocks.reduce(0) { $0 + ($1.pictureSize.map(\.pixels) ?? 0) }
    if pixels > PictureSize.pixelLimit {
      reading.report("too-many-pixels", ["count": pixels, "pixels": PictureSize.pixelLimit], at: node.place)
    }
    return blocks
  }

  private static func block(_ node: Node, _ reading: inout Reading) -> Prompt.Context? {
    let keys = kinds + ["language", "title", "alt"], example = FaultRow("write-block")
    guard let map = reading.mapping(node, as: "a block", keys: keys, remedy: example) else { return nil }
    let named = map.entries.filter { kinds.contains($0.key) }
    guard let content = named.first else {
      return reading.refuse("empty-block", ["remedy": example], at: map.place)
    }
    if named.count > 1 {
      reading.report("two-blocks", ["one": content.key, "other": named[1].key], at: named[1].keyPlace)
    }
    for (key, kind) in [("language", "code"), ("title", "link"), ("alt", "image")] where content.key != kind {
      if let node = map[key] { reading.report("goes-with", ["key": key, "kind": kind], at: node.place) }
    }
    let title = reading.text(map["title"], "title", as: .line, limit: 200)
    let language = reading.text(map["language"], "language", as: .line, limit: 40)
    switch content.key {
    case "table": return table(content.value, &reading)
    case "image":
      reading.require("alt", in: map, of: "an image", remedy: FaultRow("write-alt"))
      let alt = reading.text(map["alt"], "alt", as: .title, limit: 1000)
      let url = reading.string(content.value, "image", remedy: FaultRow("not-an-image"))
      guard let url, let alt else { return nil }
      guard imageURL.matches(url) else { return reading.refuse("not-an-image", at: content.value.place) }
      let image = Prompt.Context.image(url, alt: alt)
      if reading.isKept { return image }
      let size = image.pictureSize
      guard let size else { return reading.refuse("picture-size.unknown", at: content.value.place) }
      if size.isTaken { return image }
      let (side, pixels) = (PictureSize.longestSide, PictureSize.pixelLimit)
      return reading.refuse(
        "picture-size", ["width": size.width, "height": size.height, "side": side, "pixels": pixels],
        at: content.value.place)
    case "link":
      guard let url = reading.string(content.value, "link", remedy: FaultRow("link-not-aurl")) else { return nil }
      return Rule.url.isValid(url)
        ? .link(url, title: title) : reading.refuse("link-not-aurl", at: content.value.place)
    case let kind:
      guard let text = lines(content.value, kind, &reading) else { return nil }
      return switch kind {
      case "code": .code(text, language: language)
      case "diff": .diff(text)
      case "markdown": .markdown(text)
      default: .text(text)
      }
    }
  }

  /// A picture's file; empty for another block.
  private var file: [UInt8] {
    guard case .image(let url, _) = self else { return [] }
    return Data(base64Encoded: String(url.drop { $0 != "," }.dropFirst())).map(Array.init) ?? []
  }

  /// The number of bytes of a picture, or 0 for another block.
  private var imageBytes: Int { file.count }

  private var pictureSize: PictureSize? { PictureSize(file) }

  /// A text of any lines, that ends them all with LF.
  private static func lines(_ node: Node, _ key: String, _ reading: inout Reading) -> String? {
    guard let text = reading.string(node, key) else { return nil }
    let lines = Input.lineFeeds(text)
    return reading.isUsable(lines, key, as: .lines, limit: limit, at: node.place) ? lines : nil
  }

  private static func table(_ node: Node, _ reading: inout Reading) -> Prompt.Context? {
    let keys = ["columns", "rows"], example = FaultRow("write-table")
    guard let map = reading.mapping(node, as: "a table", keys: keys, remedy: example) else { return nil }
    for key in keys { reading.require(key, in: map, of: "a table", remedy: example) }
    guard let columns = cells(map["columns"], "columns", &reading), let list = reading.list(map["rows"], "rows")
    else { return nil }
    if columns.isEmpty, let node = map["columns"] { reading.report("no-columns", at: node.place) }
    var rows: [[String]] = []
    for row in list {
      guard let cells = cells(row, "rows", &reading) else { return nil }
      if cells.count != columns.count {
        reading.report("cells", ["count": cells.count, "columns": columns.count], at: row.place)
      }
      rows.append(cells)
    }
    return .table(columns: columns, rows: rows)
  }

  private static func cells(_ node: Node?, _ key: String, _ reading: inout Reading) -> [String]? {
    guard let node, let texts = reading.strings(node, key) else { return nil }
    return texts.allSatisfy { reading.isUsable($0, key, as: .lines, limit: limit, at: node.place) } ? texts : nil
  }
}

// MARK: Writing

extension Prompt.Context {
  /// As a definition has it.
  package var json: JSON {
    switch self {
    case .text(let text): ["text": .string(text)]
    case .markdown(let text): ["markdown": .string(text)]
    case .diff(let diff): ["diff": .string(diff)]
    case .code(let code, let language): ["code": .string(code), "language": language.map(JSON.string)]
    case .link(let url, let title): ["link": .string(url), "title": title.map(JSON.string)]
    case .image(let url, let alt): ["image": .string(url), "alt": .string(alt)]
    case .table(let columns, let rows):
      ["table": ["columns": .strings(columns), "rows": .array(rows.map(JSON.strings))]]
    }
  }
}
