internal import MicroHTTP

extension OpenAPI {
  /// What a program does.
  static let asks = [
    Operation(
      method: .post, path: "/asks", id: "createAsk", summary: "Puts a prompt to a person",
      details: "Give the `link` to the person and wait by the `id`.", parameters: ["idempotencyKey"],
      body: [.json("AskRequest", ("named", #"{"prompt":"email","expiresIn":3600,"metadata":{"order":"42"}}"#))],
      answers: [
        Operation.Answer(status: .created, description: "The ask.", content: [.json("Ask")], links: askLinks),
        .ok("The ask that this key and body made before.", .json("Ask")),
      ],
      problems: [.unauthorized, .forbidden, .notFound, .conflict, .unsupportedMediaType, .tooManyRequests],
      needsToken: true, callbacks: closed),
    Operation(
      method: .get, path: "/asks/{id}", id: "getAsk", summary: "The outcome, as soon as there is one",
      details: "Answers when the ask is closed, or else after `wait` seconds.", parameters: ["id", "wait"],
      answers: [.ok("The ask, open or closed.", .json("AskState"))],
      problems: [.unauthorized, .notFound, .tooManyRequests],
      needsToken: true),
    Operation(
      method: .get, path: "/asks/{id}/events", id: "followAsk", summary: "The outcome as a server-sent event",
      details:
        "The event `open` at once, `closed` when it is, and the stream ends; each event's data is what getAsk answers. A comment comes every 15 seconds.",
      parameters: ["id", "lastEventID"],
      answers: [
        .ok("The events.", Operation.Content(type: "text/event-stream", schema: nil)),
        Operation.Answer(status: .noContent, description: "To who has seen `closed`: there is no more."),
      ], problems: [.unauthorized, .notFound, .tooManyRequests], needsToken: true),
    Operation(
      method: .delete, path: "/asks/{id}", id: "withdrawAsk", summary: "Takes the question back",
      details: "The outcome is then `withdrawn`.", parameters: ["id"],
      answers: [.ok("The closed ask.", .json("ClosedAsk"))],
      problems: [.unauthorized, .notFound, .conflict, .tooManyRequests],
      needsToken: true),
    Operation(
      method: .get, path: "/receipts/{receipt}", id: "redeemReceipt",
      summary: "The answer to a prompt that a browser says was given", parameters: ["receipt"],
      answers: [.ok("The answer.", .json("Redeemed"))], problems: [.unauthorized, .notFound, .tooManyRequests],
      needsToken: true),
  ]

  /// Standard Webhooks 1.0.
  private static let closed = #"""
    {
      "closed": {
        "{$request.body#/callback}": {
          "post": {
            "summary": "The closed ask, signed; sent again until it is taken",
            "parameters": [
              {"name": "webhook-id", "in": "header", "required": true, "description": "The same at every attempt.", "schema": {"type": "string"}},
              {"name": "webhook-timestamp", "in": "header", "required": true, "description": "Seconds since 1970.", "schema": {"type": "integer"}},
              {"name": "webhook-signature", "in": "header", "required": true, "description": "One signature a secret, with a space between.", "schema": {"type": "string", "pattern": "^v1,"}}
            ],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ClosedAsk"}}}},
            "responses": {
              "2XX": {"description": "Taken: it is not sent again."},
              "410": {"description": "Nothing more is wanted: it is not sent again."},
              "default": {"description": "It is sent again, later and later."}
            }
          }
        }
      }
    }
    """#

  private static let askLinks = #"""
    {
      "outcome": {"operationId": "getAsk", "parameters": {"id": "$response.body#/id"}},
      "withdraw": {"operationId": "withdrawAsk", "parameters": {"id": "$response.body#/id"}}
    }
    """#

  /// What the person with the link does.
  static let links = [
    Operation(
      method: .get, path: "/a/{token}", id: "getLink", summary: "The dialog's page; in JSON its definition",
      parameters: ["token"], answers: [.ok("The page, or the definition.", .json("Definition"), .page)],
      problems: [.notFound, .gone]),
    Operation(
      method: .post, path: "/a/{token}", id: "answerLink", summary: "Answers the ask",
      details: "The first outcome closes it; an invalid answer leaves it open.", parameters: ["token", "wantsReceipt"],
      body: [.json("Submission", ("cancel", #"{"outcome":"cancel"}"#)), .form("SubmissionForm")],
      answers: [.ok("How the ask ended.", .json("Outcome")), .seeOther],
      problems: [
        .forbidden, .notFound, .conflict, .gone, .unsupportedMediaType, .unprocessableContent, .tooManyRequests,
      ]),
    Operation(
      method: .get, path: "/a/{token}/rules", id: "getLinkRules", summary: "The rules of every field",
      parameters: ["token"], answers: [.ok("The rules.", .json("Rules"))], problems: [.notFound, .gone]),
    Operation(
      method: .post, path: "/a/{token}/validate", id: "validateLink", summary: "Judges values without answering",
      parameters: ["token", "only"], body: [.json("Values"), .form("ValuesForm")],
      answers: [.ok("The verdicts.", .json("Verdicts"))],
      problems: [.forbidden, .notFound, .conflict, .gone, .unsupportedMediaType, .tooManyRequests]),
    Operation(
      method: .get, path: "/a/{token}/done", id: "getLinkDone", summary: "The page after the answer",
      parameters: ["token", "outcome"], answers: [.ok("A page that says how the ask ended.", .page)],
      problems: [.notFound]),
  ]
}
