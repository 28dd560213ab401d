extension PromptSchema {
  static let field = #"""
    "field": {
      "description": "One input.",
      "type": "object",
      "properties": {
        "name": {"$ref": "#/$defs/fieldName", "not": {"enum": ["outcome", "action"]}, "description": "The name that a program gets; unique in the prompt."},
        "label": {"$ref": "#/$defs/title", "description": "What a person reads. Default: the name in words."},
        "kind": {
          "description": "What sort of value is asked for.",
          "enum": [
            "text", "multiline", "email", "url", "tel", "password", "search", "number", "integer", "date", "time",
            "dateTime", "boolean", "choice", "choices", "slider"
          ],
          "default": "text"
        },
        "placeholder": {"$ref": "#/$defs/line", "description": "An example shown while the field is empty."},
        "help": {"$ref": "#/$defs/lines", "maxLength": 1000, "description": "A hint under the field."},
        "value": {"description": "The initial value; it counts for the first verdict."},
        "optional": {"type": "boolean", "default": false, "description": "The empty text is valid and answers null."},
        "trim": {"type": "boolean", "description": "White space at both ends is dropped before judging. Default: true for email, url, tel, number, integer, dates and times."},
        "international": {"type": "boolean", "default": false, "description": "An email field also takes domains outside ASCII."},
        "validate": {
          "description": "When messages may appear, besides a refused OK.",
          "type": "array",
          "items": {"enum": ["whileEditing", "afterEditing"]},
          "uniqueItems": true,
          "default": ["whileEditing", "afterEditing"]
        },
        "allow": {"type": "array", "items": {"$ref": "#/$defs/rule"}, "description": "Editing filter: what the whole text must meet after every edit, or the edit is refused."},
        "rules": {"type": "array", "items": {"$ref": "#/$defs/rule"}, "description": "The rules in order; the first that is not met gives the message."},
        "options": {"$ref": "#/$defs/options"},
        "keyboard": {"enum": ["text", "email", "numeric", "decimal", "tel", "url", "search"], "description": "The keyboard on a touch screen."},
        "capitalize": {"enum": ["none", "sentences", "words", "characters"], "description": "Which letters a touch keyboard makes capitals."},
        "autocomplete": {"type": "string", "description": "What a browser may fill in: a name of HTML's autofill fields.", "examples": ["off", "email", "name", "username", "new-password", "one-time-code", "tel", "bday"]},
        "enterKey": {"enum": ["next", "done", "go", "send", "search"], "description": "What the Enter key promises; next moves on to the next field."},
        "spellcheck": {"type": "boolean", "description": "Whether the browser marks misspelt words."}
      },
      "required": ["name"],
      "additionalProperties": false,
      "allOf": [
        {
          "if": {"properties": {"kind": {"enum": ["choice", "choices"]}}, "required": ["kind"]},
          "then": {"required": ["options"]},
          "else": {"properties": {"options": false}}
        },
        {
          "if": {"properties": {"kind": {"const": "email"}}, "required": ["kind"]},
          "else": {"properties": {"international": false}}
        },
        {
          "if": {"properties": {"kind": {"enum": ["boolean", "choice", "choices", "slider", "date", "time", "dateTime"]}}, "required": ["kind"]},
          "then": {"properties": {"placeholder": false, "keyboard": false, "capitalize": false, "spellcheck": false, "allow": {"maxItems": 0}}}
        },
        {
          "if": {"properties": {"kind": {"enum": ["boolean", "choice", "choices", "slider"]}}, "required": ["kind"]},
          "then": {"properties": {"autocomplete": false, "enterKey": false}}
        },
        {
          "if": {"properties": {"kind": {"const": "slider"}}, "required": ["kind"]},
          "then": {
            "required": ["rules"],
            "properties": {
              "rules": {
                "contains": {
                  "anyOf": [
                    {"type": "object", "properties": {"range": {"required": ["min", "max"]}}, "required": ["range"]},
                    {"type": "object", "properties": {"rule": {"const": "range"}}, "required": ["rule", "min", "max"]}
                  ]
                }
              }
            }
          }
        },
        {
          "if": {"properties": {"kind": {"const": "choices"}}, "required": ["kind"]},
          "then": {"properties": {"value": {"type": "array", "items": {"$ref": "#/$defs/scalar"}}}},
          "else": {
            "if": {"properties": {"kind": {"const": "boolean"}}, "required": ["kind"]},
            "then": {"properties": {"value": {"enum": [true, false, "true", "false"]}}},
            "else": {
              "if": {"properties": {"kind": {"enum": ["number", "integer", "slider", "choice", "date", "time", "dateTime"]}}, "required": ["kind"]},
              "then": {"properties": {"value": {"$ref": "#/$defs/scalar"}}},
              "else": {"properties": {"value": {"type": "string"}}}
            }
          }
        }
      ]
    },
    "options": {
      "description": "What `choice` and `choices` offer: texts, or a value for the program and a title for the person.",
      "type": "array",
      "minItems": 1,
      "maxItems": 1000,
      "items": {
        "if": {"type": "object"},
        "then": {
          "properties": {
            "value": {"$ref": "#/$defs/optionValue", "description": "What a program gets; unique in the field."},
            "title": {"$ref": "#/$defs/title", "description": "What a person reads. Default: the value."}
          },
          "required": ["value"],
          "additionalProperties": false
        },
        "else": {"$ref": "#/$defs/optionValue"}
      }
    },
    "optionValue": {"$ref": "#/$defs/scalar", "minLength": 1, "maxLength": 1000}
    """#
}
