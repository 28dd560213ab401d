/// The media types of the files that a web page is made of.
enum MediaType {
  /// By the name's extension; `application/octet-stream` when it is not known.
  static func ofFile(named name: String) -> String {
    if name.hasSuffix(".schema.json") { return "application/schema+json" }
    let dot = name.lastIndex(of: ".").map(name.index(after:)) ?? name.endIndex
    return byExtension[name[dot...].lowercased()] ?? "application/octet-stream"
  }

  private static let byExtension = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "txt": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8",
    "ts": "text/plain; charset=utf-8", "json": "application/json", "map": "application/json",
    "webmanifest": "application/manifest+json", "wasm": "application/wasm", "svg": "image/svg+xml", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "ico": "image/vnd.microsoft.icon", "woff2": "font/woff2",
  ]
}
