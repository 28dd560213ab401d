/// The path of `baseURL`, under which a proxy offers the server beside other sites.
///
/// Every address in a page or a response begins with it. A request's may, since some proxies leave it out.
extension Configuration {
  /// `/ask`; empty if the server has its host to itself.
  var basePath: String {
    guard let url = baseURL, let scheme = url.firstRange(of: "://") else { return "" }
    let path = url[scheme.upperBound...].drop { $0 != "/" }
    return path.split(separator: "/").map { "/\($0)" }.joined()
  }

  /// - Parameter paths: of the server's routes and files.
  /// - Throws: `AskFault` if a request could be for the base path as well as for one of these.
  func checkBasePath(against paths: [String]) throws(AskFault) {
    let segments = basePath.split(separator: "/")
    let characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8
    guard let first = segments.first else { return }
    guard segments.allSatisfy({ $0 != "." && $0 != ".." && $0.utf8.allSatisfy(characters.contains) }) else {
      throw AskFault.setup("the path of --base-url may only have letters, digits, - . _ and ~; it is \(basePath)")
    }
    guard !paths.contains(where: { $0.split(separator: "/").first == first }) else {
      throw AskFault.setup(
        "the path of --base-url cannot begin with /\(first), an address of the server; choose another")
    }
  }
}
