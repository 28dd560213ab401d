import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOPosix

/// Hummingbird 2 on the same work, as its own documents write it: the body decoded by Codable, the verdict encoded by it.
/// The checks are by hand, on UTF-8, as a careful author would: Swift's Regex takes longer.
///
/// `Peer PORT DIRECTORY`: documents as in ../../../microhttpd/server.c.
@main
struct Peer {
  static func main() async throws {
    let arguments = CommandLine.arguments
    var documents = try Document.all(in: arguments[2])
    let verdictHeaders = documents.removeValue(forKey: "/verdict")!.headers
    let router = Router()
    router.post("/validate/email") { request, context -> Response in
      let values = try await request.decode(as: Values.self, context: context)
      var response = try context.responseEncoder.encode(Verdict(on: values.email), from: request, context: context)
      for field in verdictHeaders { response.headers[field.name] = field.value }
      return response
    }
    for (path, document) in documents {
      router.get(RouterPath(path)) { _, _ in
        Response(status: .ok, headers: document.headers, body: ResponseBody(byteBuffer: document.body))
      }
    }
    var logger = Logger(label: "peer")
    logger.logLevel = .error
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: Int(arguments[1])!), serverName: nil),
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
      logger: logger)
    try await application.runService()
  }
}

struct Values: Decodable { let email: String }

/// What the dialog `email` says of a text.
struct Verdict: ResponseEncodable, Encodable {
  struct Field: Encodable {
    let isValid: Bool
    var rule: String?
    var message: String?
  }

  let isValid: Bool
  let message: String?
  let fields: [String: Field]

  init(on text: String) {
    let field: Field
    if text.isEmpty {
      field = Field(isValid: false, rule: "nonEmpty", message: "Enter your email address")
    } else if !Email.isAddress(text) {
      field = Field(isValid: false, rule: "email", message: "Enter an email address, like name@example.com")
    } else if !Email.hasDottedDomain(text) {
      field = Field(isValid: false, rule: "pattern", message: "That does not look like an email address")
    } else {
      field = Field(isValid: true)
    }
    (isValid, message, fields) = (field.isValid, field.message, ["email": field])
  }
}

enum Email {
  private static let local = Set(".!#$%&'*+/=?^_`{|}~-".utf8)

  /// 4.10.5.1.5 of the HTML standard.
  static func isAddress(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > bytes.startIndex,
      bytes[..<at].allSatisfy({ isAlphanumeric($0) || local.contains($0) })
    else { return false }
    return bytes[bytes.index(after: at)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { label in
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
          && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
      }
  }

  /// `.+@.+\..+` of an address: a dot after the `@`, with something on both sides of it.
  static func hasDottedDomain(_ text: String) -> Bool {
    let domain = text.utf8.drop { $0 != UInt8(ascii: "@") }.dropFirst()
    return domain.dropFirst().dropLast().contains(UInt8(ascii: "."))
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }
}

/// A document in memory and its headers.
struct Document {
  let headers: HTTPFields
  let body: ByteBuffer

  static func all(in directory: String) throws -> [String: Document] {
    var documents: [String: Document] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) where name.hasPrefix(",") {
      let data = try Data(contentsOf: URL(filePath: "\(directory)/\(name)"))
      let end = data.firstRange(of: Data("\n\n".utf8))!
      var headers = HTTPFields()
      for line in String(decoding: data[..<end.lowerBound], as: UTF8.self).split(separator: "\n") {
        let colon = line.firstRange(of: ": ")!
        let name = HTTPField.Name(String(line[..<colon.lowerBound]))!
        headers.append(HTTPField(name: name, value: String(line[colon.upperBound...])))
      }
      documents[name.replacing(",", with: "/")] = Document(
        headers: headers, body: ByteBuffer(bytes: data[end.upperBound...]))
    }
    return documents
  }
}
