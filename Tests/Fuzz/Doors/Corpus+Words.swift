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
