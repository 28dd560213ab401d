"""Changes of requests: small ones, and pieces of other requests in their place."""

import copy
import json
import string

from seeds import FOLDED, FORM_BODY_LIMIT, HEADERS, PATTERNS, RULES, TEXTS, nested

ATOMS = [
    "a", "[a-z]", "[^a]", ".", "\\w", "\\W", "\\d", "\\S", "\\p{L}", "\\P{Lu}", "\\p{sc=Greek}", "\\u{10ffff}", "é", "漢", "K",
    "[\\p{L}\\d]", "[^\\W\\s]", "[\\x00-\\u{10ffff}]", "(?:|a)", "a?", "a*", "(a|b)", "(?:a{1,9})", "\\b", "^", "$", "[]", "[^]",
]
QUANTIFIERS = ["*", "+", "?", "{2}", "{9}", "{0,9}", "{1,30}", "{0,100}", "{100}", "{1000}", "{0,1000}", "{500,}"]
CHARACTERS = ["a", "b", "0", " ", "\n", "\r\n", "\t", "'", "\"", "\\", "&", "<", "@", ".", "-", ":", "/", "%", "é", "漢", "K", "ſ",
              "\u0301", "\u2028", "\U0001f600", "\ufdfa"]
ESCAPES = ["%41", "%C3%A9", "%0D%0A", "%E6%BC%A2", "+", "%27", "%22", "%3C", "a", "%F0%9F%98%80", "%00", "%", "%FF"]


def _number(random):
    return random.choice([0, 1, 2, 3, 7, 30, 100, 256, 300, 1000, 3000])


def pattern(random, text):
    """A pattern a little different, of 1 KiB at most."""
    kind = random.randrange(9)
    if kind == 0 or not text:
        text = random.choice(PATTERNS + FOLDED)
    elif kind == 1:
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(ATOMS) * random.choice([1, 1, 2, 9, 40]) + text[at:]
    elif kind == 2:
        text += random.choice(ATOMS) + random.choice(QUANTIFIERS)
    elif kind == 3:
        text = f"(?:{text}){random.choice(QUANTIFIERS)}"
    elif kind == 4:
        start = random.randrange(len(text))
        end = random.randrange(start, len(text)) + 1
        text = text[:end] + text[start:end] * random.choice([1, 1, 3, 9]) + text[end:]
    elif kind == 5:
        start = random.randrange(len(text))
        text = text[:start] + text[start + random.choice([1, 1, 5, 50]):]
    elif kind == 6:
        text = text + random.choice(["|", "", ""]) + random.choice(PATTERNS)
    elif kind == 7:
        # Classes that all differ: each splits the alphabet once more.
        base = random.choice([0x100, 0x400, 0x4E00, 0x1E00])
        form = random.choice(["[^%s]", "%s", "[\\w%s]", "%s|", "[\\p{L}%s]", "[^\\W%s]", "[%s-\\u{ffff}]", "[%s-\\u{ffff}", "[%sa"])
        text = "".join(form % chr(base + 2 * n) for n in range(random.choice([20, 60, 150, 250])))
    else:
        numbers = [at for at, letter in enumerate(text) if letter in string.digits]
        if numbers:
            at = random.choice(numbers)
            text = text[:at] + random.choice(string.digits) + text[at + 1:]
    while len(text.encode()) > 1024:
        text = text[:-1] if random.random() < 0.9 else text[:1000]
    return text


def text(random, old):
    kind = random.randrange(7)
    if kind == 0:
        return random.choice(TEXTS)
    if kind == 1:
        return random.choice(CHARACTERS) * random.choice([1, 30, 1000, 4000, 8000, 16_000])
    if kind == 2:
        return old + random.choice(CHARACTERS) * random.choice([1, 1, 30])
    if kind == 3:
        return old * 2 if len(old) < FORM_BODY_LIMIT else old[:1]
    if kind == 4 and old:
        return old[:random.randrange(len(old))]
    if kind == 5 and old:
        at = random.randrange(len(old))
        return old[:at] + random.choice(CHARACTERS) + old[at:]
    return random.choice(CHARACTERS) + old


