import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `GET /asks` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) { $0.apiTokens = ["token"] } }

  private func make(_ prompt: String) async throws -> LiveServer.MadeAsk {
    try await live.ask(#"{"prompt":"\#(prompt)"}"#)
  }

  private func list(_ query: String) async throws -> [JSON] {
    let answer = try await live.get("/asks" + query, headers: live.authorized)
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "application/jsonl")
    return try lines(of: answer)
  }

  private func lines(of answer: LiveServer.Answer) throws -> [JSON] {
    try answer.text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8), limits: .file) }
  }

  private func text(_ key: String, in asks: [JSON]) -> [String] { asks.map { $0.text(key) ?? "" } }

  @Test func `lists asks by their state and prompt, page by page`() async throws {
    #expect(try await list("").isEmpty)
    let first = try await make("email")
    let second = try await make("login")
    let third = try await make("email")
    #expect(try await live.post(first.path, form: "email=a%40b.c").status == 200)
    #expect(Set(text("id", in: try await list(""))) == [first.id, second.id, third.id])
    #expect(Set(text("id", in: try await list("?status=open"))) == [second.id, third.id])
    #expect(Set(text("id", in: try await list("?status=open&prompt=email"))) == [third.id])
    #expect(try await list("?prompt=gone").isEmpty)
    let closed = try await list("?status=closed")
    #expect(text("outcome", in: closed) == ["ok"])
    #expect(text("email", in: closed.compactMap { $0["values"] }) == ["a@b.c"])
    let cursors = text("cursor", in: try await list(""))
    #expect(text("cursor", in: try await list("?after=\(cursors[0])")) == Array(cursors[1...]))
    #expect(try await list("?after=\(cursors[2])").isEmpty)
  }

  @Test(arguments: [
    ("?status=ended", "“status” must be open or closed"), ("?after=7", "“after” must be the “cursor” of an ask"),
    ("?prompt=No", "“prompt” must be the name of a prompt, like email, not “No”"),
    ("?prompt=", "“prompt” must be the name of a prompt, like email, not “”"),
    ("?limit=0", "“limit” must be a whole number from 1 to 1000, not “0”"),
    ("?limit=1001", "“limit” must be a whole number from 1 to 1000, not “1001”"),
  ])
  func `says what is wrong with a question`(query: String, detail: String) async throws {
    let answer = try await live.get("/asks" + query, accept: "*/*", headers: live.authorized)
    #expect(answer.status == 400)
    #expect(answer.headers["content-type"] == "application/problem+json")
    #expect(answer.text.contains(detail), "\(answer.text)")
  }

  @Test(arguments: [1, 2, 50, 60, 1000])
  func `names the next page as long as there is one`(limit: Int) async throws {
    var created: [String] = []
    for _ in 0..<120 { created.append(try await make("email").id) }
    _ = try await make("login")
    var (read, path) = ([String](), Optional("/asks?prompt=email&limit=\(limit)"))
    while let page = path {
      let answer = try await live.get(page, headers: live.authorized)
      let lines = try lines(of: answer)
      let isLast = read.count + lines.count == 120
      #expect(lines.count == limit || isLast)
      read += text("id", in: lines)
      let next = "/asks?prompt=email&limit=\(limit)&after=\(text("cursor", in: lines).last ?? "")"
      #expect(answer.headers["link"] == (isLast ? nil : "<\(next)>; rel=\"next\""))
      path = isLast ? nil : next
    }
    #expect(read.sorted() == created.sorted())
  }
}
