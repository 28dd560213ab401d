import Testing

@testable import OKCancel

@Suite(.timeLimit(.minutes(5))) struct `The type of a body` {
  @Test(arguments: [
    ("application/json", #"{"email":"a@b.c"}"#), ("application/json; charset=utf-8", #"{"email":"a@b.c"}"#),
    (#"Application/JSON ;profile=x; Charset="UTF-8""#, #"{"email":"a@b.c"}"#),
    ("application/vnd.example+json", #"{"email":"a@b.c"}"#),
    ("application/x-www-form-urlencoded;charset=UTF-8", "email=a%40b.c"),
  ])
  func `is read if it is JSON or a form in UTF-8`(type: String, body: String) async throws {
    let live = try LiveServer(Sample.all)
    let answer = try await live.send("POST", "/validate/email", headers: ["Content-Type": type], body: Array(body.utf8))
    #expect(answer.status == 200)
    #expect(answer.text == #"{"isValid":true,"fields":{"email":{"isValid":true}}}"#)
  }

  @Test(arguments: [
    ("text/plain", "of type “text/plain”"), ("text/json", "of type “text/json”"),
    ("application / json", "of type “application / json”"), ("+json", "of type “+json”"),
    ("multipart/form-data; boundary=x", "of type “multipart/form-data”"),
    ("application/json; charset=utf-16", "in the character set “utf-16”"),
    ("application/x-www-form-urlencoded; charset=iso-8859-1", "in the character set “iso-8859-1”"),
  ])
  func `is answered with 415 and what is read if it is another`(type: String, what: String) async throws {
    let doors = try await Doors()
    for door in doors.form {
      let headers = door.headers.merging(["Content-Type": type]) { $1 }
      let answer = try await doors.live.send("POST", door.path, headers: headers, body: Array("{}".utf8))
      #expect(answer.status == 415, "\(door.path)")
      #expect(
        answer.detail == "A body \(what) is not supported here; "
          + "send application/json or application/x-www-form-urlencoded in UTF-8.")
      #expect(answer.headers["accept"] == "application/json, application/x-www-form-urlencoded")
    }
  }

  @Test(arguments: ["text/plain", "application/x-www-form-urlencoded"])
  func `is answered with 415 where nothing but JSON is read`(type: String) async throws {
    let live = try await Doors().live
    let headers = live.authorized.merging(["Content-Type": type]) { $1 }
    for (method, path) in [
      ("POST", "/asks"), ("PATCH", "/asks/x"), ("PUT", "/asks/x/result"), ("POST", "/hook?host=claude"),
      ("POST", "/mcp"), ("POST", "/validate"),
    ] {
      let answer = try await live.send(method, path, headers: headers, body: Array("{}".utf8))
      #expect(answer.status == 415, "\(path)")
      #expect(answer.detail.contains(" only accepts application/json"))
      #expect(answer.headers["accept"] == "application/json")
    }
  }

  @Test func `is asked for if there is no body`() async throws {
    let doors = try await Doors()
    for door in doors.form {
      let answer = try await doors.live.send("POST", door.path, headers: door.headers)
      #expect(answer.status == 415, "\(door.path)")
      #expect(answer.detail == #"There is no body; send JSON, like {"outcome":"ok"} to a dialog, or a form."#)
      #expect(answer.headers["accept"] == "application/json, application/x-www-form-urlencoded")
    }
  }

  @Test func `may not hide the body in a coding`() async throws {
    let answer = try await LiveServer(Sample.all).post(
      "/validate/email", json: "{}", headers: ["Content-Encoding": "gzip"])
    #expect(answer.status == 415)
    #expect(answer.headers["accept-encoding"] == "identity")
    #expect(answer.detail.hasPrefix("A body coded as “gzip” is not supported here"))
  }
}
