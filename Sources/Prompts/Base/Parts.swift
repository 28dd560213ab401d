package extension [UInt8] {
  /// What stands between these marks, of at least one byte. To search texts for texts, as the standard library and
  /// Foundation do, took half of a server's start.
  func parts(between mark: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = [], start = 0, place = 0
    while place + mark.count <= count {
      if self[place] == mark[0], self[place..<place + mark.count] == mark[...] {
        parts.append(self[start..<place])
        place += mark.count
        start = place
      } else {
        place += 1
      }
    }
    return parts + [self[start...]]
  }
}

package extension StringProtocol {
  /// The same of a text, compared byte by byte.
  func parts(between mark: String) -> [Substring] {
    Array(utf8).parts(between: Array(mark.utf8)).map { Substring(decoding: $0, as: UTF8.self) }
  }
}
