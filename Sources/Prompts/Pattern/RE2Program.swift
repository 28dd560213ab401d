internal import CRE2

/// A compiled RE2 pattern. It owns the C++ object.
///
/// `@unchecked Sendable`: `pattern` is set once in `init` and freed in `deinit`, when nothing else holds the object.
/// Between them only `cre2_pattern_matches` reads it, which is RE2's const `Match`. RE2 promises that several threads may
/// call const member functions at once (re2.h), and locks its caches itself.
final class RE2Program: @unchecked Sendable {
  private let pattern: OpaquePointer

  /// Bytes that a pattern may take: two thirds for the program, the rest for the automaton that RE2 builds as it matches.
  ///
  /// It is enough for what `ProgramCost` lets pass. If the states of a pattern do not fit, RE2 gives the automaton up and
  /// follows all states at once. Less memory makes it give up sooner and be faster in all: `.*a.{100}` on 16 KiB takes
  /// twice as long with four times the memory.
  private static let memory: Int64 = 2 << 20

  /// - Parameter source: a pattern in RE2's syntax.
  /// - Throws: `PatternFault` with the reason `tooLarge` or `notCompiled`, at column 1.
  init(compiling source: String) throws(PatternFault) {
    pattern = cre2_pattern_create(source, source.utf8.count, Self.memory)
    guard let error = cre2_pattern_error(pattern).map({ String(cString: $0) }) else { return }
    // `deinit` frees the pattern.
    throw PatternFault(error.contains("too large") ? .tooLarge : .notCompiled(error), column: 1)
  }

  /// The number of instructions.
  var size: Int { Int(cre2_pattern_size(pattern)) }

  deinit {
    cre2_pattern_free(pattern)
  }

  /// True if all of a text in UTF-8 matches.
  func matches(_ text: [UInt8]) -> Bool { cre2_pattern_matches(pattern, text, text.count) }
}
