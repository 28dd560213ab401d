/// The reason a text is no URL for callbacks.
public enum CallbackURLFault: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong, characters, fragment, scheme, userInfo, host, port, percent, encodedSlash, dotSegment
  /// A prefix of URLs with a query.
  case query

  /// The fault and its remedy, to follow the URL's name and a colon.
  public var description: String {
    switch self {
    case .tooLong: "it is longer than \(CallbackURL.limit) bytes; use a shorter one"
    case .characters:
      #"it has white space, \, a quote, a bracket or a letter beyond ASCII; write these as %XX, a host as xn--…"#
    case .fragment: "it has a “#”, and what follows is never sent; leave it out"
    case .scheme: "it does not begin with https:// or http://; give a whole URL"
    case .userInfo: "it has a user name or an “@” before its path; leave that out, the signature says who sends"
    case .host: "its host is neither a name nor an address; write it like hooks.example.com or [2001:db8::1]"
    case .port: "its port is not a number from 1 to 65535; correct it, or leave out the colon"
    case .percent: "it has a “%” without two hexadecimal digits; write %25 for the sign itself"
    case .encodedSlash: "its path has an encoded /, \\ or NUL, which servers read differently; use another path"
    case .dotSegment: "its path has a “.” or “..” segment; write the path that it leads to"
    case .query: "it has a “?”; a prefix ends with its path"
    }
  }
}
