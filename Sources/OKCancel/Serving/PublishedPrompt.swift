internal import Crypto
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// A prompt as it is offered: its documents and its page, each made when it is first asked for and served until the
/// next reload, which replaces it.
final class PublishedPrompt: Sendable {
  let name: String
  let subject: Judging.Subject
  var prompt: Prompt { subject.prompt }
  private let pages: Pages
  private let headers: [(name: String, value: String)]

  private let madeRulesJSON = Once<VersionedRules>()
  private let madeRules = Once<ConstantBody>()
  private let madeDefinition = Once<ConstantBody>()
  private let madeSchema = Once<ConstantBody>()
  private let madePage = Once<ConstantBody>()
  private let madeAllValid = Once<AllValid>()

  /// - Parameter headers: what every response carries.
  init(_ named: NamedPrompt, pages: Pages, headers: [(name: String, value: String)]) {
    name = named.name
    subject = Judging.Subject(named.prompt)
    self.pages = pages
    self.headers = headers
  }

  /// The rules JSON itself, for pages that carry what was typed.
  var rulesJSON: [UInt8] { versionedRules.bytes }

  var rules: ConstantBody {
    madeRules.object {
      ConstantBody(
        bytes: versionedRules.bytes, type: "application/json", version: versionedRules.version, headers: headers)
    }
  }

  var definition: ConstantBody {
    madeDefinition.object {
      var json = JSONWriter()
      prompt.writeDefinition(to: &json)
      return ConstantBody(bytes: json.bytes, type: "application/json", headers: negotiated)
    }
  }

  /// The values it takes, as JSON Schema.
  var schema: ConstantBody {
    madeSchema.object {
      var json = JSONWriter()
      prompt.writeSchema(to: &json, id: Pages.Address(prompt: name).schema)
      return ConstantBody(bytes: json.bytes, type: "application/schema+json", headers: headers)
    }
  }

  var page: ConstantBody {
    madePage.object {
      ConstantBody(
        bytes: pages.dialog(prompt, at: Pages.Address(prompt: name), rules: rulesJSON),
        type: "text/html; charset=utf-8", headers: negotiated)
    }
  }

  /// What `POST /validate/{name}` says of all the fields. Of valid ones it says the same each time.
  func response(to verdicts: Verdicts) -> Response {
    guard verdicts.isValid else { return verdicts.response }
    return madeAllValid.object {
      var response = verdicts.response
      response.headers += headers + [("Cache-Control", "no-store")]
      return AllValid(response.preparedOnce)
    }.response
  }

  /// The page and the definition share an address.
  private var negotiated: [(name: String, value: String)] { headers + [("Vary", "Accept")] }

  private var versionedRules: VersionedRules {
    madeRulesJSON.object {
      let version = SHA256.hash(data: rules(version: "")).prefix(8).map { byte in
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }.joined()
      return VersionedRules(version: version, bytes: rules(version: version))
    }
  }

  private func rules(version: String) -> [UInt8] {
    var json = JSONWriter(reserving: 1024)
    prompt.writeRules(to: &json, name: name, version: version)
    return json.bytes
  }
}

/// The rules JSON, and what changes whenever it does.
private final class VersionedRules: Sendable {
  let version: String
  let bytes: [UInt8]

  init(version: String, bytes: [UInt8]) { (self.version, self.bytes) = (version, bytes) }
}

/// The answer to values that are all valid.
private final class AllValid: Sendable {
  let response: Response
  init(_ response: Response) { self.response = response }
}

extension Pages.Address {
  /// Where a prompt of that name is found.
  init(prompt name: String) { self.init(page: "/prompts/\(name)", validate: "/validate/\(name)") }

  var schema: String { page + "/schema" }

  /// Where a browser lands after an outcome.
  var done: String { page + "/done" }
}
