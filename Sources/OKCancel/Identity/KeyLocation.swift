internal import Asks
public import Platform

/// Where a JWK Set (RFC 7517, 5) is: in a file or at a URL.
public struct KeyLocation: Sendable {
  enum Place: Sendable {
    case file(String)
    case url(CallbackURL)
  }

  let place: Place

  /// - Parameter text: a URL with `https`, or with `http` if its host is this machine; else the path of a file.
  public init(_ text: String) throws(PlainError) {
    if text.isEmpty { throw PlainError("give the path of a file, or a URL with https://") }
    guard text.contains("://") else {
      place = .file(text)
      return
    }
    let url = try CallbackURL(text)
    guard url.isPrivate else {
      throw PlainError("anybody between here and there could replace the keys; use https://")
    }
    place = .url(url)
  }
}

extension KeyLocation: CustomStringConvertible {
  /// The part that a log may name: a URL's path and query can hold a secret.
  public var description: String {
    switch place {
    case .file(let path): path
    case .url(let url): url.origin
    }
  }
}
