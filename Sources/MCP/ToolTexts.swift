/// What a model reads of the tools: it decides by these texts alone when to call which, and with what.
enum ToolTexts {
  static let instructions = """
    Ask a person when a decision or a value has to come from a human: before something that cannot be undone, for a \
    choice that is theirs, for a value that you would otherwise make up. The person answers in a web page; you get a \
    valid answer or a refusal, never something in between. Only the outcome "ok" is a yes.
    """

  /// An ask, open or closed, as `GET /asks/{id}` has it.
  private static let outcome = #"""
    {
      "type": "object",
      "required": ["status", "id"],
      "properties": {
        "status": {"enum": ["open", "closed"]},
        "id": {"type": "string"},
        "link": {"type": "string", "description": "For the person, while the ask is open."},
        "outcome": {"enum": ["ok", "cancel", "action", "expired", "withdrawn"]},
        "values": {"type": "object"},
        "action": {"type": "string"},
        "closedAt": {"type": "string"},
        "metadata": {"type": "object"}
      }
    }
    """#

  static let json = #"""
    [
      {
        "name": "ask_person",
        "title": "Ask a person",
        "description": "Ask a person in a web dialog and get a valid answer or a refusal. Use it for approvals, choices and values that must come from a human. Say what you ask in `title`; add `fields` (or a JSON `schema`) for what to fill in. With neither the person just gets two buttons, OK and Cancel, which is right for an approval. The result is {\"status\":\"closed\",\"outcome\":\"ok\",\"values\":{…}} once the person has answered; outcome \"cancel\", \"expired\" or \"withdrawn\" means no. If it is {\"status\":\"open\",\"id\":…}, the person has not answered yet: if there is a `link` in it, show that to the person as it is; then call ask_outcome with the id. To repeat a call with the same arguments does not ask twice: it finds the open question.",
        "inputSchema": {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "title": {"type": "string", "maxLength": 200, "description": "The question, on one line: \"Deploy version 4.2 to production?\""},
            "message": {"type": "string", "maxLength": 10000, "description": "More words under the title, plain text."},
            "fields": {
              "type": "array", "maxItems": 50,
              "description": "What to fill in, from top to bottom. Or use `schema`, not both.",
              "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                  "name": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]{0,63}$", "description": "The key of the value that you get back."},
                  "label": {"type": "string", "description": "What the person reads; default: the name in words."},
                  "kind": {"enum": ["text", "multiline", "email", "url", "tel", "password", "search", "number", "integer", "date", "time", "dateTime", "boolean", "choice", "choices", "slider"], "description": "Default text. `choice` is one of `options`, `choices` any of them."},
                  "timeZone": {"type": "string", "description": "Of a dateTime: \"Europe/Berlin\", or \"person\" for the person's own zone. The value then has its offset from UTC, and rules may say {\"range\": {\"min\": \"now\", \"max\": \"now+30d\"}}."},
                  "options": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"value": {"type": "string"}, "title": {"type": "string"}}, "required": ["value"]}]}, "description": "For choice and choices."},
                  "optional": {"type": "boolean", "description": "true: it may stay empty, and its value is then null."},
                  "value": {"description": "What it holds at first."},
                  "when": {"type": "object", "description": "It applies only then: {\"field\": \"kind\", \"oneOf\": [\"company\"]}, another field and a rule."},
                  "placeholder": {"type": "string"},
                  "help": {"type": "string", "description": "A hint under the field."},
                  "rules": {"type": "array", "description": "What the text must meet, in order: \"nonEmpty\", {\"length\": {\"min\": 1, \"max\": 20}}, {\"pattern\": \"[A-Z]{3}\"} (the whole text), {\"range\": {\"min\": \"1\", \"max\": \"10\"}}; each may have a \"message\": {\"pattern\": \"[A-Z]{3}\", \"message\": \"Three capital letters\"}."}
                }
              }
            },
            "schema": {"type": "object", "description": "Instead of `fields`: a JSON Schema of an object. The values are valid by it and typed as it says."},
            "prompt": {"type": "string", "description": "Instead of title and fields: the name of a prompt that list_prompts returned."},
            "ok": {"type": "string", "description": "Title of the OK button: \"Deploy\"."},
            "cancel": {"anyOf": [{"type": "string"}, {"type": "boolean"}], "description": "Title of the Cancel button: \"Do not deploy\"; false for none."},
            "buttons": {"type": "array", "items": {"type": "object"}, "description": "Instead of ok and cancel: {\"title\", \"role\": \"ok\" | \"cancel\" | \"action\", \"name\": of an action} in order."},
            "values": {"type": "object", "description": "What the fields hold at first, by name."},
            "context": {
              "type": "array",
              "description": "What the person should see to decide, above the fields: blocks of {\"text\"}, {\"code\", \"language\"}, {\"diff\"}, {\"table\": {\"columns\": […], \"rows\": [[…]]}} or {\"link\", \"title\"}; at most 16 KiB.",
              "items": {"type": "object"}
            },
            "wait": {"type": "integer", "minimum": 0, "maximum": 3600, "description": "Seconds to wait for the answer. Best left out: 50, or none if you have to show the link to the person first."},
            "key": {"type": "string", "description": "Names this question, so that a call with the same key and arguments finds it even from another session: \"deploy-4.2\". Best left out."},
            "expiresIn": {"type": "integer", "minimum": 1, "maximum": 2592000, "description": "Seconds until nobody can answer any more; default a day."},
            "language": {"type": "string", "description": "The person's language, like \"de\"."},
            "metadata": {"type": "object", "description": "Comes back with the outcome."},
            "withdrawIfCancelled": {"type": "boolean", "description": "true: if this call is cancelled, the question is withdrawn too. Otherwise it stays, and ask_outcome or the same call finds it."}
          }
        },
        "outputSchema": \#(outcome),
        "annotations": {"title": "Ask a person", "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true, "openWorldHint": true}
      },
      {
        "name": "ask_outcome",
        "title": "Wait for the answer",
        "description": "Get the outcome of a question that ask_person returned as open. It waits up to 50 seconds for the person; while the status is still \"open\", call it again, or do something else first.",
        "inputSchema": {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "type": "object",
          "additionalProperties": false,
          "required": ["id"],
          "properties": {
            "id": {"type": "string", "description": "The id that ask_person returned."},
            "wait": {"type": "integer", "minimum": 0, "maximum": 3600, "description": "Seconds to wait for the answer; default 50, 0 only looks."}
          }
        },
        "outputSchema": \#(outcome),
        "annotations": {"title": "Wait for the answer", "readOnlyHint": true, "openWorldHint": true}
      },
      {
        "name": "withdraw_ask",
        "title": "Withdraw a question",
        "description": "Take back a question that is still open, when the answer is no longer needed: the person's page then says so. If the person was faster, you get their answer.",
        "inputSchema": {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "type": "object",
          "additionalProperties": false,
          "required": ["id"],
          "properties": {"id": {"type": "string", "description": "The id that ask_person returned."}}
        },
        "outputSchema": \#(outcome),
        "annotations": {"title": "Withdraw a question", "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": true}
      },
      {
        "name": "list_prompts",
        "title": "List prompts",
        "description": "List the prompts on offer: whole questions with title, fields and rules, made by the operator. Use one with ask_person's `prompt` if it fits, instead of writing your own.",
        "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": false},
        "outputSchema": {
          "type": "object",
          "required": ["prompts"],
          "properties": {
            "prompts": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["name", "title", "fields"],
                "properties": {
                  "name": {"type": "string"},
                  "title": {"type": "string"},
                  "message": {"type": "string"},
                  "fields": {"type": "array", "items": {"type": "object"}}
                }
              }
            }
          }
        },
        "annotations": {"title": "List prompts", "readOnlyHint": true, "openWorldHint": false}
      }
    ]
    """#
}
