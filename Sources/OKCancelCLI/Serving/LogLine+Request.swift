internal import OKCancel
internal import StrictJSON

extension LogLine {
  /// Appends a request's line. There is one for each, so it is written without what an event's line goes through.
  static func write(_ request: RequestRecord, _ format: Format, _ clock: inout LogClock, to line: inout [UInt8]) {
    switch format {
    case .text:
      clock.append(to: &line)
      line += " info request".utf8
      append("bytes", "\(request.bytes)", to: &line)
      append("client", request.client, to: &line)
      append("id", request.id, to: &line)
      append("method", request.method, to: &line)
      append("ms", milliseconds(request), to: &line)
      append("path", request.path, to: &line)
      append("status", request.status.map { "\($0)" } ?? "gone", to: &line)
    case .json:
      var json = JSONWriter()
      json.object { json in
        json.member("time", clock.now)
        json.member("level", "info")
        json.member("message", "request")
        json.member("bytes", request.bytes)
        json.member("client", request.client)
        json.member("id", request.id)
        json.member("method", request.method)
        json.member("ms") { $0.literal(milliseconds(request)) }
        json.member("path", request.path)
        if let status = request.status { json.member("status", status) } else { json.member("status", "gone") }
      }
      line += json.bytes
    }
    line.append(UInt8(ascii: "\n"))
  }

  /// To the microsecond.
  private static func milliseconds(_ request: RequestRecord) -> String {
    let rest = "\(request.microseconds % 1000)"
    return "\(request.microseconds / 1000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
  }
}
