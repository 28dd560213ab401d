internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import OKCancel
internal import Prompts
internal import Subprocess
internal import SystemPackage
internal import UnixSignals

/// `okcancel ask … -- COMMAND ARG…`
extension AskCommand {
  /// An argument that stands for the text of a field: `{name}`.
  private static func field(_ argument: String, among fields: [Field]) -> Field? {
    fields.first { argument == "{\($0.name)}" }
  }

  /// Finds what the command cannot be given, before anybody is asked.
  func checkCommand(_ fields: [Field]) throws(Failure) {
    for argument in command.dropFirst() {
      if let field = Self.field(argument, among: fields), field.kind == .password {
        throw Failure("password-in-argument", ["name": field.name])
      }
    }
  }

  /// Runs the command after OK, and says what came of it.
  ///
  /// - Parameters:
  ///   - fields: the prompt's own.
  ///   - asker: the server that has the ask, or `nil` if none has.
  /// - Returns: the code to end with, or `nil` if there is nothing to run.
  func perform(_ ended: Ended, _ fields: [Field], sayingTo asker: (any Asker)?) async -> ExitCode? {
    guard !command.isEmpty else { return nil }
    guard case .ok(let values) = ended.outcome else {
      if ended.outcome.kind == .cancel { standardError("okcancel: cancelled; the command was not run") }
      return nil
    }
    if let result = ended.result, result.status != .unknown {
      standardError("okcancel: the command was run before: \(Sentences(in: .english).sentence(on: result))")
      return result.status == .done ? .success : .internalError
    }
    let end = await run(with: values, of: fields)
    if let sentence = end.sentence { standardError("okcancel: \(sentence)") }
    if let asker, let id = ended.id {
      let result = end.status == 0 ? AskResult.done : .failed("Exit status \(end.status)")
      // The signal that ended the command may have cancelled this task.
      let fault = await Task { () -> AskFault? in
        do throws(AskFault) { try await asker.finish(id, result) } catch { return error }
        return nil
      }.value
      if let fault { standardError("okcancel: the server does not know what came of it: \(fault)") }
    }
    return ExitCode(end.status)
  }

  /// The status of a command as a shell gives it, and what is said of it.
  private typealias End = (status: Int32, sentence: String?)

  private func run(with values: Values, of fields: [Field]) async -> End {
    let name = command[0]
    do {
      var variables: [Environment.Key: String?] = [:]
      // An earlier answer must not pass for this one.
      let old = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix(Self.prefix) }
      for name in ChildProcess.secrets + old { variables.updateValue(nil, forKey: .init(stringLiteral: name)) }
      for field in fields {
        guard let text = try Self.text(of: field, in: values) else { continue }
        variables.updateValue(text, forKey: .init(stringLiteral: Self.prefix + field.name))
      }
      let arguments = try command.dropFirst().map { argument in
        guard let field = Self.field(argument, among: fields) else { return argument }
        return try Self.text(of: field, in: values) ?? ""
      }
      let program: String
      switch Self.find(name) {
      case .found(let path): program = path
      case .missing: return (127, "there is no command “\(name)”")
      case .notExecutable: return (126, "“\(name)” cannot be executed")
      }
      let configuration = Subprocess.Configuration(
        executable: .path(FilePath(program)),
        arguments: Arguments(executablePathOverride: name, remainingValues: arguments),
        environment: .inherit.updating(variables))
      // A terminal sends its signals to both.
      let signals = await UnixSignalsSequence(trapping: .sigterm)
      // In a task of its own: a signal that ends this command is the other one's too.
      let status = try await Task {
        try await ChildProcess.counted {
          try await Subprocess.run(
            configuration, input: .fileDescriptor(.standardInput, closeAfterSpawningProcess: false),
            output: .fileDescriptor(.standardOutput, closeAfterSpawningProcess: false),
            error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
          ) { execution in
            Task { for await _ in signals { try? execution.send(signal: .terminate) } }
          }
        }
      }.value
      status.closureResult.cancel()
      switch status.terminationStatus {
      case .exited(0): return (0, nil)
      case .exited(let code): return (code, "the command ended with status \(code)")
      case .signaled(let signal): return (128 + signal, "the command was ended by signal \(signal)")
      }
    } catch let failure as Failure {
      _ = failure.report()
      return (70, nil)
    } catch {
      return (126, "“\(name)” cannot be executed: \(error)")
    }
  }

  private static let prefix = "OKCANCEL_VALUE_"

  /// The field's text, or `nil` if the answer has none.
  private static func text(of field: Field, in values: Values) throws -> String? {
    guard let value = values[path: field.path], value != .null else { return nil }
    // Of an object, there is a box that says whether it is there.
    return try FieldOutput.whole(value.object == nil ? value.scriptText : "true")
  }

  private enum Found { case found(String), missing, notExecutable }

  /// Finds a program as a shell does: by its path or, without a slash, in the folders of `PATH`.
  private static func find(_ name: String) -> Found {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let paths =
      name.contains("/")
      ? [name]
      : folders.split(separator: ":", omittingEmptySubsequences: false).map { "\($0.isEmpty ? "." : $0)/\(name)" }
    var isThere = false
    for path in paths where !name.isEmpty {
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 { return .found(path) }
      isThere = true
    }
    return isThere ? .notExecutable : .missing
  }
}
