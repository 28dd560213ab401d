/// A prompt and the name it is served under; see `Prompt.named`.
public struct NamedPrompt: Sendable {
  /// `[a-z0-9][a-z0-9-]{0,63}`
  public let name: String
  /// The prompt.
  public private(set) var prompt: Prompt
  /// True if the prompt was just read from its definition, so that reading it again would find no fault.
  package let wasRead: Bool

  init(name: String, prompt: Prompt, wasRead: Bool = false) {
    self.name = name
    self.prompt = prompt
    self.wasRead = wasRead
  }

  /// The same prompt in this language, unless it names one itself.
  package func inLanguage(_ language: Language) -> NamedPrompt {
    var named = self
    named.prompt.language = prompt.language ?? language
    return named
  }

  /// True if a text can name a prompt: `[a-z0-9][a-z0-9-]{0,63}`.
  package static func isName(_ text: String) -> Bool {
    let utf8 = text.utf8
    guard (1...64).contains(utf8.count), utf8.first != UInt8(ascii: "-") else { return false }
    return utf8.allSatisfy { ASCII.isLower($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
  }
}
