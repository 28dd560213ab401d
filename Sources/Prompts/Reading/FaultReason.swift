/// What is wrong or doubtful in a definition, a translation or a request, with its facts.
///
/// `sentence` is the only place that says it in words.
enum FaultReason: Sendable {
  // Any value
  case notAMap(String, String, remedy: String)
  case notAText(String, String, literal: String?)
  case notABoolean(String, String), notACount(String, String), notAList(String, String)
  case repeatedKey(String), noSuchKey(String, of: String, among: [String]), noSuchWord(
    String, key: String, among: [String])
  case missing(String, of: String, remedy: String)
  case blank(String), controlCharacter(String, UInt32), severalLines(String), tooLong(String, Int, limit: Int)

  // Fields
  case unfit(Field.Kind, String, remedy: String)
  case fieldName(String), takenName(String), sliderWithoutScale, circle(String)
  case nothingTyped(Field.Kind), decidedByServer(rule: String, isLengthMissing: Bool)
  case noOptions, tooManyOptions(Int, limit: Int), repeatedOption(String), emptyOption, tooManyBytes(Int)
  case valueType(Field.Kind, Field.ValueType, among: [Field.ValueType]), optionOfOtherType(String, Field.ValueType)
  case omitsRequired, nullableAlone(isOptional: Bool), repeatedMoment(Field.Moment)
  case autocomplete(String, nearest: String?)

  // Prompts and buttons
  case languageNotBuiltIn(Language), languageTag(String, key: String)
  case tooManyFields(Int, limit: Int), repeatedName(String, of: String), emptySection, sectionInField
  case buttonsTwice(String), okNotAText(String), cancelTrue, noButtons, noOKButton
  case onlyOfActions(String, remedy: String), actionName(String)

  // Rules
  case tooManyRules(limit: Int), notARule(String), noSuchRule(String), noRule, twoRules(String, String)
  case ruleWithoutArguments(String, remedy: String), argumentsOfPlainRule(String)
  case argumentBesideRule(String, rule: String, keys: [String])
  case decidedBy(String), blankMessage, controlCharacterInMessage

  // Translations
  case tooManyTranslations(Int, limit: Int), noLanguage(String), ownLanguage(Language), repeatedTranslation(Language)
  case untranslatable(String, of: String), untranslated(String, remedy: String), translatedTwice(String)
  case translatesNothing(String), lostPlaceholder(String, of: String), addedPlaceholder(String, of: String)
  case notInDefinition(String, String, among: [String]), tooManyMessages(Int, for: String, each: String)

  case schema(SchemaFault)
  /// Something that is said only in one place.
  case other(String, remedy: String)
}

