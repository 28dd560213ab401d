internal import ArgumentParser
internal import Asks
internal import Glibc
internal import OKCancel
internal import Prompts
internal import Synchronization

/// Exit codes, from BSD's `sysexits.h` if it has one that fits. 1 means “cancel” or “invalid” here, so no error may end
/// with it.
extension ExitCode {
  static let invalid = ExitCode(1)
  /// Codes of `ask` for how a dialog ended; 0 is `ok`, 1 `cancel`.
  static let action = ExitCode(3)
  static let noAnswer = ExitCode(5)
  static let usage = ExitCode(64)
  /// A definition has faults.
  static let definitionFault = ExitCode(65)
  /// No server could be reached.
  static let unavailable = ExitCode(69)
  /// Any other error.
  static let internalError = ExitCode(70)
}

/// The failure with which a command ends: a code for programs, lines for people.
struct Failure: Error {
  let code: ExitCode
  private let lines: String

  private init(_ code: ExitCode, _ sentence: String) {
    self.code = code
    lines = "okcancel: \(sentence)"
  }

  /// A line for each fault of a definition.
  private init(_ faults: DefinitionFaults) { (code, lines) = (.definitionFault, faults.description) }

  /// Does something whose errors `failure` puts in words.
  static func wrapping<Result>(
    _ failure: (any Error) -> Failure, _ work: () async throws -> Result
  ) async throws(Failure) -> Result {
    do { return try await work() } catch { throw failure(error) }
  }

  /// Describes an error thrown while asking, or by a server, a file or standard output.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let faults as DefinitionFaults: self = Failure(faults)
    case AskFault.unreachable:
      let remedy = DeclaredOptions.contains("server") ? "start it, or name another with --server" : "start it"
      self.init(.unavailable, "\(error); \(remedy)")
    case AskFault.unknownPrompt: self = .usage("\(error)")
    case AskFault.refused(let status, let code, let detail):
      self = .refused(status, code, detail) ?? .failed("\(error)")
    default: self = .failed("\(error)")
    }
  }

  /// The failure that a server's refusal is for a command that can do something about it.
  private static func refused(_ status: Int, _ code: String?, _ detail: String) -> Failure? {
    let known = code.flatMap(Problem.Code.init(rawValue:))
    // Any other 401 is about a person, who has no token.
    if status == 401, code == nil || known == .missingToken || known == .wrongToken,
      DeclaredOptions.contains("server")
    {
      return Variable("api-token").text == nil ? .serverNeedsToken : .wrongToken
    }
    if status == 409, DeclaredOptions.contains("key") { return .otherQuestion }
    switch known {
    // The server refuses what an option says.
    case .unknownKey, .missingKey, .wrongType, .wrongValue, .unknownField, .invalidValues, .unusableContext,
      .unknownChannel, .identityUnknown, .unknownAsk, .contentTooLarge:
      return .usage(detail)
    // It cannot use a definition, though nothing was wrong with it here.
    case .unusableDefinition, .unusableSchema, .tooCostly: return Failure(.definitionFault, detail)
    default: return nil
    }
  }

  /// Faults of settings, which are told together instead of one a start.
  final class Collected: Sendable {
    @TaskLocal static var current: Collected?
    private let failures: Mutex<[Failure]>

    init(_ failures: [Failure] = []) { self.failures = Mutex(failures) }

    func add(_ failure: Failure) { failures.withLock { $0.append(failure) } }

    /// Reads settings.
    ///
    /// - Throws: everything that is wrong with them.
    func reading<Result>(_ read: () throws -> Result) throws -> Result {
      var result: Result?
      do { result = try Self.$current.withValue(self, operation: read) } catch { add(Failure(error)) }
      let failures = failures.withLock(\.self)
      guard let result, failures.isEmpty else { throw Failure(failures) }
      return result
    }
  }

  /// Adds it to those that are collected, so that more can be found.
  ///
  /// - Throws: it, if none are collected.
  func collect() throws {
    guard let faults = Collected.current else { throw self }
    faults.add(self)
  }

  private init(_ failures: [Failure]) {
    (code, lines) = (failures.first?.code ?? .usage, failures.map(\.lines).joined(separator: "\n"))
  }

  /// Prints the lines on standard error, and returns the code to end with.
  func report() -> ExitCode {
    standardError(lines)
    return code
  }

  private static func usage(_ sentence: String) -> Failure { Failure(.usage, sentence) }
  private static func failed(_ sentence: String) -> Failure { Failure(.internalError, sentence) }
}

