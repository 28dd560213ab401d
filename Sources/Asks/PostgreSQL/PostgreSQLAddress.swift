internal import CPQ
internal import Foundation
internal import Prompts

/// The address of a PostgreSQL database, with the login: `postgresql://…`. Whatever it leaves out comes from libpq's
/// environment variables (`PGPASSWORD`, `PGSSLMODE` …) and from `~/.pgpass`.
package struct PostgreSQLAddress: Sendable, CustomStringConvertible {
  private let text: String
  /// For an address that has none, or `nil` to leave it to libpq.
  private let password: String?
  /// Hosts, ports, user and database: what can be printed.
  package let description: String
  /// The servers that it names, which are tried in this order; never none.
  let servers: [Server]
  /// The time that each server has to let a connection in.
  let patience: Duration
  /// True if the address itself has a password.
  package let hasPassword: Bool

  /// One of the servers of an address, in libpq's words; all `nil` if the address leaves them to libpq.
  struct Server: CustomStringConvertible {
    var host: String?
    var hostAddress: String?
    var port: String?

    var description: String { (host ?? hostAddress ?? "") + (port.map { ":\($0)" } ?? "") }
  }

  /// True if this is the address of a PostgreSQL database, and false if it is the path of a file.
  ///
  /// - Throws: `StoreFault` if it looks like another address: a file of that name would get its password.
  package static func isOne(_ text: String) throws(StoreFault) -> Bool {
    if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") { return true }
    let word = text.drop(while: \.isWhitespace)
    var (scheme, keyword) = (TextReader(word), TextReader(word))
    let isScheme =
      scheme.take(some: "A-Za-z0-9+.-") != nil && scheme.take(":") && word.utf8.first.map(ASCII.isLetter) == true
    let isKeyword = keyword.take(some: "A-Za-z_") != nil && keyword.rest.drop(while: \.isWhitespace).hasPrefix("=")
    if isScheme || isKeyword { throw StoreFault("address.neither") }
    return false
  }

  /// - Parameter password: for an address that has none.
  /// - Throws: `StoreFault` if libpq is missing or cannot read the address.
  package init(_ text: String, password: String? = nil) throws(StoreFault) {
    let pq = try PQ.open()
    var problem: UnsafeMutablePointer<CChar>?
    guard let options = pq.PQconninfoParse(text, &problem) else {
      defer { pq.PQfreemem(problem) }
      // libpq quotes the address, which can have a password; but of an option that it does not know, only the name.
      let words = problem.map { String(cString: $0) } ?? ""
      var reader = TextReader(after: "invalid URI query parameter: \"", in: words)
      guard let option = reader?.take(some: "a-z_", 1...32), reader?.take("\"") == true else {
        throw StoreFault("address.unreadable")
      }
      throw StoreFault("address.option", ["option": String(option)])
    }
    defer { pq.PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    let user = values["user"].map { $0 + "@" } ?? ""
    servers = Self.servers(in: values)
    description =
      "postgresql://\(user)\(servers.map(\.description).joined(separator: ","))/\(values["dbname"] ?? "")"
    // As libpq has it: 0 is for ever, and 1 is too short. Nobody waits for ever here.
    let seconds = values["connect_timeout"].flatMap { Int($0) } ?? 0
    patience = .seconds(seconds > 0 ? min(max(seconds, 2), 10) : 10)
    hasPassword = values["password"] != nil || values["sslpassword"] != nil
    self.text = text
    self.password = values["password"] == nil ? password : nil
  }

  /// libpq tries one after the other too, but never leaves one that accepts a connection and then says nothing.
  private static func servers(in values: [String: String]) -> [Server] {
    func list(_ keyword: String) -> [String] {
      values[keyword]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }
    let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    let count = max(hosts.count, addresses.count)
    let whole = Server(host: values["host"], hostAddress: values["hostaddr"], port: values["port"])
    // What libpq refuses, or completes from elsewhere, it gets as it is.
    guard count > 1, [hosts, addresses].allSatisfy({ [0, count].contains($0.count) && !$0.contains("") }),
      [0, 1, count].contains(ports.count)
    else { return [whole] }
    // In `h1:5433,h2` the second has none. An empty one would not stand in the place of the list.
    let standard = ProcessInfo.processInfo.environment["PGPORT"] ?? "5432"
    return (0..<count).map { place in
      Server(
        host: hosts.isEmpty ? nil : hosts[place], hostAddress: addresses.isEmpty ? nil : addresses[place],
        port: (ports.count > 1 ? ports[place] : ports.first).map { $0.isEmpty ? standard : $0 })
    }
  }

  /// Calls `body` with libpq's keywords and values. Parameters before the address are defaults that it can override;
  /// those after it stand in its own place.
  func withParameters<Result>(
    of server: Server,
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    var parameters = [
      ("fallback_application_name", "okcancel"), ("tcp_user_timeout", "10000"),
      ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "2"),
      ("target_session_attrs", "read-write"), ("dbname", text), ("client_encoding", "UTF8"),
    ]
    if let password { parameters.append(("password", password)) }
    for case (let keyword, let value?) in [
      ("host", server.host), ("hostaddr", server.hostAddress), ("port", server.port),
    ] { parameters.append((keyword, value)) }
    return StoreValue.with(parameters.map { .text($0.0) }) { _, keywords, _, _ in
      StoreValue.with(parameters.map { .text($0.1) }) { _, values, _, _ in body(keywords + [nil], values + [nil]) }
    }
  }
}
