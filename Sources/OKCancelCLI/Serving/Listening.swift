internal import ArgumentParser
internal import OKCancel

/// Where to listen and what to serve from.
struct Listening: ParsableArguments {
  @Option(help: ArgumentHelp("Address to listen on. (default: 127.0.0.1)", valueName: "address"))
  var host: String?
  @Option(help: ArgumentHelp("Port to listen on; 0 takes a free one. (default: 8080)", valueName: "port"))
  var port: String?
  @Option(
    name: .customLong("tls-cert"),
    help: ArgumentHelp(
      "PEM file of the certificate, and those that lead to its root, to serve HTTPS with; read at the start and on SIGHUP.",
      valueName: "file"))
  var tlsCertificate: String?
  @Option(
    name: .customLong("tls-key"),
    help: ArgumentHelp("PEM file of the certificate's key, without a passphrase.", valueName: "file"))
  var tlsKey: String?
  @Option(
    help: ArgumentHelp(
      "Whether browsers that came by HTTPS are told to come by nothing else for a year: on or off. (default: on)",
      valueName: "on|off"))
  var hsts: String?
  @Option(help: ArgumentHelp("Connections at a time; more wait. (default: 16384)", valueName: "count"))
  var connections: String?
  @Option(
    help: ArgumentHelp(
      "Connections at a time from one address but this machine's; more are closed. (default: 1024)", valueName: "count")
  )
  var connectionsPerClient: String?
  @Option(help: ArgumentHelp("Threads that answer requests. (default: one a core)", valueName: "count"))
  var threads: String?
  @Option(
    help: ArgumentHelp("Folder of page templates that replace the built-in ones, file by file.", valueName: "dir"))
  var templates: String?
  @Option(
    help: ArgumentHelp(
      "Folder of static files that replace the built-in ones, file by file, or are served beside them.",
      valueName: "dir"))
  var `public`: String?
  @Option(
    help: ArgumentHelp(
      "Origin, like https://tools.example.com, whose pages may embed dialogs, read rules and post here; repeatable.",
      valueName: "origin"))
  var allowOrigin: [String] = []
  @Option(
    help: ArgumentHelp(
      "Name, like ask.example.com, that the server answers to, besides localhost, addresses, this machine's name and the host of --base-url; repeatable.",
      valueName: "name"))
  var allowHost: [String] = []

  func configuration() throws -> Configuration {
    var configuration = Configuration()
    configuration.host = Setting("host").text(host) ?? configuration.host
    configuration.port = try Setting("port").number(port, in: 0...65_535) ?? configuration.port
    configuration.threads = try Setting("threads").number(threads, in: 1...1024)
    configuration.connections =
      try Setting("connections").number(connections, in: 16...1_000_000) ?? configuration.connections
    configuration.connectionsPerClient =
      try Setting("connections-per-client").number(connectionsPerClient, in: 1...1_000_000)
      ?? configuration.connectionsPerClient
    configuration.tls = try tls()
    configuration.hsts = try Setting("hsts").word(hsts, of: Switch.self) != .off
    configuration.templates = Setting("templates").text(templates)
    configuration.public = Setting("public").text(`public`)
    configuration.allowedOrigins = try Setting("allow-origin").list(allowOrigin).map { text in
      guard let origin = Origin(text) else {
        throw Setting("allow-origin").wrong(
          text, flag: allowOrigin.first, "give scheme and host, like https://tools.example.com")
      }
      return origin
    }
    configuration.allowedHosts = try Setting("allow-host").list(allowHost).map { text in
      guard (1...253).contains(text.utf8.count), text.utf8.allSatisfy(Self.isInName) else {
        throw Setting("allow-host").wrong(
          text, flag: allowHost.first,
          "give a name without scheme and port, like ask.example.com; one with letters outside ASCII as xn--…")
      }
      return text
    }
    return configuration
  }
}

extension Listening {
  private enum Switch: String, CaseIterable { case on, off }

  private static func isInName(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._".utf8.contains(byte)
  }

  private func tls() throws -> (certificate: String, key: String)? {
    let certificate = Setting("tls-cert").text(tlsCertificate)
    let key = Setting("tls-key").text(tlsKey)
    switch (certificate, key) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return (certificate, key)
    case (let certificate?, nil):
      throw Setting("tls-cert").wrong(certificate, flag: tlsCertificate, "give its key with --tls-key as well")
    case (nil, let key?):
      throw Setting("tls-key").wrong(key, flag: tlsKey, "give its certificate with --tls-cert as well")
    }
  }
}
