internal import Foundation
internal import Glibc

/// The system's figures of this process, by the names that Prometheus' own clients give them.
struct ProcessFigures {
  private let fields: [Substring]

  /// Reads `/proc` (proc(5)).
  init() {
    let stat = Self.contents(of: "/proc/self/stat")
    // The second field, the program's name in parentheses, may hold anything.
    let rest = stat.lastIndex(of: ")").map { stat[stat.index(after: $0)...] } ?? ""
    fields = rest.split(separator: " ")
  }

  func write(to text: inout MetricsText) {
    let (ticks, page) = (Double(sysconf(Int32(_SC_CLK_TCK))), sysconf(Int32(_SC_PAGESIZE)))
    text.family("process_cpu_seconds_total") {
      $0.sample(Double(field(14) + field(15)) / ticks)
    }
    text.gauge("process_threads", field(20))
    text.gauge("process_virtual_memory_bytes", field(23))
    text.gauge("process_resident_memory_bytes", field(24) * page)
    text.gauge("process_open_fds", Self.openDescriptors)
    var limit = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      text.gauge("process_max_fds", Int(clamping: limit.rlim_cur))
    }
    if let boot = Self.bootTime {
      text.family("process_start_time_seconds") {
        $0.sample(Double(boot) + Double(field(22)) / ticks)
      }
    }
  }

  /// A field of `/proc/self/stat` by its number in proc(5), from 3 on.
  private func field(_ number: Int) -> Int {
    fields.indices.contains(number - 3) ? Int(fields[number - 3]) ?? 0 : 0
  }

  private static var bootTime: Int? {
    contents(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Int($0.dropFirst(6)) }
  }

  private static var openDescriptors: Int {
    // The directory itself is open meanwhile.
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 1) - 1
  }

  private static func contents(of path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
