/// Makes JSON safe inside a `<script>` element, which knows no character references.
///
/// `<`, `>` and `&` only occur inside JSON strings, where their escapes mean the same.
///
/// - Parameter json: JSON as UTF-8.
func embeddable(json: [UInt8]) -> String { jsonEscapes.applied(to: json) }

private let jsonEscapes = Escapes(["<": #"\u003c"#, ">": #"\u003e"#, "&": #"\u0026"#])

/// Replacements for single bytes of a text. They are ASCII, which never occurs inside the UTF-8 of another code point.
struct Escapes: Sendable {
  /// By the byte.
  private var replacements = [String?](repeating: nil, count: 256)

  init(_ characters: [Unicode.Scalar: String]) {
    for (character, replacement) in characters { replacements[Int(character.value)] = replacement }
  }

  func applied(to text: some Collection<UInt8>) -> String {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.count + 32)
    for byte in text {
      if let replacement = replacements[Int(byte)] { escaped += replacement.utf8 } else { escaped.append(byte) }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
