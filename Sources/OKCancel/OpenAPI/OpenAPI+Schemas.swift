internal import Definitions

/// The schemas of bodies, as the members of `components/schemas`.
extension OpenAPI {
  static let schemas = "{\n\(values),\n\(outcomes),\n\(askSchemas),\n\(documents),\n\"Definition\": \(definition)}"

  /// The format of definition files, its inner references moved to where it stands here.
  private static let definition = String(decoding: PromptSchema.json, as: UTF8.self)
    .replacing(##""#/$defs/"##, with: ##""#/components/schemas/Definition/$defs/"##)

  /// What is read.
  private static let documents = ##"""
    "Prompts": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["name", "title", "href"],
        "properties": {
          "name": {"$ref": "#/components/schemas/Name"},
          "title": {"type": "string"},
          "href": {"type": "string", "pattern": "^/prompts/"}
        },
        "additionalProperties": false
      }
    },
    "Rules": {
      "type": "object",
      "required": ["version", "language", "fields", "messages"],
      "properties": {
        "prompt": {"$ref": "#/components/schemas/Name"},
        "version": {"type": "string", "minLength": 1},
        "language": {"type": "string", "minLength": 2},
        "fields": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["name", "kind", "optional", "trim", "validate", "allow", "rules"],
            "properties": {
              "name": {"$ref": "#/components/schemas/FieldName"},
              "kind": {"$ref": "#/components/schemas/Definition/$defs/field/properties/kind"},
              "optional": {"type": "boolean"},
              "trim": {"type": "boolean"},
              "validate": {"$ref": "#/components/schemas/Definition/$defs/field/properties/validate"},
              "allow": {"$ref": "#/components/schemas/ServedRules"},
              "rules": {"$ref": "#/components/schemas/ServedRules"}
            },
            "additionalProperties": false
          }
        },
        "messages": {
          "description": "Sentences for what no rule says.",
          "type": "object",
          "additionalProperties": {"type": "string"}
        }
      },
      "additionalProperties": false
    },
    "ServedRules": {
      "type": "array",
      "items": {
        "allOf": [
          {"$ref": "#/components/schemas/Definition/$defs/rule"},
          {"type": "object", "required": ["rule"]}
        ]
      }
    },
    "Schema": {
      "description": "A JSON Schema.",
      "type": "object",
      "required": ["$schema", "type"],
      "properties": {"$schema": {"const": "https://json-schema.org/draft/2020-12/schema"}}
    },
    "Document": {
      "type": "object",
      "required": ["openapi", "info", "paths"],
      "properties": {"openapi": {"const": "3.1.1"}}
    },
    "Health": {
      "type": "object",
      "required": ["status"],
      "properties": {"status": {"const": "ok"}},
      "additionalProperties": false
    },
    "Problem": {
      "description": "What is wrong and what to do (RFC 9457).",
      "type": "object",
      "required": ["type", "title", "status", "detail"],
      "properties": {
        "type": {"const": "about:blank"},
        "title": {"type": "string", "minLength": 1},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {"type": "string", "minLength": 1},
        "outcome": {
          "description": "How the ask ended that cannot be answered any more.",
          "enum": ["ok", "cancel", "action", "expired", "withdrawn"]
        },
        "errors": {
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "required": ["message", "pointer"],
            "properties": {
              "field": {"$ref": "#/components/schemas/FieldName"},
              "rule": {"type": "string"},
              "message": {"type": "string", "minLength": 1},
              "pointer": {"description": "A JSON Pointer as a URI fragment.", "type": "string", "pattern": "^#"}
            },
            "additionalProperties": false
          }
        }
      },
      "additionalProperties": false
    }
    """##
}
