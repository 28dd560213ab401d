import Testing

@testable import Prompts

@Suite struct `How a question has ended` {
  private static let all: [(Ended, String)] = [
    (Ended(.ok(["n": 7])), #""outcome":"ok","values":{"n":7}"#),
    (Ended(.cancel), #""outcome":"cancel""#),
    (Ended(.action("later", nil), subject: "user-7"), #""outcome":"action","action":"later","subject":"user-7""#),
    (Ended(.action("save", ["n": nil])), #""outcome":"action","action":"save","values":{"n":null}"#),
    (
      refused(by: .init(.header, Person(id: "ada@example.com", name: "Ada")), "too late"),
      #""outcome":"cancel","reason":"too late","by":{"id":"ada@example.com","name":"Ada","via":"header"}"#
    ),
    (refused(by: .init(.link), nil), #""outcome":"cancel","by":{"via":"link"}"#),
    (Ended(.expired), #""outcome":"expired""#), (Ended(.withdrawn), #""outcome":"withdrawn""#),
  ]

  @Test func `says what was changed, even if that is nothing`() throws {
    for changed in [[], ["/a", "/b~1c"]] {
      var ended = Ended(.ok(["n": 7]))
      ended.changed = changed
      let json = try JSON(parsing: JSONWriter.object(ended.writeMembers))
      #expect(json.texts("changed") == changed)
      #expect(Ended(json) == ended)
    }
  }

  private static func refused(by: Ended.By, _ reason: String?) -> Ended {
    var ended = Ended(.cancelled(reason: reason))
    ended.by = by
    return ended
  }

  @Test(arguments: all)
  func `is written for programs, and read again whatever stands around it`(_ ended: Ended, _ members: String) throws {
    #expect(String(decoding: JSONWriter.object(ended.writeMembers), as: UTF8.self) == "{\(members)}")
    var found = ended
    (found.id, found.receipt) = ("i", "r")
    let around = #"{"cursor":"1","id":"i","receipt":"r","status":"closed",\#(members),"closedAt":"…","metadata":{}}"#
    #expect(try Ended(JSON(parsing: Array(around.utf8))) == found)
  }

  @Test func `is told the person's page without the subject, and with proof if it asks for some`() {
    var ended = Ended(.cancel, subject: "user-7")
    (ended.id, ended.receipt) = ("i", "r")
    #expect(String(decoding: ended.json(), as: UTF8.self) == #"{"outcome":"cancel"}"#)
    let proven = String(decoding: ended.json(withProof: true), as: UTF8.self)
    #expect(proven == #"{"outcome":"cancel","id":"i","receipt":"r"}"#)
  }

  @Test(arguments: [#"{"status":"open"}"#, #"{"outcome":"maybe"}"#, #"{"outcome":"action"}"#, #"{"outcome":1}"#, "[]"])
  func `is not read from anything else`(_ text: String) throws {
    #expect(try Ended(JSON(parsing: Array(text.utf8))) == nil)
  }
}
