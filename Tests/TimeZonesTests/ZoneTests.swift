import Foundation
import TestSupport
import Testing

@testable import Prompts

@Suite struct `Time zones` {
  private static func zone(_ name: String) throws -> Zone { try #require(ZoneFolder.system.zone(named: name)) }

  /// 2026-03-29T02:30 and such, in seconds.
  private static func seconds(_ text: String) -> Int {
    let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
    let day = Day.number(year: parts[0], month: parts[1], day: parts[2])
    return day * 86_400 + parts[3] * 3600 + parts[4] * 60
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-29T01:59", Zone.Occurrence.once(3600)),
    ("Europe/Berlin", "2026-03-29T03:00", .once(7200)),
    ("Europe/Berlin", "2026-10-25T01:59", .once(7200)),
    ("Europe/Berlin", "2026-10-25T02:00", .twice(7200, 3600)),
    ("Europe/Berlin", "2026-10-25T02:59", .twice(7200, 3600)),
    ("Europe/Berlin", "2026-10-25T03:00", .once(3600)),
    // After the last change that a file lists.
    ("Europe/Berlin", "2126-03-31T03:00", .once(7200)),
    ("America/New_York", "2400-07-01T00:00", .once(-14_400)),
    // Half an hour, and summer in December.
    ("Australia/Lord_Howe", "2026-04-05T01:45", .twice(39_600, 37_800)),
    // Summer time is the standard there, and winter time the exception.
    ("Europe/Dublin", "2026-10-25T01:30", .twice(3600, 0)),
    ("Asia/Kathmandu", "2026-01-01T00:00", .once(20_700)),
    ("Asia/Tokyo", "9999-12-31T23:59", .once(32_400)),
    ("UTC", "2026-03-29T02:30", .once(0)),
    // Before there was a standard time.
    ("Europe/Berlin", "1800-01-01T00:00", .once(3208)),
  ]) func `know how often a local time occurs`(name: String, local: String, expected: Zone.Occurrence) throws {
    #expect(try Self.zone(name).occurrence(ofLocal: Self.seconds(local)) == expected)
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T02:00", "2026-03-29T03:00", "2026-03-29T01:00"),
    ("Europe/Berlin", "2126-03-31T02:00", "2126-03-31T02:00", "2126-03-31T03:00", "2126-03-31T01:00"),
    ("America/New_York", "2026-03-08T02:59", "2026-03-08T02:00", "2026-03-08T03:00", "2026-03-08T07:00"),
    ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T02:00", "2026-10-04T02:30", "2026-10-03T15:30"),
    // A day that was left out.
    ("Pacific/Apia", "2011-12-30T12:00", "2011-12-30T00:00", "2011-12-31T00:00", "2011-12-30T10:00"),
  ]) func `know what clocks skip`(name: String, local: String, from: String, to: String, at: String) throws {
    let zone = try Self.zone(name), (local, at) = (Self.seconds(local), Self.seconds(at))
    #expect(zone.occurrence(ofLocal: local) == .never(from: Self.seconds(from), to: Self.seconds(to), at: at))
    #expect(zone.seconds(ofLocal: local) == at)
  }

  @Test func `are the same as Python reads them from the same files`() throws {
    // Years of every sort: before standard time, of wars, of now, and after the last change that is listed.
    let moments = stride(from: -40_000 * 86_400, to: 60_000 * 86_400, by: 97 * 86_400 + 3600)
    let script = """
      import datetime, zoneinfo
      moments = \(Array(moments))
      for name in sorted(zoneinfo.available_timezones()):
          zone = zoneinfo.ZoneInfo(name)
          print(name, *(int(datetime.datetime.fromtimestamp(seconds, zone).utcoffset().total_seconds())
                        for seconds in moments))
      """
    let process = Process(), output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    var (compared, differing) = (0, [String]())
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " "), name = String(parts[0])
      // Not names that no person's browser sends, like `localtime`.
      guard let zone = ZoneFolder.system.zone(named: name) else { continue }
      for (seconds, offset) in zip(moments, parts.dropFirst()) where Int(offset) != zone.offset(at: seconds) {
        differing.append("\(name) \(seconds) \(offset), here \(zone.offset(at: seconds))")
      }
      compared += parts.count - 1
    }
    #expect(compared > 300_000)
    #expect(differing.prefix(10) == [])
  }

  @Test func `count days as the calendar does`() {
    var (year, month, day) = (1, 1, 1)
    var differing: [Int] = []
    for number in Day.number(year: 1, month: 1, day: 1)...Day.number(year: 2400, month: 12, day: 31) {
      let isSame = Day.date(of: number) == (year, month, day)
      if !isSame || Day.number(year: year, month: month, day: day) != number { differing.append(number) }
      let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
      let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      (day, month) = day < days ? (day + 1, month) : (1, month + 1)
      if month == 13 { (year, month) = (year + 1, 1) }
    }
    #expect(differing.prefix(10) == [])
  }
}

@Suite struct `The folder of time zones` {
  @Test(arguments: [
    "", "../../etc/passwd", "/etc/passwd", "Europe/../../../../etc/passwd", "Europe", "Europe/", "/Europe/Berlin",
    "Europe//Berlin", "Europe/Berlin\0", "Europe/Berlin ", "europe/berlin", "right/Europe/Berlin", "posix/UTC",
    "localtime", "posixrules", "tzdata.zi", "zone.tab", "No/Where", String(repeating: "A", count: 65), "Évora",
  ]) func `opens no file for this name`(name: String) {
    #expect(ZoneFolder.system.zone(named: name) == nil)
  }

  @Test func `is not left by a link`() throws {
    let folder = try TemporaryDirectory()
    let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
    try folder.write(file, to: "Here")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/Inside", withDestinationPath: "Here")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/Outside", withDestinationPath: "/usr/share/zoneinfo/Europe/Berlin")
    try folder.write(Data(count: 70_000), to: "Large")
    let zones = ZoneFolder(folder.path)
    #expect(zones.zone(named: "Here")?.offset(at: 0) == 3600)
    #expect(zones.zone(named: "Inside")?.offset(at: 0) == 3600)
    #expect(zones.zone(named: "Outside") == nil)
    #expect(zones.zone(named: "Large") == nil)
    #expect(!zones.isInstalled)
    #expect(zones.zone(named: "UTC")?.offset(at: 0) == 0)
    #expect(ZoneFolder.system.isInstalled)
  }

  @Test func `survives files that are cut short or changed`() throws {
    let file = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
    let folder = try TemporaryDirectory()
    var read = 0
    for place in stride(from: 0, to: file.count, by: 3) {
      for changed in [Array(file[..<place]), file[..<place] + [file[place] ^ 0xFF] + file[(place + 1)...]] {
        try folder.write(Data(changed), to: "Zone")
        guard let zone = ZoneFolder(folder.path).zone(named: "Zone") else { continue }
        read += 1
        for seconds in [Int.min / 4, 0, 1 << 40] { _ = zone.occurrence(ofLocal: seconds / 1_000_000) }
      }
    }
    #expect(read > 0)
  }
}
