internal import CRE2

/// A compiled RE2 pattern; it owns the C++ object.
///
/// `@unchecked Sendable`: `pattern` is set once in `init` and freed in `deinit`, when nobody else holds the object.
/// Between them only `cre2_pattern_matches` reads it, which is RE2's const `Match`;
/// RE2 promises that const member functions may be called from several threads at once (re2.h) and locks its caches itself.
final class RE2Program: @unchecked Sendable {
  private let pattern: OpaquePointer

  /// Bounds the program and its lazily built automaton, in bytes.
  ///
  /// Two thirds go to the program: enough for `\p{L}{1,300}`, the largest that a form is likely to want.
  /// The rest goes to the automaton; more of it does not make the worst case faster, for RE2 then builds
  /// larger sets of states that it never meets again.
  static let memory: Int64 = 8 << 20

  init(compiling source: String) throws(PatternFault) {
    var source = source
    let pattern = source.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { chars in
        // An empty string may have no address; RE2 wants one.
        guard let address = chars.baseAddress else { return cre2_pattern_create("", 0, Self.memory) }
        return cre2_pattern_create(address, chars.count, Self.memory)
      }
    }
    if let error = cre2_pattern_error(pattern).map({ String(cString: $0) }) {
      cre2_pattern_free(pattern)
      throw PatternFault(error.contains("too large") ? .tooLarge : .notCompiled(error), column: 1)
    }
    self.pattern = pattern
  }

  deinit {
    cre2_pattern_free(pattern)
  }

  /// Instructions of the compiled program.
  var size: Int { Int(cre2_pattern_size(pattern)) }

  /// Whether all of the text matches.
  func matches(_ text: String) -> Bool {
    if let verdict = text.utf8.withContiguousStorageIfAvailable(matchesBytes) { return verdict }
    var native = text
    return native.withUTF8(matchesBytes)
  }

  private func matchesBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withMemoryRebound(to: CChar.self) { cre2_pattern_matches(pattern, $0.baseAddress, $0.count) }
  }
}