// MARK: What can be wrong with the command line and its variables

extension Failure {
  /// - Parameter kind: command or template.
  static func no(_ kind: String, _ name: String, among names: [String]) -> Failure {
    usage("there is no \(kind) `\(name)`; \(Nearest.remedy(for: name, among: names))")
  }

  static func noChannel(_ name: String) -> Failure {
    let variable = Variable("channel-" + name).name
    return usage("there is no channel `\(name)`; give --channel \(name)=URL, or its URL in \(variable)")
  }

  static func value(_ text: String, of name: String, _ remedy: Remedy) -> Failure {
    usage("\(name) cannot be “\(text)”; \(remedy.text)")
  }

  /// - Parameter option: with its dashes.
  static func dashed(_ option: String, _ text: String) -> Failure {
    usage("a value that begins with - stands after an equals sign: \(option)='\(text)'")
  }

  static func tokens(_ fault: String) -> Failure { usage("OKCANCEL_API_TOKEN cannot be used: \(fault)") }

  /// The text is a secret, though a wrong one, and not repeated.
  static let webhookSecret = usage(
    "OKCANCEL_WEBHOOK_SECRET has a part that is not a secret; give whsec_ and 24 to 64 random bytes as Base64, as “echo whsec_$(openssl rand -base64 32)” prints"
  )

  static let noTerminal = usage("there is no terminal to ask in; open the link in a browser, or leave out --terminal")
  static let noTerminalToAnswer = usage("there is no terminal to answer in; open the link in a browser")
  static func terminal(_ code: Int32) -> Failure {
    failed("the terminal's settings cannot be changed: \(String(cString: strerror(code)))")
  }
  static func notALink(_ text: String) -> Failure {
    usage("“\(text)” is not the link of a question; give one like https://ask.example.com/a/8q2k…")
  }
  static func linkUnreachable(_ why: String) -> Failure {
    Failure(.unavailable, "the server of this link cannot be reached: \(why); try again later")
  }
  static let serverNeedsToken = usage("--server needs the server's API token; set OKCANCEL_API_TOKEN")
  static func readingNeedsToken(_ what: String) -> Failure {
    usage("reading \(what) needs the server's API token; set OKCANCEL_API_TOKEN")
  }
  /// A part of it may be secret.
  static func key(_ fault: SecretFault) -> Failure { usage("OKCANCEL_KEY cannot be used: \(fault)") }
  static let noHost = usage("--host is missing; \(Remedy.word(HookHost.allCases.map(\.rawValue)).text)")
  static func longEvent(limit: Int) -> Failure { failed("the event is longer than \(limit) bytes; nobody is asked") }
  static let wrongToken = failed(
    "the server rejected the API token (401); set OKCANCEL_API_TOKEN to one of its tokens")

  /// Only a new ask can get a 409, and only for its key.
  static let otherQuestion = failed(
    "this --key was used for another question; use another key, or the options of that question")

  static let serverHasPrompts = usage(
    "with --server that server has the prompts and the asks; leave out the folder, --port and --database")
  static func watch(_ obstacle: String) -> Failure {
    usage(
      "--watch shows the errors in your files to everybody who can open a page, so it cannot be used \(obstacle); leave that out to listen on this machine only, or leave out --watch"
    )
  }
  static func answers(_ obstacle: String) -> Failure {
    usage("--answers is for tests on this machine, not \(obstacle); in a test's container add --answers-from-anywhere")
  }
}

