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

  /// - Parameter id: of a row of `failures.txt`.
  init(_ id: String, _ facts: SentenceTable.Facts = [:]) {
    let row = Self.table.fields(of: id, facts)
    self.init(Int32(row[0]).map { ExitCode($0) } ?? .internalError, row[1])
  }

  /// The rows of `failures.txt`: the exit code, or what the row is a part of, and a text.
  static let table = SentenceTable("Sources/OKCancelCLI/failures.txt", columns: 3)

  /// A fault of a database; nothing but a setting can mend one that OKCancel cannot use at all.
  static func database(_ fault: any Error) -> Failure {
    let isOfSetting = (fault as? StoreFault)?.id.hasPrefix("address.") == true
    return isOfSetting ? Failure("database.setting", ["why": "\(fault)"]) : Failure("database", ["why": "\(fault)"])
  }

  /// A setting that cannot be used, for a reason that says what to do.
  init(usage fault: some Error) { self.init(.usage, "\(fault)") }

  /// Options that stand in no file.
  init(ofOptions faults: InlineFaults) {
    self.init(.definitionFault, faults.entries.map(\.sentence).joined(separator: "\nokcancel: "))
  }

  /// A line for each fault of a definition; a path at which there is none is a wrong argument.
  private init(_ faults: DefinitionFaults) {
    code = faults.faults.allSatisfy(\.isOfMissingPath) ? .usage : .definitionFault
    lines = faults.description
  }

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
    case AskFault.unreachable where DeclaredOptions.contains("server"):
      self = Failure("unreachable.named", ["why": "\(error)"])
    case AskFault.unreachable: self = Failure("unreachable", ["why": "\(error)"])
    case AskFault.unknownPrompt: self.init(.usage, "\(error)")
    case AskFault.refused(let status, let code, let detail):
      self = .refused(status, code, detail) ?? Failure(.internalError, "\(error)")
    default: self.init(.internalError, "\(error)")
    }
  }

  /// The failure that a server's refusal is for a command that can do something about it.
  private static func refused(_ status: Int, _ code: String?, _ detail: String) -> Failure? {
    let known = code.flatMap(Problem.Code.init(rawValue:))
    // Any other 401 is about a person, who has no token.
    if status == 401, code == nil || known == .missingToken || known == .wrongToken,
      DeclaredOptions.contains("server")
    {
      return Variable("api-token").text == nil ? Failure("server-needs-token") : Failure("wrong-token")
    }
    // Only a new ask can get a 409, and only for its key.
    if status == 409, DeclaredOptions.contains("key") { return Failure("other-question") }
    switch known {
    // The server refuses what an option says.
    case .unknownKey, .missingKey, .wrongType, .wrongValue, .unknownField, .invalidValues, .unusableContext,
      .unknownChannel, .identityUnknown, .unknownAsk, .contentTooLarge:
      return Failure(.usage, detail)
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

}

extension AskFault {
  static let noID = notUnderstood("there is no id")
  static let noText = notUnderstood("there is no text")
}

extension Event {
  static func cannotAsk(_ error: any Error) -> Event { .refused("The server cannot be asked: \(error).") }
}

/// What to do about a setting's value that cannot be used, or why something could not be done, such as opening a browser.
extension PlainError {
  /// - Parameter id: of a row of `failures.txt`.
  init(row id: String, _ facts: SentenceTable.Facts = [:]) { self.init(Failure.table.fields(of: id, facts)[1]) }

  static func oneOf(_ words: [String]) -> Self { PlainError(row: "word", ["words": words.joined(separator: ", ")]) }

  /// The failure with this for its remedy.
  ///
  /// - Parameter name: the option or variable that has this value.
  func failure(of name: String, _ text: String) -> Failure {
    Failure("value", ["name": name, "text": text, "remedy": self])
  }
}
