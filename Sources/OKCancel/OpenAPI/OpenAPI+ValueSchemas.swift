extension OpenAPI {
  /// What is entered and judged.
  static let values = ##"""
    "Name": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$"},
    "FieldName": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]{0,63}$"},
    "Entry": {
      "description": "What was entered: a text; a number, true or false counts as it is written, null as the empty text; the chosen options as a list.",
      "type": ["string", "number", "boolean", "null", "array"],
      "items": {"type": "string"}
    },
    "Values": {
      "description": "What was entered, by field.",
      "type": "object",
      "propertyNames": {"$ref": "#/components/schemas/FieldName"},
      "additionalProperties": {"$ref": "#/components/schemas/Entry"}
    },
    "ValuesForm": {
      "description": "What was entered, by field; chosen options are pairs of the same name.",
      "type": "object",
      "propertyNames": {"$ref": "#/components/schemas/FieldName"},
      "additionalProperties": {"type": ["string", "array"], "items": {"type": "string"}}
    },
    "Answers": {
      "description": "Typed answers, by field: numbers where they are exact in a double, else strings; the empty optional is null.",
      "type": "object",
      "propertyNames": {"$ref": "#/components/schemas/FieldName"},
      "additionalProperties": {
        "type": ["string", "number", "boolean", "null", "array"],
        "items": {"type": "string"}
      }
    },
    "Verdict": {
      "type": "object",
      "required": ["isValid"],
      "properties": {
        "isValid": {"type": "boolean"},
        "rule": {"type": "string", "description": "The rule that failed."},
        "message": {"type": "string", "description": "What to do."}
      },
      "additionalProperties": false,
      "if": {"properties": {"isValid": {"const": false}}},
      "then": {"required": ["rule", "message"]},
      "else": {"properties": {"rule": false, "message": false}}
    },
    "Verdicts": {
      "type": "object",
      "required": ["isValid", "fields"],
      "properties": {
        "isValid": {"type": "boolean"},
        "message": {"type": "string", "description": "The message of the first failing field."},
        "fields": {
          "type": "object",
          "propertyNames": {"$ref": "#/components/schemas/FieldName"},
          "additionalProperties": {"$ref": "#/components/schemas/Verdict"}
        }
      },
      "additionalProperties": false,
      "if": {"properties": {"isValid": {"const": false}}},
      "then": {"required": ["message"]},
      "else": {"properties": {"message": false}}
    },
    "Judgement": {
      "if": {"type": "object", "required": ["fields"]},
      "then": {"$ref": "#/components/schemas/Verdicts"},
      "else": {"$ref": "#/components/schemas/Verdict"}
    },
    "Question": {
      "oneOf": [
        {
          "type": "object",
          "required": ["rules", "value"],
          "properties": {
            "rules": {"type": "array", "items": {"$ref": "#/components/schemas/Definition/$defs/rule"}},
            "value": {"type": ["string", "array"], "items": {"type": "string"}}
          },
          "additionalProperties": false
        },
        {
          "type": "object",
          "required": ["prompt", "values"],
          "properties": {
            "prompt": {"$ref": "#/components/schemas/Name"},
            "values": {"$ref": "#/components/schemas/Values"}
          },
          "additionalProperties": false
        }
      ]
    }
    """##
}
