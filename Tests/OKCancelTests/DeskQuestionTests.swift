import Foundation
import Testing

@testable import OKCancel
@testable import Prompts

/// A question as a person at the terminal of the program gets it, beside the same behind its link.
@Suite(.timeLimit(.minutes(1))) struct `A question that is answered without HTTP` {
  private struct OtherReply: Error {}

  private func inputs(quantity: String) -> Inputs {
    Inputs([
      ("quantity", .text(quantity)), ("note", .text("")), ("gift", .text("true")), ("extras", .choices(["card"])),
    ])
  }

  @Test func `is shown and judged as behind its link, and is kept as answered at the terminal`() async throws {
    let live = try LiveServer([])
    let ask = try await live.server.create(Question(Sample.order) { $0.values = ["note": "soon"] })
    let link = try #require(ask.link)
    let here = live.server.question(behind: link)
    let doors: [any PersonsQuestion] = [here, try #require(AnswerLink(link.absoluteString, language: nil))]
    for door in doors {
      let fields = try await door.prompt().fields
      #expect(fields.map(\.value.texts) == [[""], ["soon"], ["false"], []])
      let verdicts = try await door.verdicts(on: inputs(quantity: "x"), of: fields)
      #expect(verdicts.filter { !$0.value.isValid }.keys.sorted() == ["quantity"])
      let reply = try await door.answer(.ok, action: nil, inputs(quantity: "x"), of: fields)
      guard case .refused(let refused) = reply else { throw OtherReply() }
      #expect(refused["quantity"] == verdicts["quantity"])
    }
    let fields = try await here.prompt().fields
    guard case .ended(let ended) = try await here.answer(.ok, action: nil, inputs(quantity: "7"), of: fields) else {
      throw OtherReply()
    }
    #expect(ended.by == .terminal && ended.outcome.values?["quantity"] == 7)
    #expect(try await live.server.end(of: ask.id, within: .zero) == ended)
    for door in doors { await #expect(throws: HasEnded.self) { try await door.prompt() } }
  }

  @Test func `and is only asked here ends as its buttons say`() async throws {
    let question = try DeskQuestion(Question(Sample.login), commands: [:])
    let fields = try await question.prompt().fields
    let inputs = Inputs([("user", .text("ann")), ("password", .text("12345678"))])
    let values: Values = ["user": "ann", "password": "12345678"]
    for (kind, action, outcome) in [
      (.ok, nil, .ok(values)), (.cancel, nil, .cancel), (.action, "forgot", .action("forgot", nil)),
      (.action, "keep", .action("keep", values)),
    ] as [(Outcome.Kind, String?, Outcome)] {
      guard case .ended(let ended) = try await question.answer(kind, action: action, inputs, of: fields) else {
        throw OtherReply()
      }
      #expect(ended.outcome == outcome && ended.by == .terminal)
    }
  }

  @Test func `and cannot be asked is refused as a server refuses it`() async throws {
    let server = try OKCancelServer()
    var (people, channels, blank) = (Sample.email, Sample.email, Sample.email)
    people.for = ["ada@example.com"]
    channels.notify = ["ops"]
    blank.title = " "
    for prompt in [people, channels, blank] {
      var said: [String] = []
      do { _ = try DeskQuestion(Question(prompt), commands: [:]) } catch { said.append("\(error)") }
      do { _ = try await server.create(Question(prompt)) } catch { said.append("\(error)") }
      #expect(said.count == 2 && said.first == said.last, "\(said)")
    }
    await server.drain(deadline: .zero, patience: .zero)
  }
}
