"""What schemathesis has to know beside the document: a running server's prompts, links and ids.

The document speaks of any prompt; a run asks for those that are there, so that requests get past the first check.
"""

import os
import re

import requests
import schemathesis

SERVER = os.environ["OKCANCEL_URL"]
TOKEN = {"Authorization": f"Bearer {os.environ['OKCANCEL_API_TOKEN']}"}
FORM = "application/x-www-form-urlencoded"
ID = re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}")

RULES = [
    "nonEmpty",
    {"rule": "length", "min": 1, "max": 20},
    {"pattern": "[a-z]+", "message": "Lower case only"},
    {"any": [{"range": {"min": "1", "max": 5}}, {"not": "integer"}]},
]

SCHEMA = {"type": "object", "title": "Your email", "properties": {"email": {"type": "string", "minLength": 2}}}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Requests name what is there: the prompt `email`, its field, definitions and rules that can be used.

    Answers are held against the document as it is.
    """
    definitions = [
        requests.get(f"{SERVER}/prompts/{prompt['name']}", headers={"Accept": "application/json"}, timeout=60).json()
        for prompt in requests.get(SERVER, headers={"Accept": "application/json"}, timeout=60).json()
    ]
    components = raw_schema["components"]
    components["parameters"]["name"]["schema"] = {"const": "email"}
    components["parameters"]["only"]["schema"]["items"] = {"const": "email"}
    schemas = components["schemas"]
    entry = {"type": ["string", "number", "boolean", "null"]}
    schemas["Values"] = {"type": "object", "properties": {"email": entry}, "additionalProperties": False}
    initial = {"$ref": "#/components/schemas/InitialEntry"}
    schemas["InitialValues"] = schemas["Values"] | {"properties": {"email": entry | initial}}
    schemas["ValuesForm"] = {
        "type": "object", "properties": {"email": {"type": "string"}}, "additionalProperties": False}
    schemas["SubmissionForm"] = {
        "oneOf": [
            {
                "type": "object",
                "properties": {"outcome": {"const": "ok"}, "email": {"type": "string"}},
                "additionalProperties": False,
            },
            schemas["Submission"]["oneOf"][1],  # `cancel`, with which anything may come.
        ]
    }
    schemas["Submission"]["oneOf"] = [
        one for one in schemas["Submission"]["oneOf"] if one["properties"]["outcome"] != {"const": "action"}]
    schemas["Question"]["oneOf"][0]["properties"]["rules"]["items"] = {"enum": RULES}
    schemas["Question"]["oneOf"][1]["properties"]["prompt"] = {"const": "email"}
    ask = schemas["AskRequest"]["properties"]
    ask["prompt"] = {"const": "email"}
    ask["context"] = {"enum": [None, [], [{"text": "a"}, {"link": "https://example.com"}], [{"diff": "+a"}]]}
    ask["callback"] = {"type": "null"}  # This server may call nobody.
    ask["notify"] = ask["remindBefore"] = {"type": "null"}  # It has no channels.
    ask["for"] = ask["notBy"] = {"type": "null"}  # This server does not know its visitors.
    ask["person"] = ask["requestedBy"] = {"enum": [None, {"id": "ada@example.com"}, {"id": "ada@example.com", "name": "Ada"}]}
    schemas["AskChange"]["properties"]["for"] = {"type": "null"}
    ask["schema"] = {"enum": [SCHEMA, SCHEMA | {"required": ["email"]}]}
    ask["title"] = ask["message"] = {"enum": ["Why?", None]}
    ask["definition"] = {"enum": [definition for definition in definitions if named(definition, "email")]}


def named(definition, field):
    return any(each.get("name") == field for each in definition["fields"])


def new_ask():
    return requests.post(f"{SERVER}/asks", json={"prompt": "email"}, headers=TOKEN, timeout=60).json()


def ask():
    return new_ask()["id"]


def link():
    return new_ask()["link"].rsplit("/", 1)[1]


def receipt():
    answer = {"outcome": "ok", "values": {"email": "alice@example.com"}}
    return requests.post(f"{SERVER}/prompts/email?receipt", json=answer, timeout=60).json()["receipt"]


@schemathesis.hook
def before_call(context, case, kwargs):
    """What could be a token, an id or a receipt becomes a new one; nobody waits for an answer that nobody gives.

    What a form has no pair for, such as an empty list, becomes the empty text: it would not be sent at all, and where a
    form has nothing else `requests` sends it chunked.
    """
    for name, make in (("token", link), ("id", ask), ("receipt", receipt)):
        text = (case.path_parameters or {}).get(name)
        if isinstance(text, str) and ID.fullmatch(text):
            case.path_parameters[name] = value = make()
            if case.operation.path.endswith("/events"):
                requests.delete(f"{SERVER}/asks/{value}", headers=TOKEN, timeout=60)
    if str(case.query.get("wait")) in map(str, range(56)):
        case.query["wait"] = 0
    if case.media_type == FORM and isinstance(case.body, dict):
        for name, value in case.body.items():
            if not requests.Request("POST", SERVER, data={name: value}).prepare().body:
                case.body[name] = ""
