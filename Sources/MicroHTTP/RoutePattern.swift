/// A route's path, segment by segment.
final class RoutePattern: Sendable {
  let text: String
  let segmentCount: Int
  private let parameters: [(name: String, segment: Int)]
  /// Where the first parameter begins in every path.
  private let start: Int
  /// The path with a zero byte, which no path has, for each parameter.
  let template: [UInt8]

  /// - Precondition: `pattern` begins with a slash and names its parameters.
  init(_ pattern: String) {
    precondition(pattern.hasPrefix("/"), "\(pattern) does not begin with a slash")
    text = pattern
    let segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    segmentCount = segments.count
    parameters = segments.enumerated().filter { $1.hasPrefix(":") }.map { segment, text in
      precondition(text.count > 1, "\(pattern) has a parameter without a name")
      return (String(text.dropFirst()), segment)
    }
    template = segments.flatMap { [UInt8(ascii: "/")] + ($0.hasPrefix(":") ? [0] : Array($0.utf8)) }
    start = template.firstIndex(of: 0) ?? 0
  }

  var hasParameters: Bool { !parameters.isEmpty }

  /// True when the path is one of this pattern's: a parameter is any segment that is not empty.
  static func matches(_ path: UnsafeBufferPointer<UInt8>, _ template: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var next = path.baseAddress else { return template.isEmpty }
    let end = next + path.count
    for byte in template {
      if byte == 0 {
        let start = next
        while next < end, next.pointee != UInt8(ascii: "/") { next += 1 }
        guard next > start else { return false }
      } else {
        guard next < end, next.pointee == byte else { return false }
        next += 1
      }
    }
    return next == end
  }

  /// The decoded segment in the place of `:name`, until the next target; nil without such a name.
  ///
  /// - Precondition: the target's path is one of this pattern's.
  func bytes(of name: String, in target: borrowing RequestTarget) -> UnsafeBufferPointer<UInt8>? {
    guard let place = parameters.firstIndex(where: { $0.name == name }) else { return nil }
    var slashes = parameters[place].segment - parameters[0].segment
    let path = target.pathBytes
    var start = start
    for index in start..<path.count where path[index] == UInt8(ascii: "/") {
      if slashes == 0 { return UnsafeBufferPointer(rebasing: path[start..<index]) }
      (slashes, start) = (slashes - 1, index + 1)
    }
    return UnsafeBufferPointer(rebasing: path[start...])
  }
}
