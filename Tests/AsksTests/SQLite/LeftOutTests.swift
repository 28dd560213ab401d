@testable import Asks
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `What is left out of a write-ahead log at the start` {
  private let file: DatabaseFile

  init() throws { file = try DatabaseFile("killed.sqlite") }

  private var log: String { file.path + "-wal" }

  /// A database as kill -9 leaves it after ten asks, and the size of its log after each.
  private func kill(_ last: (AskStore) async throws -> Void = { _ in }) async throws -> [Int] {
    let alive = try DatabaseFile("alive.sqlite")
    // The log in which the tables were made would not grow with the first asks.
    try await alive.open().close()
    let store = try alive.open()
    var sizes: [Int] = []
    for _ in 0..<10 {
      _ = try await store.create(.sample, idempotency: nil)
      sizes.append(try Data(contentsOf: URL(fileURLWithPath: alive.path + "-wal")).count)
    }
    try await last(store)
    for end in ["", "-wal", ".key"] {
      try FileManager.default.copyItem(atPath: alive.path + end, toPath: file.path + end)
    }
    return sizes
  }

  private func count(_ store: AskStore) async throws -> Int? {
    try await store.connection.read { try $0.count("SELECT count(*) FROM asks") }
  }

  /// Changes a byte of the log.
  private func damage(at offset: Int) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: log))
    try handle.seek(toOffset: UInt64(offset))
    let byte = try #require(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: [byte ^ 0x40])
    try handle.close()
  }

  @Test func `is nothing after kill -9`() async throws {
    _ = try await kill()
    let store = try file.open()
    #expect(store.notices.isEmpty)
    #expect(try await count(store) == 10)
  }

  /// Promise 1.11
  @Test(arguments: [0, 4, 9, 16, 24, 4000])
  func `is what follows a damaged frame, which is told and kept`(byte: Int) async throws {
    let sizes = try await kill()
    try damage(at: sizes[4] + byte)
    let whole = try Data(contentsOf: URL(fileURLWithPath: log))
    let store = try file.open()
    let leftOut = try #require(store.notices.first)
    #expect(leftOut.isDamage)
    #expect(
      "\(leftOut)".contains(
        "is damaged at byte \(sizes[4]): the \(sizes[9] - sizes[4]) bytes from there on were left out"))
    #expect("\(leftOut)".contains("the whole log is in \(log).damaged"))
    #expect(try file.directory.contents()["killed.sqlite-wal.damaged"] == whole)
    #expect(try await count(store) == 5)
    // Said once: what comes after it is whole again.
    _ = try await store.create(.sample, idempotency: nil)
    let again = try file.open(try file.copy("", "-wal", ".key", to: "later.sqlite"))
    #expect(again.notices.isEmpty)
    #expect(try await count(again) == 6)
  }

  @Test(arguments: [1, 9, 17, 25])
  func `is the whole log if its header is damaged`(byte: Int) async throws {
    let sizes = try await kill()
    try damage(at: byte)
    let leftOut = try #require(try file.open().notices.first)
    #expect(leftOut.isDamage)
    #expect("\(leftOut)".contains("is damaged at byte 32: the \(sizes[9] - 32) bytes from there on were left out"))
  }

  @Test(arguments: [1, 100, 4120])
  func `is no loss if the last transaction was cut off as it was written`(bytes: Int) async throws {
    let sizes = try await kill()
    truncate(log, sizes[9] - bytes)
    let store = try file.open()
    let leftOver = sizes[9] - bytes - sizes[8]
    if let leftOut = store.notices.first {
      #expect(!leftOut.isDamage)
      #expect(
        "\(leftOut)".contains(
          "\(log) ended with \(leftOver) bytes of a transaction that was not finished, as a crash leaves it"))
    }
    #expect(store.notices.isEmpty == (leftOver == 0))
    #expect(try await count(store) == 9)
    #expect(try file.directory.contents()["killed.sqlite-wal.damaged"] == nil)
  }

  @Test func `is nothing of an earlier generation, which is in the database`() async throws {
    _ = try await kill { store in
      try await store.connection.read { try $0.execute("PRAGMA wal_checkpoint(RESTART)") }
      _ = try await store.create(.sample, idempotency: nil)
    }
    let store = try file.open()
    #expect(store.notices.isEmpty)
    #expect(try await count(store) == 11)
  }
}
