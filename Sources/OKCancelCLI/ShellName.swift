internal import Base

/// Names of shell variables.
enum ShellName {
  /// True if a shell accepts it as a name (POSIX, Base Definitions 3.231).
  static func isOne(_ name: String) -> Bool {
    name.wholeMatch(of: #/[A-Za-z_][0-9A-Za-z_]*/#.matchingSemantics(.unicodeScalar)) != nil
  }

  /// True if a shell, or a program that it runs, gives the variable a meaning. POSIX leaves only names with a small
  /// letter to everybody (Base Definitions 8.1); with a prefix a script has chosen its own.
  static func isShells(_ name: String, isPrefixed: Bool) -> Bool {
    guard isOne(name) else { return true }
    if !isPrefixed, !name.utf8.contains(where: ASCII.isLower) { return true }
    return reserved.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  private static let file = "Sources/OKCancelCLI/shell-variables.txt"
  private static let reserved = Set(EmbeddedFiles.list("name", in: file))
  private static let prefixes = EmbeddedFiles.list("prefix", in: file)
}