// MARK: Asking and validating

extension Failure {
  static let nothingToAsk = usage(
    "nothing to ask; give --title and --field, --schema, or --prompt with a definition file")
  static func rule(_ sentence: String) -> Failure { usage(sentence) }
  static let schemaIsWhole = usage(
    "--schema says all there is to ask; leave --prompt, --ok, --cancel, --field and its options out")
  static let promptIsWhole = usage(
    "--prompt is a whole prompt; leave --title, --message, --ok, --cancel, --field and its options out")
  static func noPrompt(_ name: String) -> Failure {
    usage(
      "there is no file \(name); give a definition file, like --prompt Examples/\(name).yaml, or with --server the prompt of a server"
    )
  }
  static let nothingToTest = needs("notify", "--test NAME")
  static func notTold(_ channel: String, _ why: String) -> Failure {
    failed("the channel “\(channel)” did not take the message: \(why)")
  }
  static func context(_ faults: InlineFaults) -> Failure {
    usage("--context cannot be shown: \(faults.entries.map(\.sentence).joined(separator: "; "))")
  }
  static func unreadableContext(_ path: String) -> Failure {
    usage("--context: \(path) does not exist, or this user may not read it")
  }
  static func contextIsFolder(_ path: String) -> Failure {
    usage("--context: \(path) is a folder; name the files in it")
  }
  static func contextTooLong(_ path: String, bytes: Int) -> Failure {
    usage("--context: \(path) is longer than \(bytes >> 20) MiB; give a part of it")
  }
  static func contextNotText(_ path: String) -> Failure { usage("--context: \(path) is not UTF-8 text") }
  static func together(_ one: String, _ other: String) -> Failure {
    usage("\(one) and \(other) exclude each other; keep one")
  }
  static func needs(_ option: String, _ other: String) -> Failure { usage("\(option) needs \(other)") }
  static func no(_ owner: String, before option: String) -> Failure { usage("\(option) needs a \(owner) before it") }
  static func unclear(_ owner: String, of option: String) -> Failure {
    usage("\(option) belongs to the \(owner) before it; move it there, or give a file with --prompt")
  }
  static func unreadableRule(_ rule: String, _ why: String) -> Failure {
    Failure(.definitionFault, "--rule “\(rule)”: \(why)")
  }
  /// The options stand in no file.
  static func options(_ faults: InlineFaults) -> Failure {
    Failure(.definitionFault, faults.entries.map(\.sentence).joined(separator: "\nokcancel: "))
  }

  /// - Parameter option: `--format` or its variable.
  static func twoFormats(_ option: String, _ format: String) -> Failure {
    usage("--json and \(option) \(format) are two formats; keep one")
  }
  /// - Parameter what: an argument, or the name of a variable.
  static func notUTF8(_ what: String) -> Failure {
    usage("\(what) is not UTF-8; convert it, for example with iconv")
  }
  static let prefixWithoutFormat = usage("--prefix begins the names of variables; add --format shell, bash or null")
  static func reserved(_ variable: String, of field: String) -> Failure {
    usage(
      "the field “\(field)” would set the variable \(variable), which shells and other programs use themselves; give --prefix answer_"
    )
  }
  static func fieldName(_ name: String) -> Failure {
    failed("the server has a field called “\(name)”, which is not a valid name")
  }
  static let nul = failed("a value contains a NUL, which cannot be printed")

  /// The person has answered, and no program has the answer.
  static func notPrinted(_ outcome: Outcome, _ fault: OutputFault, key: String?) -> Failure {
    let remedy =
      key == nil
      ? "and is lost; with --server and --key, the same command can print it again"
      : "and is kept under --key; the same command prints it again"
    return failed("\(fault); the outcome was \(outcome.word) \(remedy)")
  }

