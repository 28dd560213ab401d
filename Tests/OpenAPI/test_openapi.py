"""`/openapi.json` is complete and true: a validator, its own examples, and schemathesis against a real server."""

import importlib
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import openapi_spec_validator
import pytest
import requests
import schemathesis

from Support.documentation import Page

HERE = Path(__file__).resolve().parent
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="session")
def document(server):
    return requests.get(f"{server}/openapi.json", timeout=60).json()


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def test_the_document_is_openapi(document):
    openapi_spec_validator.validate(document)


def test_the_example_of_the_page_lists_the_paths(server, document):
    example = Page("api.md").example("sh").replace("localhost:8080", server.removeprefix("http://"))
    listed = subprocess.run(["sh", "-c", example], text=True, capture_output=True, check=True).stdout.split()
    assert listed == list(document["paths"])


def test_every_operation_says_what_a_bad_request_gets(document):
    for method, path, operation in operations(document):
        statuses = set(operation["responses"])
        assert {"400", "413", "414", "431", "503"} <= statuses, (method, path)
        assert ("security" in operation) <= ("401" in statuses), (method, path)
        assert (method == "POST") <= ({"403", "415"} <= statuses), (method, path)


def test_the_examples_are_real(server, document, token):
    """A request's example is answered with the example of the same name, byte by byte as JSON."""
    asked = 0
    for method, path, operation in operations(document):
        bodies = operation.get("requestBody", {}).get("content", {})
        for media_type, name in itertools.chain.from_iterable(
                ((media_type, name) for name in content.get("examples", {})) for media_type, content in bodies.items()):
            example = bodies[media_type]["examples"][name]["value"]
            url = server + path.replace("{name}", "email")
            if "{token}" in url:
                ask = requests.post(f"{server}/asks", json={"prompt": "email"}, headers=token, timeout=60).json()
                url = url.replace("{token}", ask["link"].rsplit("/", 1)[1])
            headers = token if "security" in operation else {}
            parameters = [document["components"]["parameters"][each["$ref"].rsplit("/", 1)[1]] for each in operation.get("parameters", [])]
            query = {each["name"]: each["example"] for each in parameters if each["in"] == "query" and each.get("required")}
            answer = requests.request(
                method, url, params=query, headers=headers, timeout=60,
                **({"json": example} if media_type == JSON else {"data": example}))
            told = operation["responses"][str(answer.status_code)]
            expected = told.get("content", {}).get(JSON, {}).get("examples", {}).get(name)
            if expected is not None:
                assert answer.json() == expected["value"], (method, path, name)
            else:
                assert answer.status_code == (
                    422 if name == "invalid" else 201 if path == "/asks" else 204 if path == "/hook" else 200)
            asked += 1
    assert asked >= 10


def test_answers_are_lines_as_the_schema_says(server, document, token):
    for values in ({"quantity": "5"}, {"quantity": "12345"}):
        requests.post(f"{server}/prompts/quantity", json={"outcome": "ok", "values": values}, timeout=60)
    answer = requests.get(f"{server}/prompts/quantity/answers", headers=token, timeout=60)
    lines = answer.text.splitlines()
    assert len(lines) == 2
    schema = {"$ref": "#/components/schemas/Answer", "components": document["components"]}
    for line in lines:
        jsonschema.validate(json.loads(line), schema, format_checker=jsonschema.FormatChecker())
    assert [json.loads(line)["values"]["quantity"] for line in lines] == [5, 12345]


def test_an_initial_value_is_refused_where_the_document_refuses_it(server, document, token):
    schema = {"$ref": "#/components/schemas/AskRequest/properties/values", "components": document["components"]}
    for code in [*range(0x20), 0x41]:
        values = {"note": f"a{chr(code)}b"}
        definition = {"title": "Note", "fields": [{"name": "note", "kind": "multiline"}]}
        answer = requests.post(f"{server}/asks", json={"definition": definition, "values": values}, headers=token, timeout=60)
        assert (answer.status_code == 201) == jsonschema.Draft202012Validator(schema).is_valid(values), (code, answer.text)


@pytest.fixture(scope="session")
def narrowed(serving):
    """The document as schemathesis asks by it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OKCANCEL_URL", serving.url)
        patch.setenv("OKCANCEL_API_TOKEN", serving.token)
        importlib.import_module("narrowed")
        return schemathesis.openapi.from_url(f"{serving.url}/openapi.json")


@pytest.mark.parametrize("path", ["/prompts/{name}", "/a/{token}", "/validate/{name}", "/a/{token}/validate"])
@pytest.mark.parametrize("form", [
    {}, {"email": "bob"}, {"other": "bob"}, {"other": []}, {"other": [[]]}, {"outcome": "ok"}, {"outcome": "no"},
    {"outcome": "ok", "other": ""}, {"outcome": "cancel"}, {"outcome": "cancel", "email": "", "other": []}], ids=str)
def test_a_form_is_refused_where_the_narrowed_document_refuses_it(narrowed, path, form):
    """No part of it is lost on the way."""
    case = narrowed[path]["POST"].Case(
        path_parameters={"name": "email", "token": "0" * 26}, body=dict(form), media_type=FORM)
    answer = case.call()
    body = narrowed.raw_schema["paths"][path]["post"]["requestBody"]["content"][FORM]["schema"]
    schema = jsonschema.Draft202012Validator(body | {"components": narrowed.raw_schema["components"]})
    assert (answer.status_code == 400) != schema.is_valid(case.body), answer.text


@pytest.mark.parametrize("seed", os.environ.get("SCHEMATHESIS_SEEDS", "1").split(","))
def test_schemathesis_finds_nothing(serving, seed):
    """`SCHEMATHESIS_SEEDS=1,2,3 SCHEMATHESIS_EXAMPLES=500` makes it a long run.

    Promise 3.28 | The API does exactly what its OpenAPI document says. | `make test-api`
    ASVS 3.7.2 | no open redirects | redirects begin with a slash and with nothing from the request
    ASVS 4.1.1 | correct content types | tested against the OpenAPI document
    """
    run = subprocess.run(
        [str(Path(sys.executable).parent / "schemathesis"), "--config-file", "schemathesis.toml", "run",
         f"{serving.url}/openapi.json", "--seed", seed, "--max-examples", os.environ.get("SCHEMATHESIS_EXAMPLES", "20"),
         "--generation-database", "none", "--no-color", "--continue-on-failure"],
        cwd=HERE, text=True, capture_output=True,
        env=os.environ | {"PYTHONHASHSEED": "0", "OKCANCEL_URL": serving.url, "OKCANCEL_API_TOKEN": serving.token})
    assert run.returncode == 0, run.stdout + run.stderr
    print(run.stdout)
