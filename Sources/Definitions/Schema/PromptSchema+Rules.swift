extension PromptSchema {
  /// A rule as the schema describes it.
  private struct Entry {
    let name: String
    /// When it is met.
    let says: String
    /// The argument that may stand alone, and its schema.
    var alone: (key: String, schema: String)?
    /// The properties of the other arguments.
    var others: String?
    /// Which arguments must be there.
    var required = ""
    /// Whether the rule may be a bare word, or have `true` as its value.
    var mayBeBare: Bool { properties == nil || required.isEmpty && alone == nil }

    /// The properties of the arguments as a map; nil: it has none.
    var properties: String? {
      guard let alone else { return others }
      return "\"\(alone.key)\": \(alone.schema)" + (others.map { ", \($0)" } ?? "")
    }
  }

  private static let bounds = ##""min": {"type": "integer", "minimum": 0}, "max": {"type": "integer", "minimum": 0}"##
  private static let oneBound = ##""anyOf": [{"required": ["min"]}, {"required": ["max"]}]"##
  private static let inner =
    ##"{"if": {"type": "array"}, "then": {"minItems": 1, "items": {"$ref": "#/$defs/rule"}}, "else": {"$ref": "#/$defs/rule"}}"##

  private static let catalogue = [
    Entry(name: "none", says: "Always met, by the empty text too."),
    Entry(name: "nonEmpty", says: "At least one character; of choices, at least one chosen."),
    Entry(name: "notBlank", says: "At least one character that is not white space."),
    Entry(name: "length", says: "How many characters (code points).", others: bounds, required: oneBound),
    Entry(
      name: "pattern", says: "The whole text matches an ECMAScript pattern.",
      alone: ("pattern", ##"{"$ref": "#/$defs/scalar"}"##),
      others: ##""ignoreCase": {"type": "boolean", "default": false}"##,
      required: ##""required": ["pattern"]"##),
    Entry(
      name: "predicate", says: "The predicate of that name says so: `integer`, or one registered on the server.",
      alone: ("name", ##"{"type": "string", "minLength": 1}"##), required: ##""required": ["name"]"##),
    Entry(
      name: "email", says: "An email address as HTML defines it.",
      others: ##""international": {"type": "boolean", "default": false}"##),
    Entry(name: "url", says: "An absolute http or https URL."),
    Entry(name: "integer", says: "A whole number."),
    Entry(name: "number", says: "A decimal number."),
    Entry(name: "date", says: "A date like 2025-01-31."),
    Entry(name: "time", says: "A time like 09:30."),
    Entry(name: "dateTime", says: "A date and time like 2025-01-31T09:30."),
    Entry(
      name: "range", says: "Within two numbers, dates, times, or dates with times; both ends count.",
      others: ##""min": {"$ref": "#/$defs/quantity"}, "max": {"$ref": "#/$defs/quantity"}"##, required: oneBound),
    Entry(
      name: "step", says: "A whole number of steps from a start, exactly.",
      alone: ("of", ##"{"$ref": "#/$defs/quantity"}"##),
      others: ##""from": {"$ref": "#/$defs/quantity", "default": 0}"##, required: ##""required": ["of"]"##),
    Entry(
      name: "oneOf", says: "One of these texts.",
      alone: ("values", ##"{"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/scalar"}}"##),
      required: ##""required": ["values"]"##),
    Entry(name: "count", says: "How many options are chosen.", others: bounds, required: oneBound),
    Entry(
      name: "sameAs", says: "Equal to another field's text.", alone: ("field", ##"{"$ref": "#/$defs/fieldName"}"##),
      required: ##""required": ["field"]"##),
    Entry(
      name: "compare", says: "Less or greater than another field's value.",
      others:
        ##""field": {"$ref": "#/$defs/fieldName"}, "is": {"enum": ["less", "lessOrEqual", "greater", "greaterOrEqual"]}"##,
      required: ##""required": ["field", "is"]"##),
    Entry(
      name: "all", says: "All of these rules; the first that is not met gives the message.", alone: ("rules", inner),
      required: ##""required": ["rules"]"##),
    Entry(
      name: "any", says: "At least one of these rules.", alone: ("rules", inner), required: ##""required": ["rules"]"##),
    Entry(name: "not", says: "Not this rule.", alone: ("rules", inner), required: ##""required": ["rules"]"##),
  ]

  private static func quoted(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }

  private static let common = #"""
    "message": {"type": "string", "pattern": "\\S", "description": "What to say when the rule is not met. Default: a sentence of our own."},
    "decidedBy": {"enum": ["everywhere", "server"], "description": "Written by the server in rules as served; it is not believed."}
    """#

  /// A bare word, `{length: {max: 3}, message: …}`, or as served: `{rule: length, max: 3}`.
  static let rules = """
    "rule": {
      "description": "A condition on the text.",
      "if": {"type": "string"},
      "then": {"enum": [\(quoted(catalogue.filter(\.mayBeBare).map(\.name)))]},
      "else": {
        "type": "object",
        "if": {"required": ["rule"]},
        "then": {
          "properties": {"rule": {"enum": [\(quoted(catalogue.map(\.name)))]}},
          "allOf": [
    \(catalogue.map(served).joined(separator: ",\n"))
          ]
        },
        "else": {
          "properties": {
    \(catalogue.map(written).joined(separator: ",\n")),
    \(common)
          },
          "additionalProperties": false,
          "oneOf": [\(catalogue.map { #"{"required": ["\#($0.name)"]}"# }.joined(separator: ", "))]
        }
      }
    },
    "quantity": {"type": ["string", "number"], "description": "A number, a date, a time, or a date and time."}
    """

  private static func served(_ entry: Entry) -> String {
    let arguments = entry.properties.map { ", \($0)" } ?? ""
    let required = entry.required.isEmpty ? "" : ", \(entry.required)"
    return """
          {
            "if": {"properties": {"rule": {"const": "\(entry.name)"}}},
            "then": {"properties": {"rule": {"type": "string", "description": "\(entry.says)"}, \(common)\(arguments)}, "additionalProperties": false\(required)}
          }
      """
  }

  private static func written(_ entry: Entry) -> String {
    guard let properties = entry.properties else {
      return #"    "\#(entry.name)": {"const": true, "description": "\#(entry.says)"}"#
    }
    let required = entry.required.isEmpty ? "" : ", \(entry.required)"
    let map = #""type": "object", "properties": {\#(properties)}, "additionalProperties": false\#(required)"#
    if entry.mayBeBare {
      return
        #"    "\#(entry.name)": {"description": "\#(entry.says)", "if": {"type": "object"}, "then": {\#(map)}, "else": {"const": true}}"#
    }
    guard let alone = entry.alone else {
      return #"    "\#(entry.name)": {"description": "\#(entry.says)", \#(map)}"#
    }
    // A combinator's map is its arguments only if it has their key; else it is the rule inside.
    let isMap = alone.key == "rules" ? #"{"type": "object", "required": ["rules"]}"# : #"{"type": "object"}"#
    return
      #"    "\#(entry.name)": {"description": "\#(entry.says)", "if": \#(isMap), "then": {\#(map)}, "else": \#(alone.schema)}"#
  }
}
