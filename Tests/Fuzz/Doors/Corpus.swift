import Foundation
import OKCancel
import Prompts

/// What the doors take: the examples, the conformance corpus, and some bodies by hand.
struct Corpus {
  private let definitions: [[UInt8]]
  private let rules: [JSON]
  private let patterns: [String]

  init() throws {
    let examples = try FileManager.default.contentsOfDirectory(atPath: "Examples").sorted()
    definitions = try examples.filter { $0.hasSuffix(".yaml") }.map {
      Array(try Data(contentsOf: URL(filePath: "Examples/" + $0)))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: "Tests/Conformance").sorted()
    var rules: [JSON] = []
    for file in files where file.hasSuffix(".json") && file != "schema.json" {
      let json = try JSON(
        parsing: Array(try Data(contentsOf: URL(filePath: "Tests/Conformance/" + file))), limits: .corpus)
      rules += json.all("rules") + json.all("allow")
    }
    self.rules = rules
    patterns = rules.flatMap { $0.all("pattern") }.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  func doors(of target: Target) -> [Door] {
    var link = target.newLink()
    let renew = { (answer: Answer) -> String? in
      if answer.status != 422, answer.status != 400 { link = target.newLink() }
      return nil
    }
    return [
      .posted("submit", "application/json", Self.submissions, Self.words, to: target, at: { "/prompts/profile" }),
      .posted(
        "submit-form", "application/x-www-form-urlencoded", Self.forms, Self.formWords, to: target,
        at: { "/prompts/profile" }),
      .posted("validate", "application/json", Self.values, Self.words, to: target, at: { "/validate/profile" }),
      .posted(
        "validate-form", "application/x-www-form-urlencoded", Self.forms, Self.formWords, to: target,
        at: { "/validate/profile" }),
      .posted("rules", "application/json", questions, Self.words + patternWords, to: target, at: { "/validate" }),
      .posted(
        "asks", "application/json", asks + Self.asks, Self.words + patternWords, to: target, at: { "/asks" },
        after: target.open),
      .posted(
        "schemas", "application/json", Self.schemas.map { Array(#"{"schema":"#.utf8) + $0 + [UInt8(ascii: "}")] },
        Self.words, to: target, at: { "/asks" }, after: target.open),
      .posted(
        "calls", "application/json", Self.calls, Self.words, to: target, at: { "/mcp" },
        check: { $0.status >= 500 ? "status \($0.status)" : nil }),
      .session(Self.calls, Self.words),
      .posted("link", "application/json", Self.submissions, Self.words, to: target, at: { "/a/" + link }, after: renew),
      .raw(Self.requests, Self.requestWords, to: target),
      .definition("yaml", file: "a.yaml", definitions, Self.words + patternWords + Self.yamlWords),
      .definition("schema", file: "a.schema.json", Self.schemas, Self.words),
      .definition("json", file: "a.json", jsonDefinitions, Self.words + patternWords),
      .pattern(patterns.map { Array($0.utf8) }, patternWords),
    ]
  }

  /// A definition with one field that has these rules.
  private var jsonDefinitions: [[UInt8]] {
    rules.prefix(200).map { (["title": "T", "fields": [["name": "f", "rules": $0]]] as JSON).bytes }
  }

  private var questions: [[UInt8]] { rules.map { (["rules": $0, "value": "ab12"] as JSON).bytes } }

  private var asks: [[UInt8]] {
    let named = #"{"prompt":"email","values":{"email":"a@b.c"},"expiresIn":60,"metadata":{"a":[1]}}"#
    return [Array(named.utf8)] + jsonDefinitions.map { Array(#"{"definition":"#.utf8) + $0 + [UInt8(ascii: "}")] }
  }

  private var patternWords: [[UInt8]] {
    patterns.prefix(300).map { Array($0.utf8) }
      + Self.split(
        #"\d \D \w \W \s \b \B \p{L} \P{Lu} \p{Script=Greek} \u{1F600} \u00e9 \x41 (?: (?<a> (?= (?! (?<= \1 \k<a> [^ [^] [a-z] {2,} {1000} {1,1000} {1001} *? +? ?? | ( ) [ ] ^ $ . .* .+ (a+)+ (a|a)* é 😀 ſ K"#
      )
  }
}

extension JSON {
  /// The values of this key, however deep; what is under one is not looked through.
  fileprivate func all(_ key: String) -> [JSON] {
    switch self {
    case .object(let members): members.flatMap { $0.key == key ? [$0.value] : $0.value.all(key) }
    case .array(let elements): elements.flatMap { $0.all(key) }
    default: []
    }
  }
}

extension JSONLimits {
  fileprivate static let corpus = JSONLimits(depth: 64, keys: 1_000_000, string: 1 << 20)
}
