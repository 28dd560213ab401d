internal import Asks
internal import Glibc
internal import Logging
internal import Platform
internal import Prompts
internal import Synchronization

/// The keys that tokens may be signed with, read again when one is missing.
final class TokenKeys: Sendable {
  private struct Fetched {
    var keys = KeySet.empty
    /// The read that is under way.
    var reading: Task<Void, Never>?
    var lastRead: Timestamp?
    var isStopped = false
  }

  private let location: KeyLocation
  private let clock: WallClock
  private let logger: Logger
  private let state = Mutex(Fetched())

  /// The shortest time between two reads: anybody can send a token with an unknown key.
  private static let pause: Duration = .seconds(60)
  /// The same while no keys are known, and nobody gets in.
  private static let pauseWithoutKeys: Duration = .seconds(5)
  /// The time limit of a read by HTTP.
  private static let timeout: Duration = .seconds(5)

  init(_ location: KeyLocation, clock: WallClock, logger: Logger) {
    self.location = location
    self.clock = clock
    self.logger = logger
  }

  /// The keys of the last read that found some.
  var current: KeySet { state.withLock { $0.keys } }

  /// Reads the keys if they are in a file. Unlike a URL, which may respond later, one that cannot be read is a mistake.
  ///
  /// - Throws: `AskFault.setup` that says why.
  func readFile() throws(AskFault) {
    guard case .file(let path) = location.place else { return }
    let keys: KeySet
    do throws(PlainError) { keys = try KeySet(parsing: Self.bytes(of: path)) } catch {
      throw .setup("the keys of tokens (--identity-jwks) in \(path) cannot be read: \(error)")
    }
    state.withLock { ($0.keys, $0.lastRead) = (keys, clock.now) }
  }

  /// Reads the keys again, unless they were just read, and returns when that is done. All who wait share one read.
  func readAgain() async { await reading()?.value }

  /// The read that is under way or begins now, or `nil` if it is too early for another.
  @discardableResult func reading() -> Task<Void, Never>? {
    state.withLock { state in
      let now = clock.now
      // A clock that was set back does not count.
      let pause = state.keys.isEmpty ? Self.pauseWithoutKeys : Self.pause
      let isEarly = state.lastRead.map { $0 <= now && now < $0 + pause } ?? false
      guard state.reading == nil, !isEarly, !state.isStopped else { return state.reading }
      state.lastRead = now
      state.reading = Task { await read() }
      return state.reading
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.reading?.cancel()
    }
  }

  private func read() async {
    var found: KeySet?
    do throws(PlainError) { found = try KeySet(parsing: await bytes()) } catch {
      let consequence =
        current.isEmpty
        ? "nobody gets in with a token until they can"
        : "tokens signed with other keys than those read before are refused"
      if !Task.isCancelled {
        logger.warning("the keys of tokens at \(location) cannot be read: \(error); \(consequence)")
      }
    }
    state.withLock { state in
      state.keys = found ?? state.keys
      state.reading = nil
    }
  }

  private static let tooLong = PlainError("there are more than \(KeySet.limit >> 10) KiB, which no JWK Set needs")

  private static func bytes(of path: String) throws(PlainError) -> [UInt8] {
    let file: RegularFile
    do throws(RegularFile.ReadError) { file = try RegularFile(path, first: KeySet.limit + 1) } catch {
      switch error {
      case .system(let code): throw .init("\(unsafe String(cString: strerror(code))); check its path and rights")
      case .irregular: throw .init("this is not an ordinary file; name one")
      }
    }
    if file.bytes.count > KeySet.limit { throw Self.tooLong }
    return file.bytes
  }

  private func bytes() async throws(PlainError) -> [UInt8] {
    switch location.place {
    case .file(let path): return try Self.bytes(of: path)
    case .url(let url):
      let headers = [("Accept", "application/json"), ("User-Agent", "OKCancel")]
      // The operator's URL, so it may be reached as the environment says; this machine is, directly.
      let request = OutgoingRequest(
        "GET", url.text, headers: headers, body: nil, limit: KeySet.limit, usesProxy: url.scheme == "https")
      switch await request.send(within: Self.timeout) {
      case .noResponse(let reason), .lost(let reason): throw .init(reason)
      case .interrupted: throw .init("interrupted")
      case .response(_, _, isCut: true, _): throw Self.tooLong
      case .response(200, let body, _, _): return body
      case .response(300..<400, _, _, _): throw .init("it redirects to another address; give that one")
      case .response(let status, _, _, _): throw .init("it responded with \(status)")
      }
    }
  }
}
