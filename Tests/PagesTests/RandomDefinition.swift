import TestSupport

@testable import Prompts

/// Random definitions and schemas. Each text for people begins with a mark of its own, and some are as long as they may be.
struct RandomDefinition {
  private var random: SeededGenerator
  private var count = 0
  static let languages = ["ar", "de", "fi", "he", "ja", "pt", "zh"]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
  private mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
  private mutating func maybe(_ json: (inout Self) -> JSON) -> JSON? { chance(2) ? json(&self) : nil }

  /// - Parameter limit: code points.
  private mutating func text(_ limit: Int, lines: Bool = false) -> JSON {
    count += 1
    let mark = "Q\(count)x",
      filler: Character = one(of: ["a", "é", "😀", "ß", "\"", "<", "&", "\\", lines ? "\n" : "."])
    let length = chance(50) ? limit - mark.count : 0
    return .string(mark + String(repeating: filler, count: max(0, length)))
  }

  // MARK: Definitions

  mutating func definition() -> JSON {
    let fields = (0..<Int.random(in: 1...3, using: &random)).flatMap { number -> [JSON] in
      let field = field(number)
      return chance(5) ? [["section": text(200), "help": text(1000)], field] : [field]
    }
    let languages = Self.languages.filter { _ in chance(5) }
    return [
      "title": text(200), "message": maybe { $0.text(10_000, lines: true) }, "ok": maybe { $0.text(100) },
      "cancel": maybe { $0.text(100) }, "language": maybe { _ in "en" }, "fields": .array(fields),
      "translations": languages.isEmpty
        ? nil : .object(languages.map { .init($0, translation(of: fields.filter { $0["name"] != nil })) }),
    ]
  }

  private static let kinds = [
    "text", "multiline", "email", "url", "tel", "password", "search", "number", "integer", "date", "time", "dateTime",
    "boolean", "choice", "choices", "slider",
  ]
  private static let typed = ["text", "multiline", "email", "url", "tel", "password", "search", "number", "integer"]

  private mutating func field(_ number: Int) -> JSON {
    let kind = one(of: Self.kinds), isNumber = ["number", "integer", "slider"].contains(kind)
    let isTyped = Self.typed.contains(kind), hasOptions = kind == "choice" || kind == "choices"
    return [
      "name": .string("f\(number)"), "kind": .string(kind), "label": maybe { $0.text(200) },
      "placeholder": isTyped ? maybe { $0.text(200) } : nil, "help": maybe { $0.text(1_000, lines: true) },
      "unit": isNumber ? maybe { $0.text(16) } : nil, "optional": maybe { _ in true },
      "value": kind == "multiline" && chance(40) ? .string(String(repeating: "é", count: 8_192)) : nil,
      "options": hasOptions ? options() : nil,
      "when": number > 0 && chance(4) ? ["field": "f0", "nonEmpty": true, "message": text(1_000)] : nil,
      "rules": .array(
        kind == "slider" ? [["range": ["min": 0, "max": .number(one(of: ["10", "1e308"]))]]] : rules(kind)),
    ]
  }

  private mutating func options() -> JSON {
    let count = chance(80) ? 300 : Int.random(in: 1...8, using: &random)
    return .array(
      (0..<count).map { number in
        let value = JSON.string(
          "\(number)" + (chance(10) ? String(repeating: "ä", count: one(of: [198, 201, 996])) : ""))
        return chance(3) ? value : ["value": value, "title": maybe { $0.text(200) }, "help": maybe { $0.text(1_000) }]
      })
  }

  private mutating func rules(_ kind: String) -> [JSON] {
    let message = JSON.string(String(repeating: "m", count: chance(40) ? 16_384 : 20))
    var nested: JSON = ["notBlank": true]
    for _ in 0..<Int.random(in: 0...57, using: &random) where kind == "text" { nested = ["not": nested] }
    let known: [String: [JSON]] = [
      "text": [
        ["length": ["min": 0, "max": 9_007_199_254_740_991], "message": message], ["all": [nested, "none"]],
        ["pattern": "[a-z]{0,1000}"], ["oneOf": ["a", "ä", "a\u{308}"]],
      ],
      "number": [
        ["range": ["min": "-1.7976931348623157e308", "max": "1e308"]], ["step": ["of": "1e-308", "from": "0.5"]],
        ["range": ["max": "0.0000000000000005e-308"]],
      ],
      "date": [["range": ["min": "0001-01-01", "max": "9999-12-31"], "message": message]],
      "choices": [["count": ["max": 9_007_199_254_740_991]]],
    ]
    return (known[kind] ?? []).filter { _ in chance(2) }
  }

