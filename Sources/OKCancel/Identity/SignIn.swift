internal import MicroHTTP
internal import Prompts

/// The page where people sign in.
struct SignIn: Sendable {
  /// Its address, with `{url}` in the place of the page to come back to; or `nil` if nobody says.
  private let start: String?
  private let baseURL: String?

  init(_ configuration: Configuration) { (start, baseURL) = (configuration.signIn, configuration.baseURL) }

  /// The link by which a visitor signs in and comes back to the question, or `nil` if nobody says where.
  func link(from request: Request) -> String? {
    // `/a/{token}` of all that is below it.
    let page = (baseURL ?? request.origin) + "/" + request.path.split(separator: "/").prefix(2).joined(separator: "/")
    return start?.replacing("{url}", with: page.percentEncoded(except: "A-Za-z0-9._~-"))
  }
}
