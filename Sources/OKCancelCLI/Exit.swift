internal import ArgumentParser
internal import OKCancel

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

/// Prints on standard error what is wrong, and returns the code to throw.
func fail(_ code: ExitCode, _ message: String) -> ExitCode {
  standardError("okcancel: \(message)")
  return code
}

/// The same for what asking, or a server, threw. An exit code was reported before.
func fail(_ error: any Error) -> ExitCode {
  switch error {
  case let code as ExitCode: code
  case Client.Fault.unreachable: fail(.unavailable, "\(error); start it, or name another with --server")
  case Client.Fault.refused(status: 401, _):
    fail(
      .internalError,
      "the server responded with 401: the API token is not one of its own; set one in OKCANCEL_API_TOKEN")
  default: fail(.internalError, "\(error)")
  }
}
