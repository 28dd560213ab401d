"""A question with objects in objects, lists and unions: what is answered at one door is answered at every door."""

from urllib.parse import urlencode

CITY = {"type": "string", "minLength": 1, "maxLength": 20}
SCHEMA = {
    "title": "An order", "type": "object", "required": ["first-name", "address", "tags", "amount", "payment"], "properties": {
        "first-name": {"type": "string", "minLength": 1},
        "address": {"type": "object", "title": "Where to", "required": ["city"], "properties": {"city": CITY, "zip": {"type": "string", "minLength": 4}}},
        "gift": {"type": "object", "title": "A gift", "required": ["to"], "properties": {"to": {"type": "string", "minLength": 1}, "from": {"type": "string"}}},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 5}, "minItems": 1},
        "sizes": {"type": "array", "items": {"type": "integer", "maximum": 99}, "uniqueItems": True},
        "amount": {"type": ["integer", "boolean", "string"]},
        "payment": {"oneOf": [
            {"title": "By card", "type": "object", "properties": {"by": {"const": "card"}, "number": {"type": "string", "pattern": "^[0-9]{4}$"}, "ref": {"type": "string", "maxLength": 3}}, "required": ["by", "number"]},
            {"title": "By bank", "type": "object", "properties": {"by": {"const": "bank"}, "account": {"type": "object", "properties": {"iban": {"type": "string", "minLength": 2}}, "required": ["iban"]}, "ref": {"type": "integer", "default": 5}},
             "required": ["by", "account"]}]},
    }}

# The fields, in order, and what a person enters.
TEXTS = {
    "first_name": "Ada", "tags": "red\n\nblue", "sizes": "7\n42", "amount": "12", "city": "London", "zip": "", "gift": "true", "to": "Bob", "from": "",
    "by": "bank", "number": "", "ref": "", "ref2": "17", "iban": "DE12"}
ANSWER = {
    "first-name": "Ada", "tags": ["red", "blue"], "sizes": [7, 42], "amount": 12, "address": {"city": "London"}, "gift": {"to": "Bob"},
    "payment": {"by": "bank", "account": {"iban": "DE12"}, "ref": 17}}
FORM = urlencode({"outcome": "ok", **TEXTS})

# What it holds at first, if it holds anything: the other branch of each union.
VALUES = {
    "first-name": "Eve", "tags": ["big", "x"], "sizes": [1], "amount": True, "address": {"city": "Rome", "zip": "0001"}, "gift": {"to": "Ada", "from": "Eve"},
    "payment": {"by": "card", "number": "1234", "ref": "R1"}}
INVALID = {"first-name": "", "tags": ["red", "purple"], "amount": "", "address": {"city": ""}, "payment": {"by": "bank", "account": {"iban": "x"}, "ref": "x"}}
POINTERS = ["#/values/first-name", "#/values/tags", "#/values/address/city", "#/values/payment/ref", "#/values/payment/account/iban"]
