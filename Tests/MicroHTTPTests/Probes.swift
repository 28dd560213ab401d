/// Requests that two HTTP parsers could read differently, by what is wrong, with the statuses that refuse them.
///
/// Each scalar of a text is a byte.
enum Probes {
  static let host = "Host: localhost\r\n"
  private static let line = "GET / HTTP/1.1\r\n"
  private static let chunked = "Transfer-Encoding: chunked\r\n"
  private static let text = "email=a%40b.c"
  private static let whole = "d\r\nemail=a%40b.c\r\n"

  struct Probe {
    let request: String
    let statuses: [Int]
  }

  static let groups: [String: [Probe]] = [
    "transfer encodings": transferEncodings, "chunks": chunks, "content lengths": contentLengths, "hosts": hosts,
    "request lines": requestLines, "header lines": headerLines, "ends of lines": lineEnds,
  ]

  private static func get(_ line: String = line, _ headers: String = host, end: String = "\r\n") -> String {
    "\(line)\(headers)\(end)"
  }

  private static func post(_ headers: String, _ body: String = text) -> String {
    "POST / HTTP/1.1\r\n\(host)\(headers)\r\n\(body)"
  }

  private static func refused(by statuses: [Int], _ requests: [[String]]) -> [Probe] {
    requests.joined().map { Probe(request: $0, statuses: statuses) }
  }

  private static let transferEncodings: [Probe] = {
    let last = "0\r\n\r\n"
    let others = [
      "identity", "gzip", "gzip, chunked", "chunked, identity", "chunked, chunked", "xchunked", "chunked;q=1",
      "\"chunked\"", "", " ", "trailers", "x", "chunked,", ",chunked", "chunked chunked",
    ]
    let names = [
      "Transfer-Encoding ", "Transfer-Encoding\t", "Transfer-Encoding\0", "Transfer-Encoding\u{B}",
      "\u{B}Transfer-Encoding",
    ]
    let damaged = ["chunked\0", "\u{B}chunked", "chunked\u{7F}", "\u{1}chunked"]
    let unknown: [[String]] = [
      others.map { post("Transfer-Encoding: \($0)\r\n", last) }, [post("\(chunked)\(chunked)", last)],
    ]
    let ambiguous: [[String]] = [
      (others + ["chunked", "Chunked", "\tchunked", "chunked "]).map {
        post("Content-Length: 5\r\nTransfer-Encoding: \($0)\r\n", last)
      },
      names.map { post("\($0): chunked\r\n", last) }, damaged.map { post("Transfer-Encoding: \($0)\r\n", last) },
      [
        post("\(chunked)Content-Length: 5\r\n", last), "POST / HTTP/1.0\r\n\(host)\(chunked)\r\n\(last)",
        post("Transfer-Encoding:\r\n chunked\r\n", last), post("A: b\r\n Transfer-Encoding: chunked\r\n", last),
      ],
    ]
    return refused(by: [501], unknown) + refused(by: [400], ambiguous)
  }()

