import CMicroHTTPD
import Glibc
import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct `A draining server` {
  /// libmicrohttpd 0.9.75 aborts if the second one fails: its worker and the thread that stops it may both remove the
  /// listening socket.
  @Test func `a socket can be removed from a set twice`() {
    let (set, socket) = (epoll_create1(0), socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    defer { for descriptor in [set, socket] { close(descriptor) } }
    var event = epoll_event()
    #expect(epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) == 0)
    #expect(epoll_ctl(set, EPOLL_CTL_DEL, socket, nil) == 0)
    #expect(epoll_ctl(set, EPOLL_CTL_DEL, socket, nil) == 0)
    #expect(epoll_ctl(set, EPOLL_CTL_DEL, -1, nil) == -1 && errno == EBADF)
  }

  @Test func `lets a running request end`() async throws {
    let gate = Gate()
    let running = try `A suspended reply`.running(at: gate)
    let client = try running.client(sending: get("/later"))
    await gate.arrivals(1)
    async let drained: Void = running.server.drain(deadline: .seconds(60))
    gate.open()
    #expect(try await client.laterAnswer().text == "later")
    await drained
    #expect(try client.isClosed())
    #expect(running.server.port == nil)
    #expect(throws: RawClient.Failure.self) { try running.client() }
  }

  @Test func `answers 503 for what outlasts the deadline, and cancels it`() async throws {
    let gate = Gate()
    let running = try `A suspended reply`.running(at: gate)
    let clients = try running.clients(20, sending: get("/later"))
    await gate.arrivals(20)
    await running.server.drain(deadline: .zero)
    for client in clients {
      let answer = try client.answer()
      #expect(answer.status == 503)
      #expect(answer.header("Retry-After") == "5")
      #expect(try client.isClosed())
    }
    gate.open()
  }

  @Test func `answers requests on old connections, and ends them`() async throws {
    let gate = Gate()
    let running = try `A suspended reply`.running(at: gate)
    let waiting = try running.client()
    let idle = try running.client()
    #expect(try idle.answer(to: get("/now")).header("Connection") == nil)
    try waiting.send(get("/later"))
    await gate.arrivals(1)
    async let drained: Void = running.server.drain(deadline: .seconds(60), patience: .seconds(60))
    // Until the drain has begun, connections are kept as ever.
    var answer: RawClient.Answer
    repeat {
      answer = try idle.answer(to: get("/now"))
      await Task.yield()
    } while answer.header("Connection") == nil && !Task.isCancelled
    #expect((answer.status, answer.text) == (200, "now"))
    #expect(answer.header("Connection") == "close")
    #expect(try idle.isClosed())
    gate.open()
    #expect(try await waiting.laterAnswer().header("Connection") == "close")
    await drained
  }

  @Test func `closes an idle connection when its patience ends`() async throws {
    let running = try RunningServer { $0.on(.get, "/") { _ in .now(Response(.ok)) } }
    let idle = try running.client()
    _ = try idle.answer(to: get())
    await running.server.drain(deadline: .seconds(60), patience: .milliseconds(1))
    #expect(try idle.isClosed())
  }

  @Test func `leaves a socket that is handed on to the next listener`() async throws {
    let running = try RunningServer { $0.on(.get, "/") { _ in .now(.text("first")) } }
    let socket = try #require(running.server.copyListeningSocket())
    await running.server.drain(refusing: false)
    let waiting = try running.client(sending: get())
    let next = try RunningServer(adjust: { $0.listeningSocket = socket }) {
      $0.on(.get, "/") { _ in .now(.text("next")) }
    }
    #expect(next.port == running.port)
    #expect(next.server.host == "127.0.0.1")
    #expect(try waiting.answer().text == "next")
  }

  @Test func `stops at once with suspended requests`() async throws {
    let gate = Gate()
    let running = try `A suspended reply`.running(at: gate)
    let clients = try running.clients(20, sending: get("/later"))
    await gate.arrivals(20)
    running.server.stop()
    running.server.stop()
    gate.open()
    for client in clients { while (try? client.answer()) != nil {} }
    #expect(running.server.port == nil)
  }

  @Test func `takes no socket that does not listen for TCP`() throws {
    func fault(_ descriptor: Int32) -> Server.StartError? {
      var configuration = Server.Configuration()
      configuration.listeningSocket = descriptor
      let server = Server(configuration: configuration, application: RoutedApplication(Router()))
      do throws(Server.StartError) {
        try server.start()
        return nil
      } catch {
        return error
      }
    }
    func opened(_ family: Int32) -> Int32 { socket(family, Int32(SOCK_STREAM.rawValue), 0) }
    let (idle, local, file) = (opened(AF_INET), opened(AF_UNIX), open("/dev/null", O_RDONLY))
    defer { for descriptor in [idle, local, file] { close(descriptor) } }
    #expect(fault(idle) == .passedSocket(idle, reason: "it does not listen; with systemd, leave Accept= at no"))
    #expect(
      fault(local)
        == .passedSocket(local, reason: "it is not a TCP socket; give an address and a port as ListenStream="))
    #expect(fault(file) == .passedSocket(file, reason: "it is not a socket"))
    #expect(fault(9999) == .passedSocket(9999, reason: "nothing is open there"))
  }
}
