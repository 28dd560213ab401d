import Glibc
import Testing

@testable import MicroHTTP

@Suite struct `The memory of a connection` {
  private static let page = sysconf(Int32(_SC_PAGESIZE))

  /// Eight pages, all of them in memory; `isZero` says which of them hold only zeros.
  private static func pages(_ isZero: [Bool]) -> UnsafeMutableRawBufferPointer {
    let memory = mmap(nil, 8 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    for (index, isZero) in isZero.enumerated() {
      memset(memory + index * page, isZero ? 0 : 7, page)
    }
    return UnsafeMutableRawBufferPointer(start: memory, count: 8 * page)
  }

  private static func resident(_ memory: UnsafeMutableRawBufferPointer) -> [Bool] {
    var pages = [UInt8](repeating: 0, count: 8)
    mincore(memory.baseAddress, memory.count, &pages)
    return pages.map { $0 & 1 == 1 }
  }

  @Test func `gives back whole pages of zeros, and nothing else changes`() throws {
    let isZero = [true, true, false, true, true, false, true, true]
    let memory = Self.pages(isZero)
    defer { munmap(memory.baseAddress, memory.count) }
    // A zero page with one byte at its end, and one with one at its start.
    memory[4 * Self.page + Self.page - 1] = 1
    memory[6 * Self.page] = 1
    let before = Array(memory)
    let line = UnsafeRawPointer(memory.baseAddress!) + 16
    let known = try #require(
      ConnectionMemory(from: line, bytes: 100, received: 100, size: 8 * Self.page - 16))
    known.giveBackZeros()
    #expect(Self.resident(memory) == [true, false, true, false, true, true, true, false])
    #expect(Array(memory) == before)
  }

  @Test func `ends before what is not its own`() throws {
    let memory = Self.pages([Bool](repeating: true, count: 8))
    defer { munmap(memory.baseAddress, memory.count) }
    let line = UnsafeRawPointer(memory.baseAddress! + 2 * Self.page)
    try #require(ConnectionMemory(from: line, bytes: 1, received: 1, size: 3 * Self.page - 1)).giveBackZeros()
    #expect(Self.resident(memory) == [true, true, false, false, true, true, true, true])
  }

  @Test(arguments: [(99, 4), (101, 4), (0, 4), (100, 1)] as [(UInt64, Int)])
  func `is not known where more or less has come than the request, or it has no whole page`(
    received: UInt64, pages: Int
  ) {
    let memory = Self.pages([Bool](repeating: true, count: 8))
    defer { munmap(memory.baseAddress, memory.count) }
    let line = UnsafeRawPointer(memory.baseAddress!) + 16
    #expect(ConnectionMemory(from: line, bytes: 100, received: received, size: pages * Self.page) == nil)
  }
}
