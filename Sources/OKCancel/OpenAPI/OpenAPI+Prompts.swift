internal import MicroHTTP

extension OpenAPI {
  /// Dialogs that stand open to all.
  static let prompts = [
    Operation(
      method: .get, path: "/", id: "listPrompts", summary: "The prompts that this server offers",
      answers: [.ok("The prompts, by name.", .json("Prompts"), .page)]),
    Operation(
      method: .get, path: "/prompts/{name}", id: "getPrompt", summary: "The dialog's page; in JSON its definition",
      parameters: ["name", "ifNoneMatch"],
      answers: [.ok("The page, or the definition.", .json("Definition"), .page, headers: ["ETag"]), .notModified],
      problems: [.notFound]),
    Operation(
      method: .get, path: "/prompts/{name}/rules", id: "getRules", summary: "The rules of every field",
      parameters: ["name", "ifNoneMatch"],
      answers: [.ok("The rules.", .json("Rules"), headers: ["ETag"]), .notModified], problems: [.notFound]),
    Operation(
      method: .get, path: "/prompts/{name}/schema", id: "getSchema",
      summary: "The values it takes and answers, as JSON Schema",
      details: "What JSON Schema cannot say stands under `x-okcancel`, field by field, as rules.",
      parameters: ["name", "ifNoneMatch"],
      answers: [
        .ok(
          "A JSON Schema, draft 2020-12.", Operation.Content(type: "application/schema+json", schema: "Schema"),
          headers: ["ETag"]), .notModified,
      ], problems: [.notFound]),
    Operation(
      method: .post, path: "/prompts/{name}", id: "answerPrompt", summary: "Answers the prompt",
      details:
        "The values are judged by all rules; `cancel` is never judged. The answer is on the disk before it is acknowledged. A form without `outcome` is `ok`, or with `action` that action.",
      parameters: ["name", "wantsReceipt"],
      body: [
        .json(
          "Submission", ("valid", #"{"outcome":"ok","values":{"email":"alice@example.com"}}"#),
          ("invalid", #"{"outcome":"ok","values":{"email":"bob@gmail"}}"#), ("cancel", #"{"outcome":"cancel"}"#)),
        .form("SubmissionForm", ("valid", #"{"outcome":"ok","email":"alice@example.com"}"#)),
      ],
      answers: [
        .ok(
          "How the dialog ended.",
          .json(
            "Outcome", ("valid", #"{"outcome":"ok","values":{"email":"alice@example.com"}}"#),
            ("cancel", #"{"outcome":"cancel"}"#))), .seeOther,
      ],
      problems: [.forbidden, .notFound, .unsupportedMediaType, .tooManyRequests, .unprocessableContent]),
    Operation(
      method: .get, path: "/prompts/{name}/done", id: "getPromptDone", summary: "The page after an answer",
      parameters: ["name", "outcome"], answers: [.ok("A page that says how the dialog ended.", .page)],
      problems: [.notFound]),
    Operation(
      method: .get, path: "/prompts/{name}/answers", id: "listAnswers", summary: "Answers to the prompt, oldest first",
      details: "JSON Lines, each an `Answer`; at most 1000. Read on with the last `cursor`.",
      parameters: ["name", "after"],
      answers: [.ok("One answer a line.", Operation.Content(type: "application/jsonl", schema: nil))],
      problems: [.unauthorized, .notFound, .tooManyRequests], needsToken: true),
  ]

  /// Judging without submitting.
  static let verdicts = [
    Operation(
      method: .post, path: "/validate/{name}", id: "validatePrompt", summary: "Judges values of a prompt",
      parameters: ["name", "only"],
      body: [
        .json("Values", ("invalid", #"{"email":"bob@gmail"}"#), ("valid", #"{"email":"alice@example.com"}"#)),
        .form("ValuesForm", ("invalid", #"{"email":"bob@gmail"}"#)),
      ],
      answers: [
        .ok(
          "The verdicts, on valid and on invalid values.",
          .json(
            "Verdicts",
            (
              "invalid",
              #"{"isValid":false,"message":"That does not look like an email address","fields":{"email":{"isValid":false,"rule":"pattern","message":"That does not look like an email address"}}}"#
            ), ("valid", #"{"isValid":true,"fields":{"email":{"isValid":true}}}"#)))
      ],
      problems: [.forbidden, .notFound, .unsupportedMediaType, .tooManyRequests]),
    Operation(
      method: .post, path: "/validate", id: "validate", summary: "Judges a value by rules, or values of a prompt",
      details: "Of predicates, rules sent here can ask the built-in ones alone, and they can look at no other field.",
      body: [
        .json(
          "Question", ("rules", #"{"rules":[{"rule":"length","min":1,"max":3}],"value":"abcd"}"#),
          ("prompt", #"{"prompt":"email","values":{"email":"alice@example.com"}}"#))
      ],
      answers: [
        .ok(
          "A verdict on the value, or the verdicts on the values.",
          .json(
            "Judgement", ("rules", #"{"isValid":false,"rule":"length","message":"Enter 1 to 3 characters"}"#),
            ("prompt", #"{"isValid":true,"fields":{"email":{"isValid":true}}}"#)))
      ],
      problems: [.forbidden, .notFound, .unsupportedMediaType, .tooManyRequests]),
  ]
}
