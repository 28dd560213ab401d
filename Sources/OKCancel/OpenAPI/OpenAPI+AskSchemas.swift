extension OpenAPI {
  /// What programs send and get.
  static let askSchemas = ##"""
    "Token": {"type": "string", "pattern": "^[0-7][0-9a-hjkmnp-tv-z]{25}$"},
    "Metadata": {"description": "Yours; given back with the outcome. At most 4 KiB.", "type": "object"},
    "AskRequest": {
      "type": "object",
      "oneOf": [{"required": ["prompt"]}, {"required": ["definition"]}],
      "properties": {
        "prompt": {"$ref": "#/components/schemas/Name", "description": "A prompt of this server."},
        "definition": {"$ref": "#/components/schemas/Definition"},
        "values": {"$ref": "#/components/schemas/Values", "description": "Initial values."},
        "expiresIn": {
          "description": "Seconds.",
          "type": ["integer", "null"],
          "minimum": 1,
          "maximum": 2592000,
          "default": 86400
        },
        "metadata": {"anyOf": [{"$ref": "#/components/schemas/Metadata"}, {"type": "null"}]},
        "callback": {
          "description": "Where the closed ask is sent, under a prefix that the operator named with --allow-callback.",
          "type": ["string", "null"],
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"
        }
      },
      "additionalProperties": false
    },
    "Ask": {
      "type": "object",
      "required": ["id", "link", "status", "expiresAt", "metadata"],
      "properties": {
        "id": {"$ref": "#/components/schemas/Token"},
        "link": {
          "description": "For the person. Empty where the server has forgotten it: it keeps only a digest.",
          "type": "string"
        },
        "status": {"enum": ["open", "closed"]},
        "expiresAt": {"type": "string", "format": "date-time"},
        "metadata": {"$ref": "#/components/schemas/Metadata"}
      },
      "additionalProperties": false
    },
    "AskState": {
      "oneOf": [
        {
          "type": "object",
          "required": ["id", "status"],
          "properties": {"id": {"$ref": "#/components/schemas/Token"}, "status": {"const": "open"}},
          "additionalProperties": false
        },
        {"$ref": "#/components/schemas/ClosedAsk"}
      ]
    },
    "ClosedAsk": {
      "type": "object",
      "required": ["id", "status", "outcome", "closedAt", "metadata"],
      "properties": {
        "id": {"$ref": "#/components/schemas/Token"},
        "status": {"const": "closed"},
        "outcome": {"enum": ["ok", "cancel", "action", "expired", "withdrawn"]},
        "action": {"type": "string"},
        "values": {"$ref": "#/components/schemas/Answers"},
        "closedAt": {"type": "string", "format": "date-time"},
        "metadata": {"$ref": "#/components/schemas/Metadata"}
      },
      "additionalProperties": false
    }
    """##

  /// How dialogs end.
  static let outcomes = ##"""
    "Submission": {
      "oneOf": [
        {
          "type": "object",
          "required": ["outcome"],
          "properties": {
            "outcome": {"const": "ok"},
            "action": {"type": ["string", "null"], "description": "Not looked at."},
            "values": {"$ref": "#/components/schemas/Values"}
          },
          "additionalProperties": false
        },
        {
          "type": "object",
          "required": ["outcome"],
          "properties": {"outcome": {"const": "cancel"}},
          "description": "Never judged, whatever comes with it."
        },
        {
          "type": "object",
          "required": ["outcome", "action"],
          "properties": {
            "outcome": {"const": "action"},
            "action": {"$ref": "#/components/schemas/FieldName"},
            "values": {"$ref": "#/components/schemas/Values"}
          },
          "additionalProperties": false
        }
      ]
    },
    "SubmissionForm": {
      "type": "object",
      "properties": {"outcome": {"enum": ["ok", "cancel", "action"]}, "action": {"type": "string"}},
      "additionalProperties": {"type": ["string", "array"], "items": {"type": "string"}}
    },
    "Outcome": {
      "type": "object",
      "required": ["outcome"],
      "properties": {
        "outcome": {"enum": ["ok", "cancel", "action"]},
        "action": {"type": "string", "description": "The button's name."},
        "values": {"$ref": "#/components/schemas/Answers"},
        "receipt": {"$ref": "#/components/schemas/Token", "description": "Where it was asked for: see redeemReceipt."},
        "id": {"$ref": "#/components/schemas/Token", "description": "Where it was asked for: the ask's, see getAsk."}
      },
      "additionalProperties": false,
      "allOf": [
        {
          "if": {"properties": {"outcome": {"const": "ok"}}},
          "then": {"required": ["values"]}
        },
        {
          "if": {"properties": {"outcome": {"const": "action"}}},
          "then": {"required": ["action"]},
          "else": {"properties": {"action": false}}
        },
        {
          "if": {"properties": {"outcome": {"const": "cancel"}}},
          "then": {"properties": {"values": false}}
        }
      ]
    },
    "Redeemed": {
      "description": "An answer with its receipt and its prompt's name.",
      "type": "object",
      "required": ["receipt", "prompt", "cursor", "answeredAt", "outcome"],
      "properties": {
        "receipt": {"$ref": "#/components/schemas/Token"},
        "prompt": {"$ref": "#/components/schemas/Name"},
        "cursor": {"type": "string", "pattern": "^[1-9][0-9]{0,17}$"},
        "answeredAt": {"type": "string", "format": "date-time"},
        "outcome": {"enum": ["ok", "action"]},
        "action": {"type": "string"},
        "values": {"$ref": "#/components/schemas/Answers"}
      },
      "additionalProperties": false
    },
    "Answer": {
      "description": "A line of a prompt's answers.",
      "type": "object",
      "required": ["cursor", "answeredAt", "outcome"],
      "properties": {
        "cursor": {"type": "string", "pattern": "^[1-9][0-9]{0,17}$"},
        "answeredAt": {"type": "string", "format": "date-time"},
        "outcome": {"enum": ["ok", "action"]},
        "action": {"type": "string"},
        "values": {"$ref": "#/components/schemas/Answers"}
      },
      "additionalProperties": false
    }
    """##
}
