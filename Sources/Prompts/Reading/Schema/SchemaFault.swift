/// A fault in a part of a JSON Schema: it is wrong or cannot be asked for exactly. With its facts.
enum SchemaFault: FaultCase {
  // The object
  case notOfObject, noObject, noTitle, propertiesNotObject(String), notASchema(String), tooLarge
  case requiredIsUnknown(String, among: [String]), extraTwice(String), closedOut(
    String, by: String)
  case cannotBeSaid(String, String), noEffect(String, String), notShown, ignored([String]), wrapped, notAsWritten(
    String),
    anyProperties(String)

  // References and dialects
  case referenceBelowID, besideReference(String), deepReference, circularReference(String), otherDocument,
    requiredInside
  case brokenReference(String), exclusiveIsANumber(String, String), nullableAlone(beside: String?)

  // Conditions
  case ifWithoutValues, ifWithoutThen, ifRequiresOnly(String), ifListsNothing, elseDefines, cannotBeSaidIn(
    String, String)
  case twoConditions(String), narrowedByThen(String), unknownProperty(String, among: [String]), requiredAnyway(String)
  case mayBeThereOtherwise(String), holdsWithout(String), uncheckedIsAbsent(String), notAList(String)
  case undecidable(String), nullOrNothing, emptyOrNothing, neverHas(String, String), sameDouble(String)

  // Properties
  case tooDeep(Int), emptyUnderCondition, differsInVariants(String)
  case severalKinds(String), severalForms(String), noSuchType(String, among: [String]), nothingLeft, anyValue,
    severalTypes, objectInObject
  case otherKind(Field.Kind, among: [Field.Kind]), defaultOfOtherType(String), notOfMoments(String), otherMedia
  case unknownFormat(String), refusedFormat(String), conflictingFormat(String), chosenPassword, emptyOption
  case momentAmongOthers
  case listedLists, listedObjects, noItems, itemsWithoutOptions, numbersToChoose, listOfObjects
  case tooFewOptions(Int, of: Int), decimalStep(String), notANumber(String)
  case crossedBounds(String, String, type: String), stepNotPositive, beyondSteps(String, limit: String)