  private static let chunks: [Probe] = {
    let sizes = [
      "", " ", " d", "d ", "d\t", "+d", "-d", "-1", "0xd", "0Xd", "dx", "\\xd", "d_", "d,", "d;", "d;;a", "d;=b",
      "d;a=",
      "d;a b", "d;a=\"", "d;a=\"b\"c", "d;a=b;", "d\0", "d;\0", "d;a\u{B}", "\u{C3}\u{A9}", "\u{D9}\u{A1}", "d\r",
      "d\r;a", "d;a\r", "1.0", "g",
    ]
    let malformed = [
      "d\nemail=a%40b.c\r\n0\r\n\r\n", "d\r\nemail=a%40b.c\n0\r\n\r\n", "d\r\nemail=a%40b.c0\r\n\r\n",
      "c\r\nemail=a%40b.c\r\n0\r\n\r\n", "d\r\nemail=a%40b.c\r0\r\n\r\n", "d\remail=a%40b.c\r\n0\r\n\r\n",
      "d;a\nemail=a%40b.c\r\n0\r\n\r\n", "\r\n0\r\n\r\n", "\(whole)0\n\r\n", "\(whole)0\r\n\n",
      "\(whole)0\r\nA\r\n\r\n", "\(whole)0\r\nA : b\r\n\r\n", "\(whole)0\r\nA: b\n\r\n",
      "\(whole)0\r\nA: b\r\n c\r\n\r\n",
      "\(whole)0\r\nA: \0\r\n\r\n", "\(whole)0\r\n", "\(whole)0\r\nGET / HTTP/1.1\r\n\(host)",
    ]
    let tooLarge = [
      "7fffffff", "80000000", "ffffffff", "100000000", "7fffffffffffffff", "8000000000000000", "ffffffffffffffff",
      "1000000000000000d", String(repeating: "f", count: 40),
    ]
    let (a, b) = (String(repeating: "a", count: 8200), String(repeating: "b", count: 33_000))
    let many = (String(repeating: "1;a\r\na\r\n", count: 4200), String(repeating: "A: b\r\n", count: 2100))
    let tooLong = ["1;\(a)\r\na\r\n", many.0, "0\r\n\(many.1)", "0\r\nA: \(b)\r\n"]
    let lastSizes = sizes.map { $0.isEmpty ? " " : $0.replacing("d", with: "0") }
    let misread: [[String]] = [
      sizes.map { post(chunked, "\($0)\r\nemail=a%40b.c\r\n0\r\n\r\n") },
      lastSizes.map { post(chunked, "\(whole)\($0)\r\n\r\n") }, malformed.map { post(chunked, $0) },
    ]
    let large: [[String]] = [
      tooLarge.map { post(chunked, "\($0)\r\n\r\n0\r\n\r\n") }, tooLong.map { post(chunked, "\($0)0\r\n\r\n") },
    ]
    return refused(by: [400], misread) + refused(by: [413], large)
  }()

  private static let contentLengths: [Probe] = {
    let values = [
      "+13", "-13", "13,13", "13, 13", "13,14", "0x0d", "1 3", "13;", "13.0", "1e1", "", "a", "13a", "a13", "13\u{B}",
      "\u{B}13", "13\0", "\u{D9}\u{A1}\u{D9}\u{A3}", "\"13\"", "13\u{7F}", "-1", "--1", "0x", "NaN", "1_3",
    ]
    let large = [
      "262145", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615",
      "18446744073709551616", String(repeating: "9", count: 40),
    ]
    let names = [
      "Content-Length ", "Content-Length\t", "Content-Length\0", "\u{B}Content-Length", "Content-Length\u{1}",
    ]
    let ambiguous: [[String]] = [
      values.map { post("Content-Length: \($0)\r\n") }, names.map { post("\($0): 13\r\n") },
      [
        post("Content-Length: 13\r\nContent-Length: 13\r\n"), post("Content-Length: 13\r\nContent-Length: 0\r\n"),
        post("Content-Length: 0\r\nContent-Length: 13\r\n"), post("Content-Length:\r\n 13\r\n"),
        post("A: b\r\n Content-Length: 13\r\n"),
      ],
    ]
    return refused(by: [400], ambiguous) + refused(by: [413], [large.map { post("Content-Length: \($0)\r\n") }])
  }()

  private static let hosts: [Probe] = {
    let values = [
      "[::1]evil", "[::1", "name:x", "name:99999", "a:1:2", ":80", "::1", "", " ", "a b", "a@b", "a/b", "a,b", "a, b",
      "a?b", "a#b", "a\\b", "<a>", "a;b", "a\tb", "a%\u{7F}", "a\0b", "\u{FF}a", "a|b",
    ]
    let names = ["Host ", " Host", "Host\t", "Ho st", "Host\0"]
    let requests: [[String]] = [
      values.map { get(line, "Host: \($0)\r\n") }, names.map { get(line, "\($0): x\r\n") },
      [get(line, ""), get(line, "\(host)\(host)"), get(line, "\(host)Host: y\r\n")],
    ]
    return refused(by: [400], requests)
  }()

