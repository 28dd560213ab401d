/// The JSON Schema (2020-12) of prompt definitions, for editors: `/prompt.schema.json`.
///
/// It says what a schema can say: keys, sorts of values, words, which keys go together. What only
/// the reader can know, such as whether a pattern is usable or a `sameAs` names a field, it leaves.
public enum PromptSchema {
  /// The document as UTF-8.
  public static let json: [UInt8] = Array(
    """
    {
    \(prompt),
    "$defs": {
    \(buttons),
    \(field),
    \(rules),
    \(texts)
    }
    }

    """.utf8)

  private static let prompt = #"""
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "OKCancel prompt",
    "description": "A dialog: what it asks, its fields with their rules, its buttons. One prompt a file; the file's name is the prompt's name.",
    "type": "object",
    "properties": {
      "title": {"$ref": "#/$defs/title", "description": "What the dialog asks. Required."},
      "message": {"$ref": "#/$defs/lines", "maxLength": 10000, "description": "More words under the title; plain text."},
      "fields": {"type": "array", "maxItems": 50, "items": {"$ref": "#/$defs/field"}, "description": "The inputs, from top to bottom; none for a plain question."},
      "ok": {"$ref": "#/$defs/buttonTitle", "default": "OK", "description": "The title of the OK button."},
      "cancel": {
        "description": "The title of the Cancel button; false: no Cancel button.",
        "default": "Cancel",
        "if": {"type": "boolean"},
        "then": {"const": false},
        "else": {"$ref": "#/$defs/buttonTitle"}
      },
      "buttons": {"$ref": "#/$defs/buttons"},
      "okWhenInvalid": {
        "description": "What OK does while the input is invalid: it stays focusable and explains, or it is disabled.",
        "enum": ["explains", "disabled"],
        "default": "explains"
      }
    },
    "required": ["title"],
    "additionalProperties": false,
    "dependentSchemas": {
      "buttons": {
        "properties": {"ok": false, "cancel": false},
        "if": {"properties": {"fields": {"type": "array", "minItems": 1}}, "required": ["fields"]},
        "then": {"properties": {"buttons": {"contains": {"properties": {"role": {"const": "ok"}}, "required": ["role"]}}}}
      }
    }
    """#

  private static let buttons = #"""
    "buttons": {
      "description": "The buttons in order, instead of `ok` and `cancel`.",
      "type": "array",
      "minItems": 1,
      "items": {
        "type": "object",
        "properties": {
          "title": {"$ref": "#/$defs/buttonTitle", "description": "What the button says."},
          "role": {
            "description": "ok: answers with the values, if they are valid. cancel: ends without an answer. action: ends with the button's name.",
            "enum": ["ok", "cancel", "action"]
          },
          "name": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$", "description": "The action's name, as a program gets it; unique in the prompt."},
          "validates": {"type": "boolean", "default": true, "description": "Whether an action needs valid input and gives its values."},
          "destructive": {"type": "boolean", "default": false, "description": "Colours the button as something that cannot be undone."}
        },
        "required": ["title", "role"],
        "additionalProperties": false,
        "if": {"properties": {"role": {"const": "action"}}},
        "then": {"required": ["name"]},
        "else": {"properties": {"name": false, "validates": false}}
      }
    }
    """#

  private static let texts = #"""
    "title": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\n]*\\S[^\\n]*$"},
    "buttonTitle": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[^\\n]*\\S[^\\n]*$"},
    "line": {"type": "string", "maxLength": 200, "pattern": "^[^\\n]*$"},
    "lines": {"type": "string"},
    "scalar": {"type": ["string", "number", "boolean"]},
    "fieldName": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]{0,63}$"}
    """#
}