  var sentence: FaultSentence {
    switch self {
    case .notOfObject:
      .init(
        "not-of-object", "a dialog asks for an object",
        "write `\"type\": \"object\"`, and this as one of its `properties`")
    case .noObject:
      .init("no-object", "this is not a schema of an object", "write `\"type\": \"object\"` and `properties`")
    case .noTitle:
      .init("no-title", "this schema has no `title`", "write what the dialog asks, or give a title beside it")
    case .propertiesNotObject(let found):
      .init("properties-not-object", "`properties` must be an object, not \(found)", "write `{\"email\": {…}}`")
    case .notASchema(let found):
      .init(
        "not-a-schema", "a schema must be an object here, not \(found)",
        "say what the value is, like `{\"type\": \"string\"}`")
    case .tooLarge:
      .init(
        "too-large", "with what its references name, this schema has more than 256 KiB",
        "ask for less, or refer to smaller schemas")
    case .requiredIsUnknown(let name, let names):
      .init(
        "required-is-unknown", "`required` names `\(name)`, which is not asked for",
        Nearest.remedy(for: name, among: names))
    case .extraTwice(let key): .init("extra-twice", "another `x-okcancel` has the key `\(key)` too", "keep one")
    case .closedOut(let name, let keyword):
      .init(
        "closed-out", "`\(keyword)`, which stands beside other properties, rules `\(name)` out",
        "write `unevaluatedProperties` in the outermost object instead")
    case .notShown:
      .init("not-shown", "nobody sees this", "write it in the property or the constant that it is about, or remove it")
    case .cannotBeSaid(let keyword, let remedy): .init("cannot-be-said", "`\(keyword)` is not supported here", remedy)

    case .noEffect(let keyword, let type):
      .init(
        "no-effect", "`\(keyword)` says nothing about values of the type `\(type)`", "remove it, or correct the type")
    case .ignored(let words):
      .init(
        "ignored",
        "\(words.map { "`\($0)`" }.joined(separator: ", ")) (\(SchemaReader.tools(of: words))) "
          + (words.count == 1 ? "is ignored" : "are ignored"),
        "remove \(words.count == 1 ? "it" : "them"), or say it with keywords of JSON Schema")
    case .wrapped: .init("wrapped", "this is a list, not one schema", "send one of what is in it")
    case .notAsWritten(let key):
      .init(
        "not-as-written", "this schema is no longer what is written for `\(key)`",
        "change the definition and ask for its schema again, or remove `\(key)`")
    case .anyProperties(let keyword):
      .init(
        "any-properties", "`\(keyword)` names no properties, so there is nothing to ask for",
        "write each in `properties`")

    case .referenceBelowID:
      .init(
        "reference-below-id", "a `$ref` in here names a part of this schema, which has an `$id`", "remove the `$id`")
    case .besideReference(let keyword):
      .init("beside-reference", "`\(keyword)` has no effect beside `$ref` in this dialect", "put both into an `allOf`")
    case .deepReference: .init("deep-reference", "more than 32 references lead here", "write out what it means")
    case .circularReference(let pointer):
      .init("circular-reference", "`\(pointer)` refers to itself", "write out what it means")
    case .otherDocument:
      .init(
        "other-document", "`$ref` may only name a part of this document",
        "copy what it names into `$defs`, and write `#/$defs/…`")
    case .brokenReference(let text):
      .init("broken-reference", "there is nothing at `\(text)`", "name a part of this document, like `#/$defs/color`")
    case .exclusiveIsANumber(let keyword, let bound):
      .init(
        "exclusive-is-a-number", "`\(keyword)` is a number in this dialect",
        "write the bound itself, and leave `\(bound)` out")
    case .nullableAlone(beside: nil):
      .init("nullable-alone", "`nullable` has no effect here", "write `\"type\": [\"string\", \"null\"]`")
    case .nullableAlone(beside: let keyword?):
      .init(
        "nullable-alone", "`nullable` has no effect beside `\(keyword)`",
        "write `\"anyOf\": [{\"$ref\": \"…\"}, {\"type\": \"null\"}]`")
    case .requiredInside:
      .init(
        "required-inside", "`required` stands among the properties",
        "move it out, so that it stands beside `properties`")

    case .ifWithoutValues:
      .init(
        "if-without-values", "this `if` names no values of other properties",
        #"write it like `{"properties": {"kind": {"const": "company"}}, "required": ["kind"]}`"#)
    case .ifWithoutThen:
      .init(
        "if-without-then", "nothing depends on this `if`", "say in `then` what is asked for only then, or remove it")
    case .ifRequiresOnly(let name):
      .init(
        "if-requires-only", "this depends on `\(name)`, which may be there without a value",
        "list its values with `const` or `enum` in an `if`")
    case .ifListsNothing: .init("if-lists-nothing", "this `if` lists no values", "list them with `const` or `enum`")
    case .elseDefines:
      .init(
        "else-defines", "an `else` can only say that a property is absent",
        "write `false` here, or a second `if` for it")
    case .cannotBeSaidIn(let name, "oneOf") where !["if", "then", "else"].contains(name):
      .init(
        "cannot-be-said-in", "`oneOf` is not supported in the dependencies of `\(name)`",
        #"write each case into an `allOf`, like `{"if": {"properties": {"\#(name)": {"const": …}}}, "then": {…}}`"#)
    case .cannotBeSaidIn(let place, let keyword):
      .init(
        "cannot-be-said-in", "`\(keyword)` is not supported in `\(place)`",
        "list values of other properties in the `if`, and say in `then` what is asked for only then")
    case .twoConditions(let name):
      .init(
        "two-conditions", "`\(name)` depends on two conditions",
        "list the values of both in one `enum`, or give each its own property")
    case .narrowedByThen(let name):
      .init(
        "narrowed-by-then", "`\(name)` would have other rules under this condition",
        "define it in one place, or make two properties")
    case .unknownProperty(let name, let names):
      .init("unknown-property", "`\(name)` is not asked for", Nearest.remedy(for: name, among: names))
    case .requiredAnyway(let name):
      .init(
        "required-anyway", "the object requires `\(name)` always",
        "leave it out of this condition, or of the object's `required`")
    case .mayBeThereOtherwise(let name):
      .init(
        "may-be-there-otherwise", "`\(name)` is asked for only under this condition, though it may be there otherwise",
        "say so: `\"else\": {\"properties\": {\"\(name)\": false}}`")
    case .holdsWithout(let name):
      .init("holds-without", "this `if` also holds without `\(name)`", "write `\"required\": [\"\(name)\"]` in it")
    case .uncheckedIsAbsent(let name):
      .init(
        "unchecked-is-absent", "a boolean that is left out counts as false",
        "list `\(name)` in the object's `required` too")
    case .notAList(let keyword):
      .init(
        "not-a-list", "`\(keyword)` is not supported in `if`", "list the values that it means, with `const` or `enum`")
    case .undecidable("array"):
      .init("undecidable", "no condition looks at this array", "use one with an `enum`, or a boolean")
    case .undecidable(let type):
      .init("undecidable", "no condition looks at this \(type)", "list its values with `enum` where it is asked for")
    case .nullOrNothing: .init("null-or-nothing", "a condition cannot tell null from nothing", "list other values")
    case .emptyOrNothing:
      .init("empty-or-nothing", "a condition cannot tell the empty string from nothing", "list other values")
    case .neverHas(let name, let type):
      .init("never-has", "`\(name)` never has these values", "list values of the type `\(type)`")
    case .sameDouble(let name):
      .init("same-double", "another value of `\(name)` is the same number to most programs", "write fewer digits")

    case .severalKinds(let keyword):
      .init(
        "several-kinds", "`\(keyword)` has values of which nothing tells which is meant",
        "keep one, list constants, or tell objects apart by a `const` of the same property")
    case .severalForms(let keyword):
      .init(
        "several-forms", "`\(keyword)` has several sets of rules, and a field has one",
        "join patterns in one `pattern` with `|` between them, and bounds in one range")
    case .noSuchType(let word, let types):
      .init("no-such-type", "there is no type `\(word)`", Nearest.remedy(for: word, among: types))
    case .nothingLeft: .init("nothing-left", "no value that a person can give is left here", "leave this property out")
    case .anyValue:
      .init(
        "any-value", "this may be any value, and a text is asked for", "write one type, like `\"type\": \"string\"`")
    case .severalTypes:
      .init("several-types", "these values have several types", "write one type, like `\"type\": \"string\"`")
    case .objectInObject:
      .init(
        "object-in-object", "nothing is asked for in this object", "write each of its values in `properties`")
    case .tooDeep(let depth):
      .init("too-deep", "there are more than \(depth) objects around this one", "put it less deep")
    case .emptyUnderCondition:
      .init(
        "empty-under-condition", "under this condition there must be an object, which may be empty",
        "list in its `required` what must be there")
    case .differsInVariants(let name):
      .init(
        "differs-in-variants", "`\(name)` is not the same in each of these objects",
        "define it once and refer to it, or give each its own name")
    case .otherKind(let kind, let kinds):
      .init(
        "other-kind", "\(kind.withArticle) field cannot hold these values",
        Nearest.remedy(for: "", among: kinds.map(\.rawValue)))
    case .defaultOfOtherType(let type):
      .init(
        "default-of-other-type", "`default` is not of the type `\(type)`",
        "write a value that the field can hold, or remove it")
    case .notOfMoments(let keyword):
      .init(
        "not-of-moments", "`\(keyword)` is not supported for a time with a time zone",
        "remove it, or bound the moment in `x-okcancel`, like `\"rules\": [{\"range\": {\"min\": \"now\"}}]`")
    case .otherMedia:
      .init("other-media", "only plain text can be typed in a dialog", "write `text/plain`, or leave this out")
    case .refusedFormat("date-time"):
      .init(
        "refused-format", "`date-time` needs an offset from UTC, and a person enters a local time",
        #"write `"x-okcancel": {"timeZone": "Europe/Berlin"}`, or `person` for the zone of the person who answers; "#
          + #"or leave `format` out and write `"x-okcancel": {"kind": "dateTime"}` for a local one"#)
    case .refusedFormat("time"):
      .init(
        "refused-format", "`time` needs an offset from UTC, which depends on the date",
        "ask for a `date-time`, or leave `format` out and write `\"x-okcancel\": {\"kind\": \"time\"}` for a local one")
    case .refusedFormat(let word):
      .init(
        "refused-format", "the format `\(word)` cannot be checked here, but other programs check it",
        "write a `pattern` in its place")
    case .unknownFormat(let word):
      .init(
        "unknown-format", "the format `\(word)` is not known here and is not checked",
        "write a `pattern` if it matters, or remove it")
    case .conflictingFormat(let word):
      .init(
        "conflicting-format", "no field asks for the format `\(word)` together with what else is said here",
        "keep one format, and write the rest as a `pattern`")
    case .momentAmongOthers:
      .init(
        "moment-among-others",
        "`date-time` gets its offset from UTC by the time zone of a field, and a field with several values has none",
        "ask for each moment in a property of its own, of this type only")
    case .chosenPassword:
      .init("chosen-password", "a password is typed, and these values are chosen from a list", "leave `format` out")
    case .emptyOption:
      .init(
        "empty-option", "nobody can choose the empty string", "leave it out here, and the property out of `required`")
    case .listedObjects:
      .init(
        "listed-objects", "these values are objects", "list strings or numbers that name them, like their keys")
    case .numbersToChoose:
      .init(
        "numbers-to-choose", "several options can only be chosen from strings",
        "list these numbers as strings, or ask for any numbers, like `\"items\": {\"type\": \"integer\"}`")
    case .listedLists: .init("listed-lists", "these values are lists", "list the strings in `items`")
    case .noItems:
      .init(
        "no-items", "this list says nothing about its items, and texts are asked for",
        "write `\"items\": {\"type\": \"string\"}`")
    case .itemsWithoutOptions:
      .init(
        "items-without-options", "a person can only list strings or numbers, or choose from strings",
        "write `\"items\": {\"type\": \"string\"}`, or `\"items\": {\"enum\": [\"small\", \"large\"]}`")
    case .listOfObjects:
      .init("list-of-objects", "nobody can be asked for a list of objects", "ask once for each object")
    case .tooFewOptions(let min, let count):
      .init("too-few-options", "nobody can choose \(min) of \(count) options", "list more of them, or ask for less")
    case .decimalStep(let step):
      .init(
        "decimal-step",
        "validators that divide in binary refuse some multiples of \(step), as Ajv refuses 19.99 for 0.01",
        "validate answers with exact division, as jsonschema-rs does, or ask for whole numbers, like cents")
    case .notANumber(let keyword):
      .init(
        "not-a-number", "`\(keyword)` must be a number of at most 34 digits that a double can be near",
        "write it like `\"\(keyword)\": 10`")
    case .crossedBounds(let min, let max, let type):
      .init("crossed-bounds", "no \(type) meets both \(min) and \(max)", "change one of them")
    case .stepNotPositive:
      .init("step-not-positive", "`multipleOf` must be greater than 0", "write it like `\"multipleOf\": 0.5`")
    case .beyondSteps(let keyword, let limit):
      .init(
        "beyond-steps", "programs only agree on multiples up to \(limit), and `\(keyword)` is beyond that",
        "change it, or leave `multipleOf` out")
    }
  }
}

extension FaultReason {
  /// The same fault, naming the keyword that a value stands for in a schema.
  func naming(keywordAt pointer: String) -> FaultReason {
    let keyword = pointer.split(separator: "/").last { Int($0) == nil }.map(String.init) ?? ""
    let words = ["title", "description", "default", "enum", "const"] + SchemaReader.descriptions + SchemaReader.titles
    guard (words + SchemaReader.hints).contains(keyword) else { return self }
    return switch self {
    case .notAText(_, let found, let literal, let words): .notAText(keyword, found, literal: literal, among: words)
    case .notABoolean(_, let found): .notABoolean(keyword, found)
    case .notAList(_, let found): .notAList(keyword, found)
    case .blank: .blank(keyword)
    case .controlCharacter(_, let code): .controlCharacter(keyword, code)
    case .severalLines: .severalLines(keyword)
    case .tooMany(_, let count, let unit, let limit): .tooMany(keyword, count, unit, limit: limit)
    default: self
    }
  }
}