def _fitting(value, count):
    """As many of a value as a body can hold, more or less."""
    return max(1, min(count, 2 * FORM_BODY_LIMIT // len(json.dumps(value))))


def _places(tree, found=None, holder=None, key=None):
    found = [] if found is None else found
    if len(found) < 3000:
        found.append((holder, key))
        children = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
        for inner, value in children:
            _places(value, found, tree, inner)
    return found


def _numbered(value, number):
    """The value as no other is."""
    if isinstance(value, str):
        return f"{value}{number}"
    if isinstance(value, dict) and value:
        key = next(iter(value))
        return {**value, key: _numbered(value[key], number)}
    return [_numbered(value[0], number), *value[1:]] if isinstance(value, list) and value else value


def tree(random, whole):
    """One place of a JSON value changed."""
    # Not `deepcopy`, which leaves a value that stands in many places one value: a change would be one in all of them.
    box = [json.loads(json.dumps(whole))]
    holder, key = random.choice(_places(box[0], None, box, 0))
    old, kind = holder[key], random.randrange(6)
    if isinstance(old, str) and (key == "pattern" or isinstance(holder, dict) and random.random() < 0.3):
        holder[key] = pattern(random, old)
    elif isinstance(old, str) and kind:
        holder[key] = text(random, old)
    elif isinstance(old, list) and old and kind < 4:
        # Many of the same, or all a little different.
        element = random.choice(old)
        copies = [copy.deepcopy(element) for _ in range(_fitting(element, _number(random)))]
        if random.random() < 0.5:
            copies = [_numbered(value, n) for n, value in enumerate(copies)]
        holder[key] = old + copies if random.random() < 0.5 else copies
    elif isinstance(old, dict) and kind < 2 and "value" not in old:
        holder[key] = {random.choice(["any", "all", "not"]): random.choice([old, [old] * _fitting(old, 2), [old] * _fitting(old, 30)])}
    elif isinstance(old, dict) and kind == 2:
        old["k" * _number(random) if random.random() < 0.5 else random.choice(["message", "rule", "min", "ignoreCase"])] = \
            random.choice([True, 1, "m" * 1000, []])
    elif isinstance(old, list) and kind == 4:
        old.append(copy.deepcopy(random.choice(RULES)))
    else:
        holder[key] = copy.deepcopy(random.choice(
            [random.choice(RULES), random.choice(TEXTS), nested(random.randrange(30)), {"pattern": random.choice(PATTERNS)},
             [], {}, True, None, 10 ** random.randrange(300)]))
    return box[0]


def form(random, pairs):
    pairs = list(pairs)
    kind = random.randrange(6)
    at = random.randrange(len(pairs)) if pairs else 0
    if kind == 0 or not pairs:
        pairs.insert(at, (random.choice(["email", "f0", "p0", "many", "one", "x", "outcome"]), ""))
    elif kind == 1:
        pairs += [pairs[at]] * random.choice([1, 9, 100, 250])
    elif kind == 2:
        name, _ = pairs[at]
        pairs[at] = (name, random.choice(ESCAPES) * random.choice([1, 30, 1000, 5000, 16_000]))
    elif kind == 3:
        name, value = pairs[at]
        pairs[at] = (name, value + random.choice(ESCAPES) * random.choice([1, 1, 100]))
    elif kind == 4:
        pairs = [(f"{random.choice(['f', 'p', 'x'])}{n}", pairs[at][1][:1200]) for n in range(random.choice([4, 50, 250]))]
    else:
        del pairs[at]
    # More than the server reads, and few enough to write down.
    return pairs[:300]


def mutate(random, request, others):
    """A request for the same route, changed in one to four ways, perhaps with a part of another."""
    new = copy.copy(request)
    new.headers = list(request.headers)
    for _ in range(random.choice([1, 1, 2, 4])):
        choices = ["header", "query"] + (["json"] * 12 if new.json is not None else []) + (["form"] * 12 if new.form is not None else [])
        choices += ["raw"] * 8 if new.raw is not None else []
        match random.choice(choices):
            case "json" if random.random() < 0.1:
                other = random.choice(others)
                new.json = copy.deepcopy(other.json) if other.json is not None else new.json
            case "json" if random.random() < 0.02:
                new.raw = json.dumps(new.json).encode()
            case "json": new.json = tree(random, new.json)
            case "form": new.form = form(random, new.form)
            case "raw": new.raw = _raw(random, new.raw)
            case "query": new.query = random.choice(
                ["", "only=" + "email," * random.choice([1, 900]), "a=1&" * 250, new.query * 2, "lang=de",
                 "&".join(f"{n}=%41" for n in range(250))])[:8000]
            case "header":
                if new.headers and random.random() < 0.5:
                    name, value = new.headers.pop(random.randrange(len(new.headers)))
                    new.headers.append((name, (value + random.choice(CHARACTERS[:3] + [",", ";q=0.1,", "text/html,"]) * 9)[:8000]))
                else:
                    new.headers.append(random.choice(HEADERS + [("Accept", "text/html")]))
    return new


def _raw(random, raw):
    if not raw:
        return b"{}"
    start = random.randrange(len(raw))
    end = min(len(raw), start + random.choice([1, 2, 9, 1000]))
    return raw[:end] + raw[start:end] * random.choice([1, 9, 1000]) + raw[end:] if random.random() < 0.7 else raw[:start] + raw[end:]