  static func noValue(_ text: String) -> Failure {
    usage("“\(text)” is not a value; give NAME=VALUE, like email=alice@example.com")
  }
  static func noField(_ name: String, among names: [String]) -> Failure {
    usage("the prompt has no field `\(name)`; \(Nearest.remedy(for: name, among: names))")
  }
  static func initialValue(_ name: String, _ problem: String) -> Failure { usage("--value \(name): \(problem)") }
  static func twice(_ name: String) -> Failure { usage("“\(name)” is given twice; give it once") }

  static func onlyForCSV(_ option: String) -> Failure { usage("--\(option) is about CSV; add --format csv") }
  static func promptName(_ name: String) -> Failure {
    usage("“\(name)” is not a valid prompt name; GET / on the server lists its prompts")
  }
}

// MARK: Files and databases

extension Failure {
  static let copyDirection = usage(
    "one of --from and --to must be an SQLite file and the other a postgresql:// address; okcancel backup copies an SQLite database, and pg_dump a PostgreSQL one"
  )
  static let copyNeedsKey = usage("OKCANCEL_KEY must be that of the servers that used the PostgreSQL database")
  static let backupOfPostgreSQL = usage("--database must be an SQLite file; pg_dump backs up PostgreSQL")
  static let agentsOfPostgreSQL = usage(
    "--database must be an SQLite file; with --server, agents ask through a server, which may use PostgreSQL")
  static func notBackedUp(_ fault: any Error) -> Failure { failed("nothing was backed up: \(fault)") }
  static let rekeyNeedsKeys = usage("OKCANCEL_KEY must hold the new key, a comma and the old one")
  static func noDatabase(_ path: String, _ remedy: String = "") -> Failure {
    failed("there is no database at \(path)\(remedy)")
  }
  static func database(_ fault: any Error) -> Failure {
    let sentence = "the database cannot be used: \(fault)"
    if case StoreFault.unsuitable("", _) = fault { return usage(sentence) }
    return failed(sentence)
  }
  static func notCopied(_ fault: any Error) -> Failure { failed("nothing was copied: \(fault)") }
  static func notRekeyed(_ fault: any Error) -> Failure { failed("the database cannot be re-encrypted: \(fault)") }
  static func directDatabase(_ name: String) -> Failure {
    usage("\(name) must be the postgresql:// address behind the pooler that --database names; leave it out otherwise")
  }
  private static func shared(_ name: String, _ remedy: String) -> Failure {
    usage("with PostgreSQL, \(name) must be the same on every server; \(remedy)")
  }
  static let sharedKey = shared("OKCANCEL_KEY", "set it to 32 random bytes as “openssl rand -base64 32” prints")
  static let sharedToken = shared("OKCANCEL_API_TOKEN", "set it to a random text as “openssl rand -hex 16” prints")
  static func baseURL(_ fault: AskFault) -> Failure { usage("\(fault)") }
  static let sharedBaseURL = shared("--base-url", "give the address of the load balancer, like https://ask.example.com")
  static let sharedWebhookSecret = shared(
    "OKCANCEL_WEBHOOK_SECRET", "set it to what “echo whsec_$(openssl rand -base64 32)” prints")
  static func passwordIsShown(by option: String) -> Failure {
    usage("\(option) would show its password to everybody who lists processes; set PGPASSWORD or use ~/.pgpass instead")
  }
  static func templateExists(in folder: String) -> Failure {
    failed("\(folder) has one of these files already; name another folder")
  }
  static func notWritable(_ folder: String) -> Failure { failed("\(folder) cannot be written; name another folder") }
}

extension AskFault {
  static let noID = notUnderstood("there is no id")
  static let noText = notUnderstood("there is no text")
}

extension Event {
  static func cannotAsk(_ error: any Error) -> Event { .refused("The server cannot be asked: \(error).") }
}