  private mutating func translation(of fields: [JSON]) -> JSON {
    let texts = fields.map { field in
      let options = field["options"].map { options -> JSON in
        guard case .array(let all) = options else { return [:] }
        return .object(
          all.prefix(3).map { option in
            let value = option["value"] ?? option
            guard case .string(let value) = value else { return .init("", .null) }
            return .init(value, option["help"] == nil ? text(200) : ["title": text(200), "help": text(1_000)])
          })
      }
      let parts: JSON = [
        "label": field["label"].map { _ in text(200) }, "help": field["help"].map { _ in text(1_000) },
        "placeholder": field["placeholder"].map { _ in text(200) }, "unit": field["unit"].map { _ in text(16) },
        "options": options,
      ]
      return JSON.Member(field.text("name") ?? "", parts)
    }
    return ["title": text(200), "fields": .object(texts)]
  }

  // MARK: Schemas

  mutating func schema() -> JSON {
    let names = (0..<Int.random(in: 1...6, using: &random)).map { "p\($0)" }
    let properties = names.map { JSON.Member($0, property()) }
    return [
      "type": "object", "title": text(200), "description": maybe { $0.text(1_000) },
      "properties": .object(properties), "required": .strings(names.filter { _ in chance(2) }),
      "allOf": maybe { [["description": $0.text(100)]] },
      "$defs": ["Color": ["title": "Color", "description": text(100), "enum": ["red", "green"]]],
    ]
  }

  private mutating func constant(_ value: JSON) -> JSON {
    ["const": value, "title": maybe { $0.text(200) }, "description": maybe { $0.text(200) }]
  }

  private mutating func property() -> JSON {
    let texts: JSON = ["title": maybe { $0.text(200) }, "description": maybe { $0.text(1_000, lines: true) }]
    let keyword = one(of: ["oneOf", "anyOf"])
    let kinds: [JSON] = [
      ["type": "string", "maxLength": .number(one(of: ["1", "300"]))], ["type": "boolean"], ["type": "integer"],
      .object([.init("type", "boolean"), .init(keyword, .array([constant(true), constant(false)]))]),
      .object([.init("type", "boolean"), .init(keyword, .array([constant(false), constant(true), constant(.null)]))]),
      .object([.init("type", "boolean"), .init(keyword, .array([constant(true)]))]),
      .object([.init(keyword, .array([constant("a"), constant("b"), constant(.null)]))]),
      .object([.init("enum", ["a", "b"]), .init(keyword, .array([constant("a"), constant("b")]))]),
      .object([.init(keyword, .array([["type": "string"], ["type": "null", "title": text(9)]]))]),
      .object([.init(keyword, .array([["enum": ["a"], "title": text(9)], ["enum": ["b"], "title": text(9)]]))]),
      ["type": "array", "items": ["type": "string", "enum": ["a", "b"]] + texts, "uniqueItems": true],
      [
        "type": "array", "items": .object([.init(keyword, .array([constant("a"), constant("b")]))]),
        "uniqueItems": true,
      ],
      ["$ref": "#/$defs/Color"], ["allOf": [["$ref": "#/$defs/Color"], ["title": text(50)]]],
      ["type": "array", "items": ["type": "string", "maxLength": 9], "minItems": 1], ["type": ["integer", "string"]],
      ["type": "array", "items": ["type": "number", "minimum": 0], "uniqueItems": true],
      ["type": "object", "properties": ["in-side": ["type": "string"], "b": ["type": "integer"]]],
      [
        "type": "object", "required": ["c"],
        "properties": ["c": ["type": "object", "properties": ["d": ["type": "boolean"]]]],
      ],
      .object([
        .init(
          keyword,
          .array(
            ["x", "y"].map { tag in
              [
                "type": "object", "required": ["k"],
                "properties": ["k": ["const": .string(tag)], "v": ["type": "string"]],
              ]
            }))
      ]),
      .object([.init("type", "number"), .init(keyword, .array([constant(1), constant(.number("2.5"))]))]),
    ]
    return texts + one(of: kinds)
  }
}
