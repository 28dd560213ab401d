/// Pointers to values in JSON (RFC 6901).
package enum JSONPointer {
  /// The pointer to the value that these names and indices lead to.
  package static func text(_ names: some Sequence<String>) -> String {
    names.reduce(into: "") { pointer, name in
      pointer += "/"
      for scalar in name.unicodeScalars {
        if scalar == "~" || scalar == "/" {
          pointer += scalar == "~" ? "~0" : "~1"
        } else {
          pointer.unicodeScalars.append(scalar)
        }
      }
    }
  }

  /// The names after the slashes of a pointer. A `~` without 0 or 1 after it, which no pointer has, stays.
  static func names(in pointer: String) -> [String] {
    pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map { token in
      var (name, rest) = ([UInt8](), token)
      while let byte = rest.popFirst() {
        let isEscape = byte == UInt8(ascii: "~") && rest.first.map("01".utf8.contains) == true
        name.append(isEscape ? UInt8(ascii: rest.removeFirst() == UInt8(ascii: "0") ? "~" : "/") : byte)
      }
      return String(decoding: name, as: UTF8.self)
    }
  }
}
