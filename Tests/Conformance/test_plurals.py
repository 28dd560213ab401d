"""The plural forms that Swift and browsers are held to, against CLDR as Babel has it.

`plurals.json` has the same numbers for each language, by category. After a new language or a new CLDR, write it anew:
`python Tests/Conformance/test_plurals.py`.
"""

import json

import babel

from Support.command import ROOT

FILE = ROOT / "Tests/PromptsTests/Languages/plurals.json"
LANGUAGES = ["en", "de", "fr", "es", "it", "pt-BR", "nl", "pl", "uk", "tr", "ar", "he", "hi", "zh-Hans", "ja", "ko"]
NUMBERS = [*range(131), *range(198, 216), 1000, 1001, 1002, 1011, 1021, 10_000, 100_000, 999_999, 1_000_000, 1_000_001, 2_000_000]


def by_category(tag):
    rule = babel.Locale.parse(tag, sep="-").plural_form
    return {category: [number for number in NUMBERS if rule(number) == category] for category in sorted({*map(rule, NUMBERS)})}


def written():
    lines = [f'  {json.dumps(tag)}: {json.dumps(by_category(tag), separators=(",", ":"))}' for tag in LANGUAGES]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def test_the_plural_forms_are_those_of_cldr():
    assert FILE.read_text("utf-8") == written()


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
