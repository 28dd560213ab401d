"""Languages as a shell and a program see them: options, locale, translations beside a definition."""

import json
import urllib.request

import pytest

from asking import Asking
from Support.command import run
from Support.server import Server

EMAIL = """\
title: Your email
language: en
fields:
  - name: email
    rules: [{nonEmpty: true, message: Enter your email}, email]
"""
GERMAN = """\
title: Ihre E-Mail
fields: {email: {label: E-Mail, messages: [Geben Sie Ihre E-Mail ein]}}
"""
NO_LOCALE = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "C.UTF-8"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "email.yaml").write_text(EMAIL)
    (tmp_path / "email.de.yaml").write_text(GERMAN)
    (tmp_path / "plain.yaml").write_text("title: T\nfields: [{name: a, rules: [nonEmpty]}]\n")
    return tmp_path


@pytest.mark.parametrize("words, environment, said", [
    ([], {}, "email: Enter your email\n"),
    (["--language", "de"], {}, "email: Geben Sie Ihre E-Mail ein\n"),
    ([], {"LANG": "de_AT.UTF-8"}, "email: Geben Sie Ihre E-Mail ein\n"),
    ([], {"LANG": "fr_FR.UTF-8"}, "email: Enter your email\n"),
    ([], {"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "email: Enter your email\n"),
    ([], {"LANG": "C", "LC_MESSAGES": "de_DE@euro"}, "email: Geben Sie Ihre E-Mail ein\n"),
    ([], {"OKCANCEL_LANGUAGE": "de", "LANG": "fr_FR"}, "email: Geben Sie Ihre E-Mail ein\n"),
])
def test_validate_speaks_the_locale_if_the_prompt_does(folder, words, environment, said):
    result = run("validate", folder / "email.yaml", *words, **NO_LOCALE | environment)
    assert (result.returncode, result.stdout) == (1, said)


def test_a_prompt_without_a_language_has_that_of_the_option(folder):
    assert run("validate", folder / "plain.yaml", "--language", "de", **NO_LOCALE).stdout == "a: Geben Sie einen Wert ein\n"
    assert run("validate", folder / "plain.yaml", **NO_LOCALE | {"LANG": "de_DE"}).stdout == "a: Enter a value\n"



def test_check_reads_the_translations_of_a_prompt(folder):
    assert (run("check", folder / "email.yaml").returncode, run("check", folder / "email.yaml").stdout) == (0, "")
    (folder / "email.fr.yaml").write_text("titel: Votre e-mail\n")
    (folder / "email.de.yaml").write_text("title: Ihre E-Mail\nfields: {mail: {label: E-Mail}}\n")
    # Named by themselves, they are checked once all the same.
    result = run("check", *sorted(folder.glob("email*.yaml")))
    assert result.returncode == 65
    assert result.stdout == f"{folder}/email.fr.yaml:1:1: a translation has no key `titel`; did you mean `title`?\n"
    (folder / "email.fr.yaml").unlink()
    result = run("check", folder / "email.de.yaml")
    assert result.returncode == 0
    assert result.stdout.splitlines() == [
        f"{folder}/email.de.yaml:2:9: warning: the field `email` is not translated; add it to `fields`",
        f"{folder}/email.de.yaml:2:10: warning: the definition has no field `mail`; did you mean `email`?",
    ]
    (folder / "other.de.yaml").write_text("title: A\n")
    assert "there is no prompt `other` beside this translation" in run("check", folder / "other.de.yaml").stdout
    assert "other.de.yaml:1:1" in run("serve", folder, "--check").stderr


def test_serve_has_a_language(folder):
    with Server(folder, "--language", "ja") as server:
        page = server.request("GET", "/prompts/plain", headers={"Accept": "text/html"})[1]
        assert '<html lang="ja"' in page and "キャンセル" in page
        assert '<html lang="de"' in server.request("GET", "/prompts/email?lang=de", headers={"Accept": "text/html"})[1]


@pytest.mark.parametrize("words, environment, language", [
    (["--title", "E-Mail", "--field", "email:email"], {"LANG": "de_DE.UTF-8"}, "de-DE"),
    (["--title", "Email", "--field", "email:email"], {}, "en"),
    (["--title", "E-post", "--field", "email:email"], {"LANG": "nb_NO.UTF-8"}, "nb-NO"),
    (["--title", "Email", "--field", "email:email"], {"LANG": "is_IS.UTF-8"}, "en"),
    (["--title", "Email", "--field", "email:email", "--language", "fr"], {"LANG": "de_DE.UTF-8"}, "fr"),
    (["--prompt", "email.yaml"], {"LANG": "de_DE.UTF-8"}, "de"),
    (["--prompt", "plain.yaml"], {"LANG": "de_DE.UTF-8"}, "en"),
])
def test_ask_speaks_the_locale(folder, words, environment, language):
    words = [folder / word if str(word).endswith(".yaml") else word for word in words]
    asking = Asking(*words, **NO_LOCALE | environment)
    try:
        request = urllib.request.Request(asking.link, headers={"Accept": "text/html", "Accept-Language": "uk"})
        with urllib.request.urlopen(request) as response:
            assert response.headers["Content-Language"] == language
            assert f'<html lang="{language}"' in response.read().decode()
        with urllib.request.urlopen(asking.link + "/rules") as response:
            assert json.load(response)["language"] == language
    finally:
        asking.process.terminate()
        assert asking.ended()[0] == 5
