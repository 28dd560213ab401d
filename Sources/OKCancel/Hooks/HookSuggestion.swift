internal import Platform
internal import Prompts

/// An offer of Claude Code to allow more calls like the one that it asks about.
///
/// Only rules that allow calls are offered. What a mode or a folder allows depends on the agent's version and settings, so
/// nobody could write it out whole.
struct HookSuggestion: Sendable {
  /// The files that rules are kept in; those of a session are kept in none.
  private enum Scope: String { case session, localSettings, projectSettings, userSettings }

  /// As the agent gave it, to be given back.
  let json: JSON
  private let rules: String
  private let scope: Scope

  /// Its name among the values of an answer.
  var value: String { "\(scope.rawValue): \(rules)" }

  /// The most that a dialog offers, each with a button of its own to choose it.
  private static let most = 4

  /// The suggestions of an event that can be offered.
  ///
  /// - Parameter omitted: called with the reason for each that cannot.
  static func offered(by event: HookEvent.Members, omitted: (_ why: String) -> Void) -> [HookSuggestion] {
    guard event.agent.host == .claude, let tool = event.tool, let input = event.input else { return [] }
    let given = event.json[Field.suggestions] ?? []
    guard case .array(let suggestions) = given else {
      if case .null = given {} else { omitted("`\(Field.suggestions)` is not a list") }
      return []
    }
    var offered: [HookSuggestion] = []
    for json in suggestions {
      do throws(PlainError) {
        let suggestion = try HookSuggestion(json)
        if offered.contains(where: { $0.value.utf8.elementsEqual(suggestion.value.utf8) }) { continue }
        if JSON.array([.string(tool), input, json]).mayDestroy { throw PlainError("the call may destroy something") }
        if offered.count == most { throw PlainError("there are more than four") }
        offered.append(suggestion)
      } catch { omitted(error.description) }
    }
    return offered
  }

  private init(_ json: JSON) throws(PlainError) {
    guard json.text("type") == "addRules", json.text("behavior") == "allow", json.members.count == 4,
      let rules = json["rules"]?.elements, !rules.isEmpty
    else { throw PlainError("it does not only add rules that allow calls") }
    guard let scope = json.text("destination").flatMap(Scope.init) else {
      throw PlainError("nobody knows how long it holds")
    }
    var texts: [String] = []
    for rule in rules { texts.append(try Self.text(of: rule)) }
    (self.json, self.scope, self.rules) = (json, scope, texts.joined(separator: ", "))
    if value.unicodeScalars.count > 100 { throw PlainError("it is too long") }
  }

  /// A rule as the agent's settings have it: `Bash(npm test:*)`. No rule can pass for several, or for another one.
  private static func text(of rule: JSON) throws(PlainError) -> String {
    let content = rule.text("ruleContent")
    guard let tool = rule.text("toolName"), !tool.isEmpty, tool.consists(of: "0-9A-Za-z_-"),
      rule.members.count == (content == nil ? 1 : 2)
    else { throw PlainError("it has a rule that cannot be read") }
    guard let content else {
      if Reach.isAll(of: tool) { throw PlainError("it allows everything that \(tool) can do") }
      return tool
    }
    let scalars = content.unicodeScalars
    guard !Reading.isBlank(content), !content.hasPrefix(" "), !content.hasSuffix(" "),
      !content.contains("  "), content.revealed == content,
      !scalars.contains(where: { "(),\n\r\t".unicodeScalars.contains($0) })
    else { throw PlainError("it has a rule that cannot be shown as it is") }
    if scalars.mayDeceive { throw PlainError("it has a rule with letters that can look like others") }
    if let excess = Reach.excess(of: tool, content) { throw PlainError(excess) }
    return "\(tool)(\(content))"
  }

  /// The option in a dialog: the rules, where they hold, and until when.
  func option(in sentences: Sentences) -> JSON {
    ["value": .string(value), "title": .string("\(rules) — \(sentences(.allowed(in: scope.rawValue)))")]
  }
}

extension JSON {
  /// What stands in words of texts about something that cannot be undone, as far as that can be told from words.
  private static let signs = [
    "clean", "delet", "destroy", "drop", "eras", "force", "kill", "mkfs", "overwrit", "prune", "purge", "reboot",
    "remov",
    "reset", "revert", "revok", "shred", "shutdown", "terminat", "truncat", "uninstall", "unlink", "wipe",
  ]
  /// Words about it.
  private static let words = ["dd", "del", "doas", "f", "mv", "rd", "rf", "rm", "rmdir", "sudo"]

  /// True if a text in it has a word that speaks of destroying something.
  fileprivate var mayDestroy: Bool {
    switch self {
    case .string(let text):
      let words = text.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic && !("0"..."9").contains($0) }
      return words.contains { word in
        let word = String(word)
        return Self.words.contains(word) || Self.signs.contains { word.contains($0) }
      }
    case .array(let elements): return elements.contains(where: \.mayDestroy)
    case .object(let members): return members.contains { JSON.string($0.key).mayDestroy || $0.value.mayDestroy }
    default: return false
    }
  }
}
