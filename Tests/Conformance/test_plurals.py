"""The plural rules of the files of languages, against CLDR as Babel has it.

Swift's reading of them is held against `plurals.json`, which has the numbers of each category for languages whose rules
differ. After a new CLDR, write it anew: `python Tests/Conformance/test_plurals.py`.
"""

import json

import babel
import babel.plural
import pytest

from Support.command import ROOT

LANGUAGES = ROOT / "Sources/Prompts/Languages"
FILE = ROOT / "Tests/PromptsTests/Languages/plurals.json"
DIFFERENT = [
    "en", "de", "fr", "es", "it", "pt-BR", "nl", "sv", "da", "nb", "fi", "cs", "pl", "uk", "tr", "ar", "he", "hi", "zh-Hans", "ja", "ko"]
NUMBERS = [*range(131), *range(198, 216), 1000, 1001, 1002, 1011, 1021, 10_000, 100_000, 999_999, 1_000_000, 1_000_001, 2_000_000]


def of_cldr(tag):
    return babel.Locale.parse(tag, sep="-").plural_form


def in_cldrs_form(rule):
    """As CLDR publishes it today; Babel writes its older form."""
    return str(rule).replace(" not in ", " != ").replace(" in ", " = ").replace(" mod ", " % ")


def by_category(tag):
    rule = of_cldr(tag)
    return {category: [number for number in NUMBERS if rule(number) == category] for category in sorted({*map(rule, NUMBERS)})}


def written():
    lines = [f'  {json.dumps(tag)}: {json.dumps(by_category(tag), separators=(",", ":"))}' for tag in DIFFERENT]
    about = "Whole numbers in CLDR's plural categories. LanguageFileTests.swift reads this, test_plurals.py writes and checks it."
    return "{\n" + ",\n".join([f'  "$comment": {json.dumps(about)}', *lines]) + "\n}\n"


@pytest.mark.parametrize("file", sorted(LANGUAGES.glob("*.json")), ids=lambda file: file.name)
def test_the_rules_of_a_language_are_those_of_cldr(file):
    rules = of_cldr(file.stem).rules
    assert json.loads(file.read_text("utf-8"))["plurals"] == {category: in_cldrs_form(rule) for category, rule in rules.items()}


def test_the_numbers_of_each_category_are_those_of_cldr():
    assert FILE.read_text("utf-8") == written()


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
