extension OpenAPI {
  static let parameters = #"""
    {
      "name": {
        "name": "name", "in": "path", "required": true, "description": "A prompt's name.",
        "schema": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$"}, "example": "email"
      },
      "id": {
        "name": "id", "in": "path", "required": true, "description": "An ask's id, for the program that waits.",
        "schema": {"type": "string", "pattern": "^[0-7][0-9a-hjkmnp-tv-z]{25}$"}
      },
      "token": {
        "name": "token", "in": "path", "required": true, "description": "What a person's link ends with.",
        "schema": {"type": "string", "pattern": "^[0-7][0-9a-hjkmnp-tv-z]{25}$"}
      },
      "only": {
        "name": "only", "in": "query", "description": "The fields to judge; without it, all.",
        "schema": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/FieldName"}},
        "style": "form", "explode": false
      },
      "wait": {
        "name": "wait", "in": "query", "description": "Seconds to wait for the outcome.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 55, "default": 0}
      },
      "after": {
        "name": "after", "in": "query", "description": "The `cursor` of an answer; the answers after it follow.",
        "schema": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,17})$"}
      },
      "outcome": {
        "name": "outcome", "in": "query", "required": true, "description": "How the dialog ended.",
        "schema": {"enum": ["ok", "cancel", "action"]}, "example": "ok"
      },
      "receipt": {
        "name": "receipt", "in": "path", "required": true, "description": "What an answer came with.",
        "schema": {"$ref": "#/components/schemas/Token"}
      },
      "wantsReceipt": {
        "name": "receipt", "in": "query", "allowEmptyValue": true,
        "description": "Adds to the outcome what a backend can check: of a prompt a `receipt`, of an ask its `id`.",
        "schema": {"enum": ["", "true", "false"]}
      },
      "lastEventID": {
        "name": "Last-Event-ID", "in": "header", "description": "The id of the event seen last.",
        "schema": {"type": "string"}
      },
      "idempotencyKey": {
        "name": "Idempotency-Key", "in": "header",
        "description": "The same key and body name the same ask; with another body it is a conflict.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"}
      },
      "ifNoneMatch": {
        "name": "If-None-Match", "in": "header", "description": "An ETag; 304 if it is current.",
        "schema": {"type": "string"}
      }
    }
    """#
}
