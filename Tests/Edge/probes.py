"""Requests that two HTTP parsers could read differently, byte for byte.

Each probe is followed by a whole request for /smuggled, which must never be answered.
"""

HOST = b"Host: localhost\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
SECOND = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"


def get(line=b"GET /healthz HTTP/1.1\r\n", headers=HOST, end=b"\r\n"):
    return line + headers + end


def post(headers, body=b"email=a%40b.c"):
    return b"POST /validate/email HTTP/1.1\r\n" + HOST + FORM + headers + b"\r\n" + body


def show(text):
    return repr(text)[2:-1]


def transfer_encodings():
    chunked = b"0\r\n\r\n"
    values = [
        b"identity", b"gzip", b"gzip, chunked", b"chunked, identity", b"chunked, chunked", b"xchunked", b"chunked;q=1", b'"chunked"',
        b"", b" ", b"trailers", b"x", b"chunked,", b",chunked", b"chunked chunked",
    ]
    for value in values:
        yield f"transfer-encoding {show(value)}", post(b"Transfer-Encoding: " + value + b"\r\n", chunked), 501
    for value in [*values, b"chunked", b"Chunked", b"\tchunked", b"chunked "]:
        both = b"Content-Length: 5\r\nTransfer-Encoding: " + value + b"\r\n"
        yield f"content-length, then transfer-encoding {show(value)}", post(both, chunked), 400
    yield "transfer-encoding, then content-length", post(b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", chunked), 400
    yield "transfer-encoding twice", post(b"Transfer-Encoding: chunked\r\n" * 2, chunked), 501
    yield "transfer-encoding in HTTP/1.0", b"POST / HTTP/1.0\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n" + chunked, 400
    for name in [b"Transfer-Encoding ", b"Transfer-Encoding\t", b"Transfer-Encoding\0", b"Transfer-Encoding\x0b", b"\x0bTransfer-Encoding"]:
        yield f"header name {show(name)}", post(name + b": chunked\r\n", chunked), 400
    yield "transfer-encoding chunked and a NUL", post(b"Transfer-Encoding: chunked\0\r\n", chunked), 400
    for value in [b"\x0bchunked", b"chunked\x7f", b"\x01chunked"]:
        yield f"transfer-encoding {show(value)}", post(b"Transfer-Encoding: " + value + b"\r\n", chunked), 400
    yield "transfer-encoding in a folded line", post(b"Transfer-Encoding:\r\n chunked\r\n", chunked), 400


CHUNKED = b"Transfer-Encoding: chunked\r\n"
LAWFUL_CHUNKS = [
    b"0\r\n\r\n", b"d\r\nemail=a%40b.c\r\n0\r\n\r\n", b"D\r\nemail=a%40b.c\r\n000\r\n\r\n",
    b"".join(b"1\r\n%c\r\n" % byte for byte in b"email=a%40b.c") + b"0\r\n\r\n",
    b"06;a;b=c;d=\"e;\\\"f\"\r\nemail=\r\n7 ; a = b\r\na%40b.c\r\n0;z\r\nA: b\r\nContent-Length: 500\r\n\r\n",
]


def chunks():
    def body(text):
        return post(CHUNKED, text)
    whole = b"d\r\nemail=a%40b.c\r\n"
    sizes = [
        b"", b" ", b" d", b"d ", b"d\t", b"+d", b"-d", b"-1", b"0xd", b"0Xd", b"dx", b"\\xd", b"d_", b"d,", b"d;", b"d;;a", b"d;=b", b"d;a=",
        b"d;a b", b'd;a="', b'd;a="b"c', b"d;a=b;", b"d\0", b"d;\0", b"d;a\x0b", b"\xc3\xa9", b"\xd9\xa1", b"d\r", b"d\r;a", b"d;a\r", b"1.0", b"g",
    ]
    for size in sizes:
        yield f"size {show(size)}", body(size + b"\r\nemail=a%40b.c\r\n0\r\n\r\n"), 400
        yield f"last size {show(size)}", body(whole + (size.replace(b"d", b"0") or b" ") + b"\r\n\r\n"), 400
    for size in [b"40001", b"7fffffff", b"80000000", b"ffffffff", b"100000000", b"7fffffffffffffff", b"8000000000000000", b"ffffffffffffffff",
                 b"1000000000000000d", b"f" * 40]:
        yield f"size {show(size)}", body(size + b"\r\n" + (b"a" * 0x40001 if len(size) == 5 else b"") + b"\r\n0\r\n\r\n"), 413
    for text in [b"d\nemail=a%40b.c\r\n0\r\n\r\n", b"d\r\nemail=a%40b.c\n0\r\n\r\n", b"d\r\nemail=a%40b.c0\r\n\r\n", b"c\r\nemail=a%40b.c\r\n0\r\n\r\n",
                 b"d\r\nemail=a%40b.c\r0\r\n\r\n", b"d\remail=a%40b.c\r\n0\r\n\r\n", b"d;a\nemail=a%40b.c\r\n0\r\n\r\n", b"\r\n0\r\n\r\n",
                 whole + b"0\n\r\n", whole + b"0\r\n\n", whole + b"0\r\nA\r\n\r\n", whole + b"0\r\nA : b\r\n\r\n", whole + b"0\r\nA: b\n\r\n",
                 whole + b"0\r\nA: b\r\n c\r\n\r\n", whole + b"0\r\nA: \0\r\n\r\n", whole + b"0\r\n", whole + b"0\r\n" + b"GET / HTTP/1.1\r\n" + HOST]:
        yield f"chunks {show(text[-30:])}", body(text), 400
    for text in [b"1;" + b"a" * 8200 + b"\r\na\r\n", b"1;a\r\na\r\n" * 4200, b"0\r\n" + b"A: b\r\n" * 2100, b"0\r\nA: " + b"b" * 9000 + b"\r\n"]:
        yield f"chunks of {len(text)} bytes {show(text[:12])}", body(text + b"0\r\n\r\n"), 413


def content_lengths():
    values = [
        b"+13", b"-13", b"13,13", b"13, 13", b"13,14", b"0x0d", b"1 3", b"13;", b"13.0", b"1e1", b"", b"a", b"13a", b"a13",
        b"13\x0b", b"\x0b13", b"13\0", b"\xd9\xa1\xd9\xa3", b'"13"', b"13\x7f", b"-1", b"--1", b"0x", b"NaN", b"1_3",
    ]
    for value in values:
        yield f"content-length {show(value)}", post(b"Content-Length: " + value + b"\r\n"), 400
    for value in [b"262145", b"2147483648", b"4294967296", b"9223372036854775807", b"9223372036854775808",
                  b"18446744073709551615", b"18446744073709551616", b"9" * 40]:
        yield f"content-length {show(value)}", post(b"Content-Length: " + value + b"\r\n"), 413
    yield "content-length twice, alike", post(b"Content-Length: 13\r\n" * 2), 400
    yield "content-length twice, differing", post(b"Content-Length: 13\r\nContent-Length: 0\r\n"), 400
    yield "content-length twice, the other way round", post(b"Content-Length: 0\r\nContent-Length: 13\r\n"), 400
    for name in [b"Content-Length ", b"Content-Length\t", b"Content-Length\0", b"\x0bContent-Length", b"Content-Length\x01"]:
        yield f"header name {show(name)}", post(name + b": 13\r\n"), 400
    yield "content-length in a folded line", post(b"Content-Length:\r\n 13\r\n"), 400
    yield "content-length after a header's fold", post(b"A: b\r\n Content-Length: 13\r\n"), 400


def hosts():
    yield "no host", get(headers=b""), 400
    for value in [b"[::1]evil", b"[::1", b"name:x", b"name:99999", b"a:1:2", b":80", b"::1"]:
        yield f"host {show(value)}", get(headers=b"Host: " + value + b"\r\n"), 400
    yield "two hosts", get(headers=HOST + HOST), 400
    yield "two hosts that differ", get(headers=HOST + b"Host: y\r\n"), 400
    for value in [b"", b" ", b"a b", b"a@b", b"a/b", b"a,b", b"a?b", b"a#b", b"a\\b", b"<a>", b"a;b", b"a\tb", b"a%\x7f", b"a\0b", b"\xffa", b"a|b"]:
        yield f"host {show(value)}", get(headers=b"Host: " + value + b"\r\n"), 400
    for name in [b"Host ", b" Host", b"Host\t", b"Ho st", b"Host\0"]:
        yield f"header name {show(name)}", get(headers=name + b": x\r\n"), 400


def request_lines():
    for version in [b"HTTP/2.0", b"HTTP/0.9", b"HTTP/3.0", b"HTTP/9.9"]:
        yield f"version {show(version)}", get(b"GET /healthz " + version + b"\r\n"), 505
    for version in [b"http/1.1", b"HTTP/1", b"HTTP/1.", b"HTTP/11", b"HTTP/1.1.1", b"HTTP/1.10", b"HTTP/01.1", b"HTTP /1.1", b"HTTP/ 1.1",
                    b"HTTPS/1.1", b"ICY/1.1", b"HTTP/a.b", b"HTTP/1,1", b"HTTP/1.1x", b"x HTTP/1.1"]:
        yield f"version {show(version)}", get(b"GET /healthz " + version + b"\r\n"), {400, 505}
    yield "version HTTP/1.2", get(b"GET /healthz HTTP/1.2\r\n"), 505
    yield "no version", get(b"GET /healthz\r\n"), {400, 505}
    yield "no target", get(b"GET HTTP/1.1\r\n"), {400, 505}
    yield "a method alone", get(b"GET\r\n"), {400, None}
    for line in [b"GET  /healthz HTTP/1.1", b"GET /healthz  HTTP/1.1", b"GET /healthz HTTP/1.1 ", b"GET\t/healthz HTTP/1.1",
                 b"GET /healthz\tHTTP/1.1", b" GET /healthz HTTP/1.1", b"GET /healthz\x0bHTTP/1.1", b"GET /healthz HTTP/1.1\t",
                 b"\tGET /healthz HTTP/1.1", b"GET \x0c/healthz HTTP/1.1"]:
        yield f"line {show(line)}", get(line + b"\r\n"), {400, 505, None}
    for method in [b"G(T", b"G\0T", b"G\x01T", b"G\x7fT", b"G\xffT", b"G:T", b"G/T", b"G\"T", b"{}", b"G,T", b"[GET]"]:
        yield f"method {show(method)}", get(method + b" /healthz HTTP/1.1\r\n"), 400
    targets = [
        b"healthz", b"*", b"http://x/healthz", b"x:443", b"/\0", b"/a\0b", b"/%00", b"/a%00b", b"/%", b"/%4", b"/%zz", b"/%g0", b"/\x01",
        b"/\x7f", b"/\xc3\xa9", b"/%ff", b"/%c0%af", b"/%ed%a0%80", b"/..", b"/.", b"/../healthz", b"/./healthz", b"/a/../healthz",
        b"/%2e%2e/healthz", b"/%2e/healthz", b"/.%2e/healthz", b"/%2fhealthz", b"/%5chealthz", b"/\\healthz", b"/#a", b"/%0a", b"/%0d", b"/%7f", b"?a", b"#", b"\\healthz",
    ]
    for target in targets:
        yield f"target {show(target)}", get(b"GET " + target + b" HTTP/1.1\r\n"), {400, 505}


def header_lines():
    for name in [b"", b"A B", b"A\0", b"A\x01", b"A(", b"A)", b"A<", b"A@", b"A,", b"A;", b"A\\", b'A"', b"A/", b"A[", b"A?", b"A=", b"A{", b"A\x7f", b"A\xff"]:
        yield f"header name {show(name)}", get(headers=HOST + name + b": b\r\n"), 400
    for value in [b"a\0b", b"a\x01b", b"a\x0bb", b"a\x0cb", b"a\x1bb", b"a\x7fb", b"\0", b"a\rb"]:
        yield f"header value {show(value)}", get(headers=HOST + b"A: " + value + b"\r\n"), 400
    for headers in [b"A: b\r\n c\r\n", b"A: b\r\n\tc\r\n", b"A:\r\n b\r\n", b" A: b\r\n", b"\tA: b\r\n"]:
        yield f"folded {show(headers)}", get(headers=HOST + headers), 400
    yield "fold before the first header", get(headers=b" A: b\r\n" + HOST), 400
    for line in [b"A", b"A b", b"AAAA BBBB CCCC"]:
        yield f"line without a colon {show(line)}", get(headers=HOST + line + b"\r\n"), 400
    yield "header line ended by LF", get(headers=b"Host: x\nA: b\r\n"), 400
    yield "header line ended by CR", get(headers=b"Host: x\rA: b\r\n"), 400
    yield "every line ended by LF", b"GET /healthz HTTP/1.1\nHost: x\n\n", 400
    yield "request line ended by LF", get(b"GET /healthz HTTP/1.1\n"), 400
    yield "head ended by LF", get(end=b"\n"), 400
    yield "header line ended by CR CR LF", get(headers=b"Host: x\r\r\n"), 400
    for line in [b":", b"\0", b"\0\0", b"\r\r", b" ", b"\t", b": ", b"\0\r"]:
        yield f"empty line as {show(line)} and LF", get(end=line + b"\n"), 400
        yield f"empty line as {show(line)} and LF, before more of the head", get(end=line + b"\n" + b"A: b\r\n\r\n"), 400
    for end in [b"\0\n", b"\0\r\n", b"\n\r", b"\r\0\n", b"\n\0", b"\x85", b"\x0b\n"]:
        yield f"header line ended by {show(end)}", get(headers=b"Host: x" + end + b"A: b\r\n"), 400
        yield f"request line ended by {show(end)}", get(line=b"GET /healthz HTTP/1.1" + end), 400
        yield f"head ended by {show(end)}", get(end=end + end + b"\r\n\r\n"), 400
    for line in [b"\0\r\n", b"\0\n", b"\0\0\r\n", b"\n", b"\r\r\n", b" \r\n", b":\r\n", b"\xef\xbb\xbf", b"\r"]:
        yield f"{show(line)} before the request", line + get(), 400
    yield "a body whose length is in a line ended by LF", post(b"Content-Length: 13\n"), 400
    yield "a body whose length is behind a NUL", post(b"A: b\0Content-Length: 13\r\n"), 400
    yield "a header after LF LF", get(headers=b"Host: x\n\nContent-Length: 5\r\n"), 400


def oversized():
    yield "target of 8193 bytes", get(b"GET /" + b"a" * 8192 + b" HTTP/1.1\r\n"), 414
    yield "target of 100 KB", get(b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n"), {414, None}
    yield "query of 9000 bytes", get(b"GET /?a=" + b"a" * 9000 + b" HTTP/1.1\r\n"), 414
    yield "method of 100 KB", get(b"A" * 100_000 + b" / HTTP/1.1\r\n"), {400, 414, 431, None}
    yield "header of 9000 bytes", get(headers=HOST + b"A: " + b"a" * 9000 + b"\r\n"), 431
    yield "header of 100 KB", get(headers=HOST + b"A: " + b"a" * 100_000 + b"\r\n"), {431, None}
    yield "header name of 9000 bytes", get(headers=HOST + b"a" * 9000 + b": b\r\n"), 431
    yield "65 headers", get(headers=HOST + b"A: b\r\n" * 64), 431
    yield "5,000 headers", get(headers=HOST + b"A: b\r\n" * 5000), {431, None}
    yield "body of 262,145 bytes", post(b"Content-Length: 262145\r\n", b"a" * 262145), 413
    yield "body of a megabyte", post(b"Content-Length: 1048576\r\n", b"a" * 1048576), 413


PROBES = [
    (group.__name__.replace("_", " "), *probe)
    for group in [transfer_encodings, chunks, content_lengths, hosts, request_lines, header_lines, oversized]
    for probe in group()
]
