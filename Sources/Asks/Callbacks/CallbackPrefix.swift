/// Callbacks that the operator allows: everything under one path of one origin.
///
/// Compared part by part: `https://a.example/hooks` allows `https://a.example/hooks` and
/// `https://a.example/hooks/7?x=y`, but neither `https://a.example/hooksmith` nor
/// `https://a.example.evil/hooks`. A slash at its end makes no difference.
public struct CallbackPrefix: Hashable, Sendable {
  private let url: CallbackURL

  /// - Throws: `CallbackURLFault` if it is no such URL, or has a query.
  public init(_ text: String) throws(CallbackURLFault) {
    url = try CallbackURL(text)
    guard url.query == nil else { throw .query }
  }

  package func allows(_ other: CallbackURL) -> Bool {
    url.scheme == other.scheme && url.host == other.host && url.port == other.port
      && other.segments.starts(with: path)
  }

  private var path: ArraySlice<String> {
    url.segments.last == "" ? url.segments.dropLast() : url.segments[...]
  }
}

extension CallbackPrefix: CustomStringConvertible {
  /// Its URL.
  public var description: String { url.text }
}
