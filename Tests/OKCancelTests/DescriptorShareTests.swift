import Testing

@testable import OKCancel

@Suite struct `Shares of descriptors` {
  /// Of a server without callbacks, channels, identity and programs, or with all of them.
  func shares(of limit: Int, cores: Int = 2, withEverything: Bool = false) throws -> DescriptorShares {
    var configuration = Configuration()
    if withEverything {
      configuration.allowedCallbacks = [try CallbackPrefix("https://example.com/")]
      configuration.database = "postgresql://example.com/asks"
    }
    return DescriptorShares(
      configuration: configuration, hasPrograms: withEverything, limit: limit, open: 12, cores: cores)
  }

  @Test func `leave few connections to a low limit and all to a high one`() throws {
    let counts = try [64, 256, 1024, 4096, 20_000, .max].map { try shares(of: $0).connections }
    #expect(counts == [14, 194, 914, 3794, 16_384, 16_384])
    let fewer = try [128, 256, 1024, 4096, 20_000, .max].map { try shares(of: $0, withEverything: true).connections }
    #expect(fewer == [29, 117, 741, 3237, 16_384, 16_384])
  }

  @Test func `give no kind of work more than an eighth, and each at least one`() throws {
    for limit in [1, 64, 100, 1024, 5000, 65_536] {
      let shares = try shares(of: limit, cores: 64)
      for (count, each) in [(shares.threads, 4), (shares.lingering, 2), (shares.callbacks, 8), (shares.programs, 8)] {
        #expect(count == 1 || count * each <= limit / 8)
      }
      #expect(shares.deliveriesPerReceiver <= shares.callbacks)
      #expect(shares.connectionsPerClient <= max(1, shares.connections / 2))
    }
  }

  @Test(arguments: [2, 64], [false, true])
  func `refuse a limit that is too low, and name the lowest that is not`(cores: Int, withEverything: Bool) throws {
    guard case .descriptors(16, let needed)? = try shares(of: 16, cores: cores, withEverything: withEverything).fault
    else {
      Issue.record("it is not refused")
      return
    }
    #expect(try shares(of: needed, cores: cores, withEverything: withEverything).fault == nil)
    #expect(try shares(of: needed - 1, cores: cores, withEverything: withEverything).fault != nil)
  }

  @Test func `say how to have all connections that were asked for`() throws {
    #expect(
      try shares(of: 1024).shortage == """
        only 914 connections at a time instead of 16384, because RLIMIT_NOFILE (ulimit -n, LimitNOFILE=) is 1024; raise \
        it to 16686, or set --connections
        """)
    #expect(try shares(of: 16_686).shortage == nil)
    #expect(try shares(of: 16_685).shortage != nil)
  }
}