extension FaultReason {
  var sentence: (what: String, remedy: String) {
    switch self {
    case .notAMap(let what, let found, let remedy): ("\(what) must be a map, not \(found)", remedy)
    case .notAText(let key, let found, let literal):
      (
        "`\(key)` must be a text, not \(found)",
        literal.map { "put it in quotes: `\(key): \"\($0)\"`" } ?? "write a text"
      )
    case .notABoolean(let key, let found):
      ("`\(key)` must be true or false, not \(found)", "write `\(key): true` or `\(key): false`")
    case .notACount(let key, let found):
      ("`\(key)` must be a whole number from 0 to 9007199254740991, not \(found)", "write it like `\(key): 3`")
    case .notAList(let key, let found):
      ("`\(key)` must be a list, not \(found)", "write it in brackets: `\(key): [...]`")
    case .repeatedKey(let key): ("the key `\(key)` appears twice", "keep one")
    case .noSuchKey(let key, let what, let keys): ("\(what) has no key `\(key)`", Nearest.remedy(for: key, among: keys))
    case .noSuchWord(let word, let key, let words):
      ("`\(key)` cannot be `\(word)`", Nearest.remedy(for: word, among: words))
    case .missing(let key, let what, let remedy): ("\(what) needs `\(key)`", remedy)
    case .blank(let key): ("`\(key)` is blank", "write what a person should read there")
    case .controlCharacter(let key, let code):
      (
        "`\(key)` holds the control character U+00\(code < 16 ? "0" : "")\(String(code, radix: 16, uppercase: true))",
        "remove it"
      )
    case .severalLines(let key): ("`\(key)` has more than one line", "write it on one line")
    case .tooLong(let key, let count, let limit): ("`\(key)` has \(count) characters", "keep to \(limit)")

    case .unfit(let kind, let what, let remedy): ("\(kind.withArticle) field \(what)", remedy)
    case .fieldName(let name):
      ("`\(name)` cannot name a field", "begin with a letter, then up to 63 letters, digits and `_`")
    case .takenName(let name): ("the name `\(name)` is taken by the dialog itself", "choose another")
    case .sliderWithoutScale:
      ("a slider needs a scale", "add a rule with both ends, like `- range: {min: 0, max: 10}`")
    case .circle(let names): ("these fields apply only if each other does: \(names)", "remove one of these conditions")
    case .nothingTyped(let kind):
      ("`allow` filters typing, and nothing is typed into \(kind.withArticle) field", "move the rule to `rules`")
    case .decidedByServer(let rule, let isLengthMissing):
      (
        "the rule `\(rule)` is decided by the server, and `allow` must decide at every key",
        (isLengthMissing ? "put a rule like `length: {max: 200}` before it, or " : "") + "move it to `rules`"
      )
    case .noOptions: ("`options` is empty", "list at least one")
    case .tooManyOptions(let count, let limit): ("a field with \(count) options is no choice", "keep to \(limit)")
    case .repeatedOption(let value):
      ("two options have the value `\(value)`", "remove one, or give it a value of its own")
    case .emptyOption: ("the value of an option is empty", "remove the option and make the field `optional: true`")
    case .tooManyBytes(let count): ("`value` has \(count) bytes", "keep to \(TextRule.limit)")
    case .valueType(let kind, let type, let types):
      (
        "\(kind.withArticle) field has no `valueType` \(type.rawValue)",
        Nearest.remedy(for: "", among: types.map(\.rawValue))
      )
    case .optionOfOtherType(let value, let type):
      ("the option `\(value)` is no \(type.rawValue)", "change it, or write `valueType: string`")
    case .omitsRequired:
      (
        "`omitEmpty` leaves out what is not entered, and this field must be",
        "write `optional: true` too, or remove it"
      )
    case .nullableAlone(let isOptional):
      (
        "`nullable` goes with `omitEmpty`",
        isOptional ? "remove it: an empty optional field is null" : "remove it, or write `optional: true`"
      )
    case .repeatedMoment(let moment): ("`validate` lists `\(moment.rawValue)` twice", "keep one")
    case .autocomplete(let text, let nearest):
      (
        "`autocomplete` cannot be `\(text)`",
        nearest.map { "did you mean `\($0)`?" }
          ?? "use `off`, `on` or a name of HTML's autofill fields, like `email` or `one-time-code`"
      )

    case .languageNotBuiltIn(let language):
      (
        "nothing is built in for `\(language)`: buttons and messages that are not written out are English",
        "write them out"
      )
    case .languageTag(let tag, let key): ("`\(key)` cannot be `\(tag)`", "write a language tag like `de` or `pt-BR`")
    case .tooManyFields(let count, let limit):
      ("a prompt with \(count) fields is no dialog", "keep to \(limit), or ask twice")
    case .repeatedName(let name, let what): ("two \(what) are named `\(name)`", "give each a name of its own")
    case .emptySection: ("this section has no fields", "put some after it, or remove it")
    case .sectionInField:
      (
        "`section` is a heading between fields, not a key of one",
        "make it an element of its own: `- section: ...`, and the field the next"
      )
    case .buttonsTwice(let key): ("`\(key)` and `buttons` both say which buttons there are", "keep one of them")
    case .okNotAText(let found): ("`ok` must be a text, not \(found)", "write the button's title, like `ok: Submit`")
    case .cancelTrue: ("`cancel` must be a text or false, not true", "remove it, or write the button's title")
    case .noButtons: ("`buttons` lists no button", "list at least `{title: OK, role: ok}`")
    case .noOKButton: ("no button answers with the fields' values", "add one like `{title: OK, role: ok}`")
    case .onlyOfActions(let key, let remedy): ("`\(key)` is for buttons of role `action`", remedy)
    case .actionName(let name):
      ("`\(name)` cannot name an action", "begin with a letter, then up to 63 letters, digits, `-` and `_`")

    case .tooManyRules(let limit): ("these are more than \(limit) rules", "send fewer at a time")
    case .notARule(let found):
      ("a rule must be a name or a map, not \(found)", "write it like `- nonEmpty` or `- length: {max: 20}`")
    case .noSuchRule(let name): ("there is no rule `\(name)`", Nearest.remedy(for: name, among: Rule.names))
    case .noRule: ("this map names no rule", "name one, like `nonEmpty: true`")
    case .twoRules(let one, let other):
      ("one rule names both `\(one)` and `\(other)`", "make them two elements of the list, each with its own dash")
    case .ruleWithoutArguments(let name, let remedy): ("the rule `\(name)` needs arguments", remedy)
    case .argumentsOfPlainRule(let name):
      ("`\(name)` takes no arguments", "write `\(name): true`, or remove the rule")
    case .argumentBesideRule(let key, let rule, let keys):
      (
        "`\(key)` is an argument of `\(rule)`, not its neighbour",
        "put it inside: `\(rule): {\(keys.map { "\($0): ..." }.joined(separator: ", "))}`"
      )
    case .decidedBy(let word): ("`decidedBy` cannot be `\(word)`", "remove it: the server finds out who decides")
    case .blankMessage: ("`message` is blank", "say what to do, or remove it")
    case .controlCharacterInMessage: ("`message` holds a control character", "remove it")

    case .tooManyTranslations(let count, let limit): ("these are \(count) translations", "keep to \(limit)")
    case .noLanguage(let tag): ("`\(tag)` is no language", "write a tag like `de` or `pt-BR`")
    case .ownLanguage(let language):
      ("`\(language)` is the prompt's own language", "remove the translation, or name another `language`")
    case .repeatedTranslation(let language): ("there are two translations into `\(language)`", "keep one")
    case .untranslatable(let key, let what):
      ("\(what) cannot change `\(key)`", "remove it; only texts are translated, the rest is the definition's")
    case .untranslated(let what, let remedy): ("\(what) is not translated", remedy)
    case .translatedTwice(let what): ("\(what) is translated twice", "keep one")
    case .translatesNothing(let key): ("`\(key)` translates nothing: the definition has no such text", "remove it")
    case .lostPlaceholder(let name, let key):
      ("`\(key)` has lost `\(name)`", "put it where the translation needs it")
    case .addedPlaceholder(let name, let key):
      ("`\(key)` has `\(name)`, which the definition does not have", "remove it")
    case .notInDefinition(let what, let name, let names): ("\(what) `\(name)`", Nearest.remedy(for: name, among: names))
    case .tooManyMessages(let count, let what, let each):
      ("there are \(count) messages for \(what)", "keep one for \(each), in their order")

    case .schema(let fault): fault.sentence
    case .other(let what, let remedy): (what, remedy)
    }
  }
}
