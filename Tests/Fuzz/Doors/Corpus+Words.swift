import TestSupport

/// Bodies and words by hand.
extension Corpus {
  static let values = lines(
    #"""
    {"displayName":"Ada","handle":"ada-l","dateOfBirth":"1990-12-10","website":"https://example.com/","phone":"+49 30 123456","passphrase":"correct horse battery","passphraseAgain":"correct horse battery"}
    {"displayName":"\ud83d\ude00","handle":"a-b-c","dateOfBirth":null,"website":"","phone":"","passphrase":"","passphraseAgain":""}
    {"displayName":1.5e3,"handle":true,"website":"http://[::1]:80/?q#f"}
    {}
    """#)

  static let submissions =
    values.map { Array(#"{"outcome":"ok","values":"#.utf8) + $0 + [UInt8(ascii: "}")] }
    + lines(#"{"outcome":"cancel"}"#)

  static let forms = lines(
    """
    outcome=ok&displayName=Ada&handle=ada-l&dateOfBirth=1990-12-10&website=https%3A%2F%2Fexample.com%2F&phone=%2B49+30+123456&passphrase=correct+horse+battery&passphraseAgain=correct+horse+battery
    displayName=%F0%9F%98%80&handle=&dateOfBirth=&website=&phone=&passphrase=&passphraseAgain=
    outcome=cancel
    """)

  static let words =
    split(
      #"{ } [ ] , : " \ \u0000 \ud800 \udc00 \u00e9 null true false 0 -1 1e400 0.1 1e-400 99999999999999999999 "" {} [] [[[[[[[[ {"a": "rules" "rule" "values" "value" "outcome" "ok" "cancel" "action" "prompt" "email" "definition" "fields" "name" "kind" "choices" "slider" "password" "options" "range" "min" "max" "step" "of" "from" "length" "pattern" "ignoreCase" "predicate" "integer" "not" "any" "all" "oneOf" "sameAs" "compare" "field" "is" "less" "count" "message" "decidedBy" "allow" "validate" "trim" "optional" "buttons" "role" "title" "expiresIn" "callback" "metadata" 2024-02-29 0000-00-00 9999-12-31T23:59 24:00 http://a@b:99999/ a@b.c xn--"#
    )
    + marks

  static let formWords =
    split("& = % + %00 %0D%0A %ff %C0%AF %ED%A0%80 %E2%82 outcome action displayName handle ok cancel") + marks

  static let numbers = Extremes.numbers.map { Array($0.utf8) }

  /// Schemas in which a number fits wherever one can.
  static let schemas = lines(
    #"""
    {"title":"T","properties":{"a":{"type":"integer","minimum":1,"maximum":9,"exclusiveMinimum":0,"exclusiveMaximum":10,"multipleOf":2,"default":4,"examples":[6]}},"required":["a"]}
    {"title":"T","properties":{"a":{"type":"number","exclusiveMinimum":0.5,"maximum":1e3,"multipleOf":0.1},"b":{"type":"integer","format":"int64","x-okcancel":{"kind":"slider"},"minimum":0,"maximum":5}}}
    {"title":"T","properties":{"a":{"type":"string","minLength":1,"maxLength":9,"pattern":"^a{2,3}$"},"b":{"type":"array","items":{"enum":["x","y"]},"minItems":1,"maxItems":2,"uniqueItems":true},"c":{"enum":[1,2.5,3],"minimum":2}}}
    {"title":"T","properties":{"a":{"oneOf":[{"const":1,"title":"A"},{"const":2}]},"b":{"type":"string","x-okcancel":{"rules":[{"range":{"min":1,"max":2}},{"step":{"of":1,"from":0}}]}}}}
    """#)

  /// Definitions, values and limits of an ask in which a number fits wherever one can.
  static let asks = lines(
    #"""
    {"definition":{"title":"T","fields":[{"name":"a","kind":"slider","value":4,"rules":[{"range":{"min":0,"max":10}},{"step":{"of":2,"from":0}}]},{"name":"b","kind":"number","rules":[{"range":{"min":"-1.5","max":9}},{"compare":{"field":"a","is":"less"}}]}]},"values":{"a":2,"b":3},"expiresIn":60}
    {"definition":{"title":"T","fields":[{"name":"a","rules":[{"length":{"min":1,"max":9}},{"oneOf":["1",2]}]},{"name":"b","kind":"choices","options":[1,2],"rules":[{"count":{"min":1,"max":2}}]},{"name":"c","kind":"date","timeZone":"Europe/Berlin","rules":[{"range":{"min":"today-1d","max":"2030-12-31"}}]}]},"metadata":{"n":1},"expiresIn":60}
    """#)

  /// Calls of tools with numbers in them, none of which makes an ask that is waited for.
  static let calls = lines(
    #"""
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_person","arguments":{"fields":[{"name":"a","kind":"slider","value":1,"rules":[{"range":{"min":0,"max":9}}]}],"wait":0,"expiresIn":60},"_meta":{"progressToken":1}}}
    {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask_outcome","arguments":{"id":"x","wait":0}}}
    {"jsonrpc":"2.0","id":"é","method":"tools/list","params":{"cursor":"x"}}
    {"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"url":{}}}}}
    {"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}
    {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
    {"jsonrpc":"2.0","id":"okcancel-1","result":{"action":"accept"}}
    [{"jsonrpc":"2.0","id":5,"method":"ping"}]
    """#)

  static let yamlWords =
    split(
      "- --- ... : ? | > |- >+2 & * &a *a !!str !!binary !!set !t << <<: # ' \" % %YAML { } [ ] ~ .inf 0x1F 0o7 1_000 yes off"
    )
    + ["\n", "\n  ", "\n- ", "\n  - ", "\t", "\r\n", "\u{85}", "\u{2028}"].map { Array($0.utf8) } + marks

  static let requests = [
    "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n",
    "GET /prompts/email/rules HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \"x\"\r\nAccept-Encoding: gzip;q=0.5\r\n\r\n",
    "POST /validate/email?only=email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n{\"email\":\"a@b.c\"}",
    "POST /prompts/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 14\r\nOrigin: http://localhost\r\nSec-Fetch-PromptService: same-origin\r\n\r\noutcome=cancel",
    "GET /a/0123456789abcdefghjkmnpqrs HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /asks?after=1700000000000-01HZZZZZZZZZZZZZZZZZZZZZZZ&limit=10 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer for-fuzzing\r\n\r\n",
    "GET /prompts/email/answers?after=0&limit=10 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer for-fuzzing\r\nAccept-Language: de;q=0.5\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost:8080\r\nMax-Forwards: 1\r\nRange: bytes=0-1\r\nAge: 1\r\nKeep-Alive: timeout=5\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "HEAD /okcancel.css HTTP/1.0\r\n\r\n",
  ].map { Array($0.utf8) }

  static let requestWords =
    split(
      "GET POST HEAD PUT DELETE TRACE CONNECT OPTIONS HTTP/1.1 HTTP/1.0 HTTP/2.0 HTTP/0.9 Host: Content-Length: Transfer-Encoding: chunked identity Connection: close keep-alive Upgrade: Expect: 100-continue Accept: q=0.001 */* text/html Authorization: Bearer Content-Type: application/json Origin: null Cookie: %00 %2e%2e %2F /../ // ? # ; @ http://a/ /prompts/ /a/ /asks/ 0 00 +1 -1 17 18446744073709551616"
    )
    + ["\r\n", "\r\n\r\n", "\n", "\r", "\r\n ", "\t", " ", "0\r\n\r\n"].map { Array($0.utf8) } + marks

  /// Characters that parsers get wrong.
  private static let marks: [[UInt8]] =
    ["\u{FEFF}", "\0", "\u{2028}", "\u{301}", "é", "😀", "\u{202E}", "\u{FFFE}", "\u{7F}"].map { Array($0.utf8) }
    + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE2, 0x82]]

  static func split(_ text: String) -> [[UInt8]] { text.split(separator: " ").map { Array($0.utf8) } }
  private static func lines(_ text: String) -> [[UInt8]] { text.split(separator: "\n").map { Array($0.utf8) } }
}
