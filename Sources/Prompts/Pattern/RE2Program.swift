internal import CRE2

/// A compiled RE2 pattern; it owns the C++ object.
///
/// `@unchecked Sendable`: `pattern` is set once in `init` and freed in `deinit`, when nobody else holds the object.
/// Between them only `cre2_pattern_matches` reads it, which is RE2's const `Match`;
/// RE2 promises that const member functions may be called from several threads at once (re2.h) and locks its caches itself.
final class RE2Program: @unchecked Sendable {
  private let pattern: OpaquePointer

  /// Bytes that a pattern may take: two thirds for the program, the rest for the automaton that RE2 builds while it matches.
  ///
  /// It is enough for what `ProgramCost` lets pass. Where a pattern has more states than fit, RE2 gives the automaton up
  /// and follows all states at once; the less memory, the sooner, and the faster in all: `.*a.{100}` on 16 KiB takes
  /// twice as long with four times the memory.
  private static let memory: Int64 = 2 << 20

  /// - Parameter source: a pattern in RE2's syntax.
  /// - Throws: `PatternFault` with the reason `tooLarge` or `notCompiled`, at column 1.
  init(compiling source: String) throws(PatternFault) {
    var source = source
    pattern = source.withUTF8(Self.create)
    guard let error = cre2_pattern_error(pattern).map({ String(cString: $0) }) else { return }
    // `deinit` gives the pattern back: all is set.
    throw PatternFault(error.contains("too large") ? .tooLarge : .notCompiled(error), column: 1)
  }

  private static func create(_ bytes: UnsafeBufferPointer<UInt8>) -> OpaquePointer {
    bytes.withMemoryRebound(to: CChar.self) { chars in
      // An empty string may have no address; RE2 wants one.
      guard let address = chars.baseAddress else { return cre2_pattern_create("", 0, memory) }
      return cre2_pattern_create(address, chars.count, memory)
    }
  }

  /// How many instructions it has.
  var size: Int { Int(cre2_pattern_size(pattern)) }

  deinit {
    cre2_pattern_free(pattern)
  }

  /// Whether all of the text matches. The text's bytes are read where they lie.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(matches)
  }

  /// Whether all of a text in UTF-8 matches.
  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withMemoryRebound(to: CChar.self) { cre2_pattern_matches(pattern, $0.baseAddress, $0.count) }
  }
}
