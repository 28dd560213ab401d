public import Asks

/// Where a JWK Set (RFC 7517, 5) is: in a file or at a URL.
public struct KeyLocation: Sendable {
  enum Place: Sendable {
    case file(String)
    case url(CallbackURL)
  }

  let place: Place

  /// - Parameter text: a URL with `https`, or with `http` if its host is this machine; else the path of a file.
  public init(_ text: String) throws(KeyLocationFault) {
    if text.isEmpty { throw .missing }
    guard text.contains("://") else {
      place = .file(text)
      return
    }
    let url: CallbackURL
    do throws(CallbackURLFault) { url = try CallbackURL(text) } catch { throw .url(error) }
    guard url.isPrivate else { throw .notSecure }
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

/// Why keys cannot be read from there.
public enum KeyLocationFault: Error, Hashable, Sendable, CustomStringConvertible {
  case missing
  case url(CallbackURLFault)
  /// Its scheme is `http`, and its host another machine.
  case notSecure

  /// The fault and its remedy, to follow the option's name and a colon.
  public var description: String {
    switch self {
    case .missing: "give the path of a file, or a URL with https://"
    case .url(let fault): "\(fault)"
    case .notSecure: "anybody between here and there could replace the keys; use https://"
    }
  }
}
