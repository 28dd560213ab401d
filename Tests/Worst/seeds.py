"""Every route, and requests that are known to be expensive: where the search begins, and what `make test` sends."""

import base64
import json
import random
import re
import struct
import zlib
from dataclasses import dataclass, field

import tokens

# What the server reads of rules, and of values.
BODY_LIMIT, FORM_BODY_LIMIT = 64 * 1024, 256 * 1024


@dataclass
class Request:
    """One request as a tree that can be changed anywhere; `bytes` writes it."""

    route: str
    method: str = "GET"
    path: str = "/"
    query: str = ""
    headers: list = field(default_factory=list)
    # A tree of JSON, the pairs of a form, or bytes.
    json: object = None
    form: list | None = None
    raw: bytes | None = None
    # The prompt that the link's ask puts.
    asked: str = "email"

    def body(self):
        if self.raw is not None:
            return self.raw
        if self.form is not None:
            return "&".join(f"{name}={value}" for name, value in self.form).encode("utf-8", "surrogatepass")
        if self.json is not None:
            return json.dumps(self.json, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        return b""

    def bytes(self, token=""):
        body = self.body()
        headers = [("Host", "localhost"), ("Connection", "close"), *self.headers]
        names = {name.lower() for name, _ in headers}
        if (body or self.method == "POST") and "content-length" not in names:
            headers.append(("Content-Length", str(len(body))))
        if body and "content-type" not in names:
            headers.append(("Content-Type", "application/json" if self.form is None else "application/x-www-form-urlencoded"))
        target = self.path.replace("{token}", token) + ("?" + self.query if self.query else "")
        head = f"{self.method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
        return head.encode("utf-8", "surrogatepass") + body

    @property
    def prompt(self):
        """The prompt that the path names, or that its link asks."""
        found = re.search(r"/(?:prompts|validate)/([a-z-]+)", self.path)
        return found[1] if found else self.asked


# Milliseconds of CPU that a request of each route may cost (a link's page, as much as the form it is), and whether what it sends back is a document or a page.
STRANGER, FORM = 50, 200
ROUTES = {
    "GET /": (STRANGER, True),
    "GET /prompts/{name}": (STRANGER, True),
    "GET /prompts/{name}/rules": (STRANGER, True),
    "GET /prompts/{name}/schema": (STRANGER, True),
    "GET /prompts/{name}/done": (STRANGER, True),
    "GET /prompts/{name}/answers": (STRANGER, False),
    "POST /prompts/{name}": (FORM, False),
    "POST /validate": (STRANGER, False),
    "POST /validate (prompt)": (FORM, False),
    "POST /validate/{name}": (FORM, False),
    "POST /asks, no token": (STRANGER, False),
    "GET /asks/{id}, no token": (STRANGER, False),
    "GET /a/{token}": (FORM, True),
    "GET /a/{token}/rules": (STRANGER, True),
    "POST /a/{token}": (FORM, False),
    "POST /a/{token}/validate": (FORM, False),
    "GET /receipts/{receipt}": (STRANGER, False),
    "GET /metrics, no token": (STRANGER, False),
    "POST /mcp, no token": (STRANGER, False),
    "GET files": (STRANGER, True),
    "GET /openapi.json": (STRANGER, True),
    "GET /healthz": (STRANGER, False),
    "404": (STRANGER, False),
    "OPTIONS, HEAD, other methods": (STRANGER, True),
}

# Patterns near the edges of what is compiled and of what is matched.
PATTERNS = [
    ".+@.+\\..+",
    "(?:" + "|".join(f"a{{{n}}}" for n in range(1, 130)) + ")*d",
    ".*(?:a{1000}){0,1}b",
    ".*" + "a{1000}" * 9 + "b",
    "(?:[a-z]{0,30}){0,30}",
    "(?:[a-z]{0,31}){0,31}b?",
    "(?:" + "|".join("abcdefghijklmnopqrstuvwxyz") + ")*",
    "[" + "".join(chr(0x100 + 2 * n) for n in range(500)) + "]",
    "".join(f"[^{chr(0x100 + 2 * n)}]" for n in range(200)),
    "|".join(chr(0x4E00 + 3 * n) for n in range(250)),
    "\\p{L}" * 200, "\\P{L}\\p{Lu}\\p{Ll}\\p{N}\\p{M}\\p{P}\\p{S}\\p{Z}\\p{Lo}\\p{Cn}" * 20,
    "".join(f"[\\p{{L}}{chr(0x100 + n)}]" for n in range(90)),
    "".join(f"[^\\W{chr(0x100 + n)}\\s]" for n in range(90)),
    "[" + "\\p{L}" * 200 + "]",
    "".join(f"\\{p}{{{name}}}" for name in ("Cn", "C", "Other", "Unassigned", "Assigned", "gc=C", "gc=Cn", "gc=Other",
                                            "gc=Unassigned", "General_Category=C", "General_Category=Cn") for p in "pP"),
    "[" + "\\W" * 500 + "]", "\\W" * 512, "(?:\\w\\W)*" * 80,
    "[^a]" * 250, "[\\D\\S\\W]" * 100, "(" * 250 + ")" * 250, "(?:" * 250 + "a" + "){1,2}" * 9 + ")" * 241,
    "|" * 1000, "(?:|a)*" * 140, "(?:a|b{9}|c{30})*d", "(?:.?.?.?.?){200}", "(?:a?){1000}", "((a{0,10}){0,10}){0,10}",
    "[a-z_]{1,999}[0-9]{1,900}", "(?:(?:[^x]{30}|[^y]{31}|[^z]{32})*)", ".{0,999}z", "(?:\\u{10000}|\\u{10FFFF})*é",
    # Automata with more states than a text has bytes: see `ANY`.
    ".*a.{10}", ".*a.{30}", ".*a.{50}c", ".*a[ab]{90}c", ".*a[ab]{180}c", "(?:.*a.{30}|.*b.{9}c)", ".*é(?:é|a){20}b",
    "[\U00010000-\U0010ffff]" * 100, "[ſK]" * 100, "[a-zA-Z\\d]{1000}", "\\b" * 500, "^" * 1000, "(?:$^)*" * 140,
]

# Classes of which nearly every code point has letter case, with every bracket, without one in between and at the end, and
# with an escape that is not finished.
CASED = "".join(f"[{chr(0x100 + 2 * n)}-\\u{{ffff}}]" for n in range(78))
SPARSE = "".join(f"[{chr(0x100 + n)}{chr(0x180 + n)}{chr(0x400 + n)}]" for n in range(120))
FOLDED = [CASED[:1020], CASED[:520] + "[" + CASED[520:1000], CASED[:1015] + "[", CASED[:1000] + "[b", CASED[:1000] + "\\u{fff", CASED[:500] + ")",
          "a" * 1018 + "\\u{fff", "\\u{fff" * 146, "\\u" * 300, "\\x" * 300, "[a" * 300, "(?<a" * 200, "a{2" * 300, SPARSE[:1000] + "["]

# Letters at random, the same each time.
ANY = ["".join(random.Random(1).choices(letters, k=count))
       for letters, count in (("ab", 16_000), ("aaaaaaaab", 16_000), ("abcdefgh", 16_000), ("aé", 10_000))]
TEXTS = [
    *ANY,
    "", "a" * 16_000, "a" * 16_000 + "b", "é" * 8_000, "漢" * 5_400, "\U0001f600" * 4_000, "\"" * 16_000, "\\" * 16_000,
    "a\n" * 8_000, "\r\n" * 8_000, " " * 16_000, "&<>'\"" * 3_200, "1" * 34, "1e308", "9" * 16_000, "1" * 8_000 + ".5",
    "http://" + "a." * 8_000, "http://[" + "1:" * 8_000 + "]", "http://a/" + "%41" * 5_000, "a@" + "b." * 8_000 + "c",
    "2024-02-29T23:59:59.999", "-" * 16_000, ":" * 16_000, "\u0301" * 8_000, "\u202e" * 5_000, "true\n", "\x00" * 9,
]

RULES = [
    "nonEmpty", "notBlank", "email", "url", "integer", "number", "date", "time", "dateTime", "none", "rule", "nonempty",
    {"length": {"min": 1, "max": 20}}, {"range": {"min": 0, "max": 10}}, {"range": {"min": "0001-01-01"}},
    {"step": {"of": "1e-308", "from": "1e308"}}, {"oneOf": ["a"] * 3000}, {"oneOf": ["a" * 16_000]},
    {"count": {"min": 1, "max": 2}}, {"sameAs": "email"}, {"compare": {"field": "a", "is": "less"}}, {"predicate": "even"},
    {"not": "email"}, {"any": ["email", "url", {"oneOf": ["b"] * 1000}]}, {"all": ["email"], "message": "m" * 15_000},
    {"rule": "pattern", "pattern": "a*", "ignoreCase": True}, {"rule": "length", "min": 9, "max": 1}, {"k" * 12_000: 1}, [], 1, None,
]


def nested(levels, inside="email"):
    rule = inside
    for level in range(levels):
        rule = {["any", "all", "not"][level % 3]: [rule, rule] if level < 6 else rule}
    return rule


def _rules(rules, value="a"):
    return Request("POST /validate", "POST", "/validate", json={"rules": rules, "value": value})


def _submissions(names):
    """Forms and JSON of a prompt's values, at each route that judges them."""
    for prompt, field in names:
        forms = [
            [(field, "a" * 16_000)], [(field, "%C3%A9" * 5_000)], [(field, "%0D%0A" * 10_000)], [(field, "%00")],
            [(field, "'" * 16_000)], [(field, "x")] * 256, [(f"{field}{n}", "") for n in range(256)], [("k" * 16_000, "1")],
            [(field, "+" * 16_000)], [(field, "%FF")], [(f"f{n}", "a" * 900) for n in range(60)],
        ]
        values = [{field: text} for text in TEXTS] + [
            {f"f{n}": "a" * 1_000 for n in range(60)}, {f"x{n}": n for n in range(256)}, {"k" * 16_000: 1}, {field: ["a"] * 8_000},
            {field: [[[]] * 100] * 100}]
        for form in forms:
            yield Request("POST /validate/{name}", "POST", f"/validate/{prompt}", form=form)
            yield Request("POST /prompts/{name}", "POST", f"/prompts/{prompt}", form=[("outcome", "ok"), *form])
            yield Request("POST /prompts/{name}", "POST", f"/prompts/{prompt}", headers=[("Accept", "text/html")],
                          form=[("outcome", "ok"), *form])
        for value in values:
            yield Request("POST /validate/{name}", "POST", f"/validate/{prompt}", json=value)
            yield Request("POST /validate (prompt)", "POST", "/validate", json={"prompt": prompt, "values": value})
            yield Request("POST /prompts/{name}", "POST", f"/prompts/{prompt}", json={"outcome": "ok", "values": value})
        only = "only=" + ",".join([field] * 1000)
        yield Request("POST /validate/{name}", "POST", f"/validate/{prompt}", query=only[:8000], form=forms[0])
    for count in (250, 676, 677, 8_000, 24_000):
        chosen = [("tags", "option+1")] * count
        yield Request("POST /validate/{name}", "POST", "/validate/tags", form=chosen)
        yield Request("POST /validate/{name}", "POST", "/validate/tags", json={"tags": ["option 1"] * count})
        for headers in ([], [("Accept", "text/html")]):
            yield Request("POST /prompts/{name}", "POST", "/prompts/tags", headers=headers, form=[("outcome", "ok"), *chosen])
    for letter in "a", "'", "&", "%C3%A9", "%26":
        for size in (1_000, 10_000, 16_000):
            form = [("outcome", "ok"), *((f"f{n}", letter * size) for n in range(min(16, 250_000 // (size * len(letter)))))]
            for headers in ([], [("Accept", "text/html")]):
                yield Request("POST /prompts/{name}", "POST", "/prompts/long", headers=headers, form=form)
    for form in ([("email", "a" * 16_000)], [("email", "'" * 16_000)], [("x", "y")] * 256):
        yield Request("POST /a/{token}/validate", "POST", "/a/{token}/validate", form=form)
        yield Request("POST /a/{token}", "POST", "/a/{token}", headers=[("Accept", "text/html")], form=[("outcome", "ok"), *form])
    yield Request("POST /a/{token}", "POST", "/a/{token}", json={"outcome": "ok", "values": {"email": "a" * 16_000}})


# What heads can hold: 8 KiB of headers, of a target, of one header.
HEADERS = [
    ("Accept", ",".join(["text/html;q=0.1"] * 500)[:8000]), ("Accept", "," * 8000), ("Accept", ";q=" * 2600),
    ("Accept-Encoding", ",".join(["gzip;q=0.001"] * 600)[:8000]), ("If-None-Match", ",".join(['"a"'] * 1900)[:8000]),
    ("Accept-Language", ",".join(["de-DE;q=0.5"] * 700)[:8000]), ("X-Forwarded-For", ",".join(["1.2.3.4"] * 900)[:8000]),
    ("Authorization", "Bearer " + "a" * 7900), ("Cookie", "a=b;" * 2000), ("Origin", "https://" + "a." * 3900),
    ("Idempotency-Key", "a" * 8000), ("Prefer", "respond-async," * 500), ("User-Agent", "'\"<" * 2600),
    ("Sec-Fetch-Site", "cross-site"), ("Expect", "100-continue"), ("Range", "bytes=" + "0-1," * 1900),
    ("Content-Type", "application/json;" + "charset=utf-8;" * 500), ("Content-Encoding", "gzip"),
]


def _heads():
    paths = {
        "GET /": "/", "GET /prompts/{name}": "/prompts/email", "GET /prompts/{name}/rules": "/prompts/wide/rules",
        "GET /prompts/{name}/schema": "/prompts/wide/schema", "GET /prompts/{name}/done": "/prompts/wide/done",
        "GET /prompts/{name}/answers": "/prompts/email/answers", "GET /asks/{id}, no token": "/asks/abc",
        "GET /a/{token}": "/a/{token}", "GET /a/{token}/rules": "/a/{token}/rules", "GET /receipts/{receipt}": "/receipts/abc",
        "GET /metrics, no token": "/metrics", "GET files": "/dialog.js", "GET /openapi.json": "/openapi.json",
        "GET /healthz": "/healthz", "404": "/none",
    }
    queries = ["", "a=b&" * 256, "a=" + "%41" * 2600, "lang=" + "de-" * 2600, "outcome=" + "ok" * 3000, "&" * 8000]
    for route, path in paths.items():
        for query in queries:
            yield Request(route, path=path, query=query)
        for header in HEADERS:
            yield Request(route, path=path, headers=[header])
    page = [("Accept", "text/html")]
    for name in prompts():
        for query in "", "embed=1", "lang=ar":
            yield Request("GET /prompts/{name}", path=f"/prompts/{name}", query=query, headers=page)
            yield Request("GET /a/{token}", path="/a/{token}", query=query, headers=page, asked=name)
        yield Request("GET /prompts/{name}/done", path=f"/prompts/{name}/done", query="outcome=ok", headers=page)
        yield Request("GET /a/{token}", path="/a/{token}", asked=name)
        yield Request("GET /a/{token}/rules", path="/a/{token}/rules", asked=name)
    for path in ("/" + "a/" * 4000, "/" + "%41" * 2600, "/" + "%C3%A9" * 1300, "/prompts/" + "a" * 8000, "/a/" + "A" * 8000,
                 "/validate/" + "e" * 8000, "/" + "." * 8000, "/" + "/" * 8000, "/prompts/" + "emial" * 12):
        yield Request("404", path=path)
    for method in ("OPTIONS", "HEAD", "PUT", "DELETE", "TRACE", "X" * 4000):
        for path in ("/", "/validate", "/prompts/wide", "/a/{token}", "/dialog.js"):
            yield Request("OPTIONS, HEAD, other methods", method, path)
    for header in HEADERS:
        yield Request("OPTIONS, HEAD, other methods", "OPTIONS", "/validate", headers=[header])


def _identities():
    """Who visits, as a proxy says it: in headers, and in signed tokens of which some are wrong."""
    encoded = ["=?utf-8?q?" + "=C3=A9" * 40 + "?=", "=?utf-8?b?w6nDqQ==?=", "=?utf-8?q?" + "=C3" * 60 + "?=", "=?", "=?utf-8?q?a"]
    texts = ["a,", "é,", ",", " ,", *(f"{word}{end}" for word in encoded for end in (",", " "))]
    people = [[("Remote-Email", "ada@example.com"), ("Remote-Groups", (text * 8000)[:7900])] for text in texts]
    people += [[("Remote-Email", (text * 200)[:240])] for text in texts]
    groups = [["a"] * 1300, ["é" * 200] * 4, [["a"]] * 850, list(range(1000)), [f"group {n}" for n in range(400)]]
    people += [[(tokens.HEADER, tokens.token(several))] for several in groups]
    people += [[(tokens.HEADER, text)] for text in (
        tokens.token(groups[0], signature=b"a" * 512), tokens.token(aud=["a"] * 1300), tokens.token(exp=1e300), "a." * 3900,
        "e30.e30." + "a" * 7900)]
    for route, path in (("GET /prompts/{name}", "/prompts/email"), ("GET /a/{token}", "/a/{token}"), ("404", "/none")):
        for person in people:
            yield Request(route, path=path, headers=person)


def _pages():
    """Links' forms that come back."""
    for name, prompt in prompts().items():
        for text in "", "x", "%00":
            yield Request("POST /a/{token}", "POST", "/a/{token}", headers=[("Accept", "text/html")], asked=name,
                          form=[("outcome", "ok"), *((field["name"], text) for field in prompt.get("fields", [])), ("none", "x")])


def _bodies():
    deep = "[" * 32 + "]" * 32
    for route, path in (("POST /validate", "/validate"), ("POST /asks, no token", "/asks"), ("POST /mcp, no token", "/mcp"),
                        ("POST /validate/{name}", "/validate/email")):
        for raw in ("[" * 60_000, "[" + ",".join([deep] * 900) + "]", '"' + "\\u0041" * 9_000 + '"', "9" * 60_000, " " * 60_000,
                    '{"rules":[' + ",".join(["[]"] * 20_000) + '],"value":""}', '{"rules":[' + ",".join(["{}"] * 20_000) + '],"value":""}',
                    '{"value":[' + ",".join(['""'] * 20_000) + '],"rules":["nonEmpty",{"oneOf":["a"]}]}',
                    "{" + ",".join(f'"{n}":0' for n in range(5_000)) + "}"):
            yield Request(route, "POST", path, raw=raw.encode())


def seeds():
    found = [_rules([rule] * count, text) for rule in RULES for count in (1, 190) for text in ("a", "a" * 16_000)]
    found += [_rules([{"pattern": {"pattern": pattern, "ignoreCase": ignoring}}], text)
              for pattern in PATTERNS for ignoring in (False, True) for text in ("", "a" * 16_000, *ANY[:2])]
    found += [_rules([{"pattern": pattern + str(n)} for n in range(count)], "a" * 400)
              for pattern in PATTERNS if len(pattern) < 1000 for count in (4, 30)]
    found += [_rules([{"not": {"all": [{"pattern": f"{pattern}|{n}"} for n in range(count)]}}], text)
              for pattern in PATTERNS if len(pattern) < 30 for count in (2, 4, 8, 16) for text in ANY[:2]]
    found += [_rules([nested(levels)], text) for levels in (3, 6, 20, 29) for text in ("a", "a" * 16_000)]
    found += [_rules(["url"] * 190, text) for text in TEXTS] + [_rules(["email"] * 190, text) for text in TEXTS]
    found += [_rules([{"pattern": {"pattern": pattern + end, "ignoreCase": ignoring}} for end in ends], text)
              for pattern in FOLDED for ignoring in (False, True) for ends in (("",), ("", "b", "c"), "abcdefghij") for text in ("", "a")]
    numbers = [str(n % 10) for n in range(14_900)]
    found += [_rules([{"oneOf": list(range(10))}] * count, numbers) for count in (1, 23, 190)]
    found += [_rules([{"oneOf": list(range(count))}, {"count": {"min": 1, "unique": True}}], numbers) for count in (10, 1_000)]
    found += [_rules([{"count": {"min": 1, "unique": True}}] * count, [str(n) for n in range(9_000)]) for count in (1, 23, 190)]
    found += [_rules(["date"] * 190, "-" * 16_000), _rules([{"range": {"min": 0}}] * 190, "9" * 34)]
    found += [_rules([{"oneOf": ["ab"] * 3000}], ["abc"] * 3000), _rules([{"count": {"min": 1}}] * 190, ["a"] * 9000)]
    found += [*_submissions([("email", "email"), ("wide", "f0"), ("options", "many"), ("patterns", "p0"), ("conditions", "t0"), ("invisible", "f0")]), *_heads(), *_identities(), *_pages(), *_bodies()]
    return [request for request in found if len(request.body()) <= (FORM_BODY_LIMIT if ROUTES[request.route][0] == FORM else BODY_LIMIT)]


def prompts():
    """An operator's prompts that cost a lot and are still allowed: many fields, many options, expensive patterns."""
    expensive = ["(?:a|b{9}|c{20})*d", ".*[a-z]{1,20}x", "(?:[a-z]{1,9}-?)*", "\\p{L}+(?:[ '-]\\p{L}+)*"]
    return {
        "wide": {"title": "Wide", "message": "m" * 2000, "fields": [
            {"name": f"f{n}", "label": "l" * 200, "help": "h" * 500, "rules": [
                "nonEmpty", {"length": {"max": 16_000}}, "notBlank", {"any": ["email", "url", "number"], "message": "'" * 500}]}
            for n in range(50)]},
        "tags": {"title": "Tags", "fields": [
            {"name": "tags", "kind": "choices", "options": [f"option {n}" for n in range(676)], "rules": [{"count": {"min": 1, "unique": True}}]}]},
        "long": {"title": "Long", "fields": [{"name": f"f{n}", "kind": "multiline", "rules": [{"length": {"max": 5}}]} for n in range(16)]},
        "options": {"title": "Options", "fields": [
            {"name": "one", "kind": "choice", "options": [f"option {n}" for n in range(500)]},
            {"name": "many", "kind": "choices", "options": [f"option {n}" for n in range(200)]}]},
        "patterns": {"title": "Patterns", "fields": [
            {"name": f"p{n}", "kind": "multiline", "rules": [{"pattern": pattern}]} for n, pattern in enumerate(expensive)]},
        # As many options as a dialog may have, in as many fields as can share them.
        "most": {"title": "Most", "fields": [
            {"name": f"c{n}", "kind": "choices", "rules": ["nonEmpty"], "options": [
                {"value": f"value {i} & more", "title": f"<{n}> „{i}“"} for i in range(50)]} for n in range(40)]},
        "marked": {"title": "Marked", "context": [{"text": "\u202ea" * 1_900}]},
        # Nearly all of each text is looked at closely, and much of it written out.
        "invisible": {"title": "Invisible", "fields": [
            {"name": f"f{n}", "help": "a" + "\u200d\u0300" * 494, "rules": ["nonEmpty"]} for n in range(40)]},
        "difference": {"title": "Difference", "context": [{"diff": "-a\n+b\n" * 2_000}]},
        "table": {"title": "Table", "context": [{"table": {"columns": ["a"] * 20, "rows": [["&"] * 20] * 195}}]},
        "pieces": {"title": "Pieces", "context": [{"markdown": "*\u202e* " * 2_300}]},
        "cells": {"title": "Cells", "context": [{"markdown": "|&" * 63 + "\n" + "|-" * 63 + "\n" + "&|" * 20 + "\n&" * 125}]},
        "brackets": {"title": "Brackets", "context": [{"markdown": "![[]()[" * 333 + "a* *<?" * 2_200}]},
        "documents": {"title": "Documents", "context": [{"markdown": "-"}] * 800},
        "blocks": {"title": "Blocks", "context": [{"text": "a"}] * 400},
        "picture": {"title": "Picture", "context": [{"image": picture(4_000, 190_000), "alt": "noise"}]},
        # Each field looks at a long text and at the field before it.
        "conditions": {"title": "Conditions", "fields": [
            *({"name": f"t{n}", "kind": "multiline", "trim": True} for n in range(3)),
            *({"name": f"c{n}", "when": [
                {"field": f"t{n % 3}", "not": {"pattern": "(?:a|b{9}|c{20})*d"}, "message": "m"},
                *([{"field": f"c{n - 1}", "not": "url", "message": "m"}] if n else []),
            ]} for n in range(11))]},
    }


def picture(side, size):
    """A PNG that is so large, in pixels and about so many bytes: 16 million and 256 KiB in Base64 are allowed."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    parts = [(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)), (b"IDAT", random.Random(1).randbytes(size)), (b"IEND", b"")]
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)).decode()