  private static let requestLines: [Probe] = {
    let later = ["2.0", "0.9", "3.0", "9.9", "1.2", "1.9"]
    let versions = [
      "http/1.1", "HTTP/1", "HTTP/1.", "HTTP/11", "HTTP/1.1.1", "HTTP/1.10", "HTTP/01.1", "HTTP /1.1", "HTTP/ 1.1",
      "HTTPS/1.1", "ICY/1.1", "HTTP/a.b", "HTTP/1,1", "HTTP/1.1x", "x HTTP/1.1",
    ]
    let lines = [
      "GET /", "GET HTTP/1.1", "GET", "GET  / HTTP/1.1", "GET /  HTTP/1.1", "GET / HTTP/1.1 ", "GET\t/ HTTP/1.1",
      "GET /\tHTTP/1.1", " GET / HTTP/1.1", "GET /\u{B}HTTP/1.1", "GET / HTTP/1.1\t", "\tGET / HTTP/1.1",
      "GET \u{C}/ HTTP/1.1", "GET\t/ HTTP/1.1 x", "CONNECT x:443 HTTP/1.1",
    ]
    let methods = [
      "G(T", "G\0T", "GET\0", "G\u{1}T", "G\u{7F}T", "G\u{FF}T", "G:T", "G/T", "G\"T", "{}", "G,T", "[GET]",
    ]
    let targets = [
      "healthz", "*", "http://x/healthz", "x:443", "/\0", "/a\0b", "/?a\0b", "/%00", "/a%00b", "/%", "/%4", "/%zz",
      "/?%zz",
      "/%g0", "/\u{1}", "/\t", "/\u{7F}", "/\u{C3}\u{A9}", "/%ff", "/%c0%af", "/%ed%a0%80", "/..", "/.", "/../healthz",
      "/./healthz", "/a/../healthz", "/%2e%2e/healthz", "/%2e/healthz", "/.%2e/healthz", "/%2fhealthz", "/%5chealthz",
      "/\\healthz", "/#a", "/%0a", "/%0d", "/%7f", "?a", "#", "\\healthz",
    ]
    let malformed: [[String]] = [
      versions.map { get("GET / \($0)\r\n") }, lines.map { get("\($0)\r\n") },
      targets.map { get("GET \($0) HTTP/1.1\r\n") },
    ]
    return refused(by: [505], [later.map { get("GET / HTTP/\($0)\r\n") }]) + refused(by: [400, 505], malformed)
      + refused(by: [400], [methods.map { get("\($0) / HTTP/1.1\r\n") }])
  }()

  private static let headerLines: [Probe] = {
    let names = [
      "", "A B", "A\0", "A\u{1}", "A(", "A)", "A<", "A@", "A,", "A;", "A\\", "A\"", "A/", "A[", "A?", "A=", "A{",
      "A\u{7F}", "A\u{FF}",
    ]
    let values = ["a\0b", "a\u{1}b", "a\u{B}b", "a\u{C}b", "a\u{1B}b", "a\u{7F}b", "\0", "a\rb"]
    let folded = ["A: b\r\n c\r\n", "A: b\r\n\tc\r\n", "A:\r\n b\r\n", " A: b\r\n", "\tA: b\r\n"]
    let withoutColon = ["A\r\n", "A b\r\n", "AAAA BBBB CCCC\r\n"]
    let requests: [[String]] = [
      names.map { get(line, "\(host)\($0): b\r\n") }, values.map { get(line, "\(host)A: \($0)\r\n") },
      folded.map { get(line, "\(host)\($0)") }, withoutColon.map { get(line, "\(host)\($0)") },
      [get(line, " A: b\r\n\(host)")],
    ]
    return refused(by: [400], requests)
  }()

  private static let lineEnds: [Probe] = {
    let empty = [":", "\0", "\0\0", "\r\r", " ", "\t", ": ", "\0\r"]
    let ends = ["\0\n", "\0\r\n", "\n\r", "\r\0\n", "\n\0", "\u{85}", "\u{B}\n"]
    let before = ["\0\r\n", "\0\n", "\0\0\r\n", "\n", "\r\r\n", " \r\n", ":\r\n", "\u{EF}\u{BB}\u{BF}", "\r"]
    let requests: [[String]] = [
      empty.map { get(end: "\($0)\n") }, empty.map { get(end: "\($0)\nA: b\r\n\r\n") },
      ends.map { get(line, "Host: x\($0)A: b\r\n") }, ends.map { get("GET / HTTP/1.1\($0)") },
      ends.map { get(end: "\($0)\($0)\r\n\r\n") }, before.map { "\($0)\(get())" },
      [
        get(line, "Host: x\nA: b\r\n"), get(line, "Host: x\rA: b\r\n"), "GET / HTTP/1.1\nHost: x\n\n",
        get("GET / HTTP/1.1\n"), get(end: "\n"), get(line, "Host: x\r\r\n"), post("Content-Length: 13\n"),
        post("A: b\0Content-Length: 13\r\n"), get(line, "Host: x\n\nContent-Length: 5\r\n"),
      ],
    ]
    return refused(by: [400], requests)
  }()
}
