/// A route's path, segment by segment.
final class RoutePattern: Sendable {
  let text: String
  /// For each segment the name of its parameter; nil for one that stands for itself.
  private let names: [String?]
  /// The path with a zero byte, which no path has, for each parameter.
  let template: [UInt8]

  /// - Precondition: `pattern` begins with a slash and names its parameters.
  init(_ pattern: String) {
    precondition(pattern.hasPrefix("/"), "\(pattern) does not begin with a slash")
    text = pattern
    let segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    names = segments.map { segment in
      guard segment.hasPrefix(":") else { return nil }
      precondition(segment.count > 1, "\(pattern) has a parameter without a name")
      return String(segment.dropFirst())
    }
    template = segments.flatMap { [UInt8(ascii: "/")] + ($0.hasPrefix(":") ? [0] : Array($0.utf8)) }
  }

  var segmentCount: Int { names.count }

  var hasParameters: Bool { names.contains { $0 != nil } }

  /// True when the path is one of this pattern's: a parameter is any segment that is not empty.
  static func matches(_ path: UnsafeBufferPointer<UInt8>, _ template: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    for byte in template {
      guard index < path.count else { return false }
      if byte == 0 {
        let start = index
        while index < path.count, path[index] != UInt8(ascii: "/") { index += 1 }
        guard index > start else { return false }
      } else {
        guard path[index] == byte else { return false }
        index += 1
      }
    }
    return index == path.count
  }

  /// The decoded segment in the place of `:name`; nil without such a name.
  ///
  /// - Precondition: the target's path is one of this pattern's.
  func value(of name: String, in target: RequestTarget) -> String? {
    guard let place = names.firstIndex(of: name) else { return nil }
    let path = target.pathBytes
    var (segment, start) = (-1, 0)
    for index in path.indices where path[index] == UInt8(ascii: "/") {
      if segment == place { return String(decoding: path[start..<index], as: UTF8.self) }
      (segment, start) = (segment + 1, index + 1)
    }
    return String(decoding: path[start...], as: UTF8.self)
  }
}
