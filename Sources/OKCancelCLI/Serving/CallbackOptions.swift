internal import ArgumentParser
internal import OKCancel

/// Where callbacks of asks may go, and what signs them.
struct CallbackOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "URL prefix, like https://hooks.example.com/okcancel, that asks may name as their callback; repeatable. Callbacks are signed with OKCANCEL_WEBHOOK_SECRET.",
      valueName: "prefix"))
  var allowCallback: [String] = []

  /// - Returns: the secret that was made, where callbacks are allowed and none is set.
  func set(_ configuration: inout Configuration) throws -> String? {
    configuration.allowedCallbacks = try Setting("allow-callback").list(allowCallback).map { text in
      do throws(CallbackURLFault) { return try CallbackPrefix(text) } catch {
        throw Setting("allow-callback").wrong(text, flag: allowCallback.first, "\(error)")
      }
    }
    configuration.webhookSecrets = try Setting("webhook-secret").list([]).map { text in
      // The text is a secret, though a wrong one, and not repeated.
      guard let secret = WebhookSecret(text) else {
        throw fail(
          .usage,
          "OKCANCEL_WEBHOOK_SECRET has a part that is no secret; give whsec_ and 24 to 64 random bytes as Base64, as “echo whsec_$(openssl rand -base64 32)” prints"
        )
      }
      return secret
    }
    guard configuration.webhookSecrets.isEmpty, !configuration.allowedCallbacks.isEmpty else { return nil }
    let new = WebhookSecret.generate()
    configuration.webhookSecrets = WebhookSecret(new).map { [$0] } ?? []
    return new
  }
}
