/// A route's path, in which one segment may be `:name`, which stands for any one that is not empty.
struct RoutePattern: Sendable {
  let text: String
  /// The name, or `nil` for a plain path.
  let parameter: String?
  private let bytes: [UInt8]
  /// The range of the parameter, with its colon; empty at the end of a plain path.
  private let place: Range<Int>

  /// - Precondition: `pattern` begins with a slash, and has at most one parameter, with a name.
  init(_ pattern: String) {
    let parts = pattern.split(separator: "/:", omittingEmptySubsequences: false)
    let name = parts.dropFirst().first?.prefix { $0 != "/" }
    precondition(
      pattern.hasPrefix("/") && parts.count <= 2 && name != "", "\(pattern) needs a slash first and at most one :name")
    (text, parameter, bytes) = (pattern, name.map(String.init), Array(pattern.utf8))
    let start = name == nil ? bytes.count : parts[0].utf8.count + 1
    place = start..<start + (name.map { $0.utf8.count + 1 } ?? 0)
  }

  /// The place in a path of the segment that the parameter stands for, empty for a plain path; `nil` for a path that is
  /// not of this pattern.
  @inline(__always)  // A call would copy the pattern.
  func segment(of path: Span<UInt8>) -> Range<Int>? {
    let (pattern, start, surplus) = (bytes.span, place.lowerBound, path.count - bytes.count)
    let end = place.upperBound + surplus
    guard place.isEmpty ? start == end : start < end else { return nil }
    for index in 0..<start where path[index] != pattern[index] { return nil }
    for index in end..<path.count where path[index] != pattern[index - surplus] { return nil }
    let slash = path.firstIndex(of: UInt8(ascii: "/"), from: start) ?? path.count
    return slash >= end ? start..<end : nil
  }
}
