import Logging
import Testing

@testable import OKCancel

/// What a program can switch on when it cannot ask.
@Suite(.timeLimit(.minutes(1))) struct `Faults of asking` {
  @Test func `a taken port and a prompt with faults`() throws {
    let live = try LiveServer([])
    let port = try #require(live.server.port)
    var configuration = Configuration()
    configuration.port = port
    let second = try OKCancelServer(configuration: configuration)
    do throws(AskFault) { try second.start() } catch {
      guard case .portInUse(port, host: "127.0.0.1") = error else { throw error }
    }
    let twice = Prompt(title: " ", fields: [Field("a"), Field("a", rules: [.sameAs("b")])])
    do throws(AskFault) { _ = try OKCancelServer(prompts: [twice.named("twice")]) } catch {
      guard case .unusablePrompt(let faults, named: "twice") = error else { throw error }
      #expect(faults.map(\.pointer) == ["/title", "/fields/1/name", "/fields/1/rules/0"])
      #expect("\(error)".hasPrefix("the prompt “twice” cannot be served:\n/"))
    }
  }

  @Test func `an unknown ask and an unknown prompt, at a server and through a client`() async throws {
    let live = try LiveServer(Sample.all) { $0.apiTokens = ["one"] }
    let askers: [any Asker] = [live.server, Client(url: live.server.url, token: "one")]
    for asker in askers {
      do { _ = try await asker.outcome(of: "nothing", within: .zero) } catch AskFault.unknownAsk {}
      do throws(AskFault) { _ = try await asker.withdraw("nothing") } catch {
        guard case .unknownAsk = error else { throw error }
      }
      do throws(AskFault) { _ = try await asker.create(Question(promptNamed: "emial")) } catch {
        guard case .unknownPrompt(let what) = error else { throw error }
        #expect(what.contains("email"))
      }
      do throws(AskFault) { _ = try await asker.create(Question(Sample.email) { $0.key = "two words" }) } catch {
        guard case .setup = error else { throw error }
      }
    }
    let away = Client(url: "http://127.0.0.1:1", token: "one")
    do throws(AskFault) { _ = try await away.withdraw("nothing") } catch {
      guard case .unreachable = error else { throw error }
    }
    do throws(AskFault) { _ = try await Client(url: live.server.url, token: "two").withdraw("nothing") } catch {
      guard case .refused(status: 401, code: "wrong-token", _) = error else { throw error }
    }
  }

  @Test func `who waits at a stop hears of it, and nothing is logged as an error`() async throws {
    let errors = LogLines(.error)
    let server = try OKCancelServer(logger: errors.logger)
    let ask = try await server.create(Question(Prompt(title: "Ready?")))
    let (asked, link) = AsyncStream.makeStream(of: Void.self)
    let waiters = [
      Task { _ = try await server.outcome(of: ask.id) },
      Task { _ = try await server.ask("Your name") { _ in link.finish() } },
    ]
    for await _ in asked {}
    await server.drain(deadline: .zero, patience: .zero)
    for waiter in waiters {
      let result = await waiter.result
      #expect(throws: AskFault.self) { try result.get() }
      if case .failure(AskFault.stopped) = result {} else { Issue.record("\(result)") }
    }
    do throws(AskFault) { try server.start() } catch {
      guard case .stopped = error else { throw error }
    }
    do throws(AskFault) { _ = try await server.create(Question(Prompt(title: "Ready?"))) } catch {
      guard case .stopped = error else { throw error }
    }
    #expect(errors.all == [])
    let another = try OKCancelServer()
    try another.start()
    await another.drain(deadline: .zero, patience: .zero)
  }
}
