/// The media types of the files that a web page is made of.
enum MediaType {
  /// By the name's extension; `application/octet-stream` when it is not known.
  static func ofFile(named name: String) -> String {
    if name.hasSuffix(".schema.json") { return "application/schema+json" }
    guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
    return switch name[name.index(after: dot)...].lowercased() {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "json", "map": "application/json"
    case "txt", "md", "ts": "text/plain; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "ico": "image/vnd.microsoft.icon"
    case "woff2": "font/woff2"
    case "webmanifest": "application/manifest+json"
    case "wasm": "application/wasm"
    default: "application/octet-stream"
    }
  }
}
