extension FaultReason {
  var sentence: FaultSentence {
    switch self {
    case .notAMap(let what, let found, let remedy): .init("not-a-map", "\(what) must be a map, not \(found)", remedy)
    case .notAText(let key, "nothing", _, let words):
      .init(
        "not-a-text", "`\(key)` is empty",
        words.isEmpty ? "write a string there" : Nearest.remedy(for: "", among: words))
    case .notAText(let key, let found, _, let words) where !words.isEmpty:
      .init("not-a-text", "`\(key)` must be a string, not \(found)", Nearest.remedy(for: "", among: words))
    case .notAText(let key, let found, let literal, _):
      .init(
        "not-a-text", "`\(key)` must be a string, not \(found)",
        literal.map { "put it in quotes: `\(key): \"\($0)\"`" } ?? "write it like `\(key): \"...\"`")
    case .notABoolean(let key, let found):
      .init("not-a-boolean", "`\(key)` must be true or false, not \(found)", "write `\(key): true` or `\(key): false`")
    case .notACount(let key, let found, let isNumber, let range):
      .init(
        "not-a-count", "`\(key)` must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(found)",
        isNumber ? "write it like `\(key): 3`" : "write a number, without quotes")
    case .notAList("fields", "a map"):
      .init("not-a-list", "`fields` must be a list, not a map", "begin each field with its name, like `- name: email`")
    case .notAList(let key, let found):
      .init("not-a-list", "`\(key)` must be a list, not \(found)", "write it in brackets: `\(key): [...]`")
    case .repeatedKey(let key): .init("repeated-key", "the key `\(key)` appears twice", "keep one")
    case .noSuchKey(let key, "a field", _) where FieldKey.remedy(for: key) != nil:
      .init("no-such-key", "a field has no key `\(key)`", FieldKey.remedy(for: key) ?? "")
    case .noSuchKey(let key, let what, let keys) where keys.contains("definition") && Prompt.keys.contains(key):
      .init("no-such-key", "\(what) has no key `\(key)`", "write it in `definition`, beside the `title` of the dialog")
    case .noSuchKey(let key, let what, let keys):
      .init("no-such-key", "\(what) has no key `\(key)`", Nearest.remedy(for: key, among: keys))
    case .noSuchWord(let word, let key, let words):
      .init("no-such-word", "`\(key)` cannot be `\(word)`", Nearest.remedy(for: word, among: words))
    case .missing(let key, let what, let remedy): .init("missing", "\(what) needs `\(key)`", remedy)
    case .noSuchField(let name, let names):
      .init("no-such-field", "the prompt has no field `\(name)`", Nearest.remedy(for: name, among: names))
    case .blank(let key): .init("blank", "`\(key)` is blank", "write what a person should read there")
    case .controlCharacter(let key, let code):
      .init("control-character", "`\(key)` contains the control character U+\(Self.hexadecimal(code))", "remove it")
    case .severalLines(let key): .init("several-lines", "`\(key)` has more than one line", "write it on one line")
    case .tooMany(let key, let count, let unit, let limit):
      .init("too-many", "`\(key)` has \(count) \(unit)", "keep to \(limit)")

    case .unfit(let kind, let what, let remedy): .init("unfit", "\(kind.withArticle) field \(what)", remedy)
    case .fieldName(let name):
      .init("field-name", "`\(name)` cannot name a field", "begin with a letter, then up to 63 letters, digits and `_`")
    case .takenName(let name): .init("taken-name", "the name `\(name)` is taken by the dialog itself", "choose another")
    case .sliderWithoutScale:
      .init(
        "slider-without-scale", "a slider needs a scale", "add a rule with both ends, like `- range: {min: 0, max: 10}`"
      )
    case .circle(let names):
      .init("circle", "these fields apply only if each other does: \(names)", "remove one of these conditions")
    case .nothingTyped(let kind):
      .init(
        "nothing-typed", "`allow` filters typing, and nothing is typed into \(kind.withArticle) field",
        "move the rule to `rules`")
    case .decidedByServer(let rule, let isLengthMissing):
      .init(
        "decided-by-server", "the rule `\(rule)` is decided by the server, but `allow` must decide at every keystroke",
        "\(isLengthMissing ? "put a rule like `length: {max: 200}` before it, or " : "")move it to `rules`")
    case .noOptions: .init("no-options", "`options` is empty", "list at least one")
    case .repeatedOption(let value):
      .init("repeated-option", "two options have the value `\(value)`", "remove one, or give it a value of its own")
    case .emptyOption:
      .init("empty-option", "the value of an option is empty", "remove the option and make the field `optional: true`")
    case .valueType(let kind, let type, let types):
      .init(
        "value-type", "\(kind.withArticle) field has no `valueType` \(type.rawValue)",
        Nearest.remedy(for: "", among: types.map(\.rawValue)))
    case .optionOfOtherType(let value, let type):
      .init(
        "option-of-other-type", "the option `\(value)` is not a \(type.rawValue)",
        "change it, or write `valueType: string`")
    case .valueTypes:
      .init(
        "value-types", "`valueTypes` goes with a rule `any` of as many rules", "write a type for each, or remove it")
    case .omitsRequired:
      .init(
        "omits-required", "`omitEmpty` is for fields that may stay empty, and this one may not",
        "write `optional: true` too, or remove it")
    case .nullableAlone(let isOptional):
      .init(
        "nullable-alone", "`nullable` goes with `omitEmpty`",
        isOptional ? "remove it: an empty optional field is null" : "remove it, or write `optional: true`")
    case .repeatedMoment(let moment):
      .init("repeated-moment", "`validate` lists `\(moment.rawValue)` twice", "keep one")
    case .autocomplete(let text, let nearest?):
      .init("autocomplete", "`autocomplete` cannot be `\(text)`", "did you mean `\(nearest)`?")
    case .autocomplete(let text, nil):
      .init(
        "autocomplete", "`autocomplete` cannot be `\(text)`",
        "use `off`, `on` or a name of HTML's autofill fields, like `email` or `one-time-code`")

    case .noSuchOption(let value, let options):
      .init("no-such-option", "there is no option `\(value)`", Nearest.remedy(for: value, among: options))
    case .chosenTwice(let value): .init("chosen-twice", "the option `\(value)` is chosen twice", "keep one")
    case .notOfKind(let text, let kind):
      .init(
        "not-of-kind", "\(kind.withArticle) field cannot hold `\(text)`",
        "write it like \(Sentence.examples[kind == .slider ? "number" : kind.rawValue] ?? "")")
    case .laterTime(let text):
      .init(
        "later-time", "clocks show the local time of `\(text)` twice, and a page can only show the first",
        "use another time or time zone")
    case .offScale(let text, let min, let max, let step):
      .init(
        "off-scale", "the slider cannot stand at \(text)", "write a number from \(min) to \(max), in steps of \(step)")
    case .emptySlider(let min, let max):
      .init("empty-slider", "a slider cannot be empty", "write a number from \(min) to \(max), or leave the value out")
    case .heldPassword:
      .init("held-password", "a `password` field cannot have an initial value", "leave it out")

    case .languageNotBuiltIn(let language):
      .init(
        "language-not-built-in", "OKCancel has no texts of its own in `\(language)`",
        "write out buttons and messages, or they are in English")
    case .languageTag(let tag, let key):
      .init("language-tag", "`\(key)` cannot be `\(tag)`", "write a language tag like `de` or `pt-BR`")
    case .tooManyFields(let count, let limit):
      .init("too-many-fields", "a prompt can have \(limit) fields, not \(count)", "remove some, or ask twice")
    case .moreWarnings(let count):
      .init("more-warnings", "there are \(count) more warnings", "`okcancel check` prints all of them")
    case .tooManyOptions(let count):
      .init(
        "too-many-options", "the fields of a prompt can have \(Prompt.optionLimit) options in all, not \(count)",
        "list fewer, or ask twice")
    case .repeatedName(let name, let what):
      .init("repeated-name", "two \(what) are named `\(name)`", "give each a name of its own")
    case .emptySection: .init("empty-section", "this section has no fields", "put some after it, or remove it")
    case .sectionInField:
      .init(
        "section-in-field", "`section` is a heading between fields, not a key of one",
        "make it an element of its own: `- section: ...`, and the field the next")
    case .buttonsTwice(let key):
      .init("buttons-twice", "`\(key)` and `buttons` both say which buttons there are", "keep one of them")
    case .okNotAText(let found):
      .init("ok-not-a-text", "`ok` must be a string, not \(found)", "write the button's title, like `ok: Submit`")
    case .cancelTrue:
      .init("cancel-true", "`cancel` must be a string, a map or false, not true", "remove it, or write its title")
    case .noButtons: .init("no-buttons", "`buttons` is empty", "list at least `{title: OK, role: ok}`")
    case .noOKButton:
      .init("no-ok-button", "no button answers with the fields' values", "add one like `{title: OK, role: ok}`")
    case .onlyOfActions(let key, let remedy):
      .init("only-of-actions", "`\(key)` is for buttons of role `action`", remedy)
    case .reasonNotOfCancel:
      .init("reason-not-of-cancel", "`reason` is for buttons of role `cancel`", "remove it, or make the role `cancel`")
    case .actionName(let name):
      .init(
        "action-name", "`\(name)` cannot name an action",
        "begin with a letter, then up to 63 letters, digits, `-` and `_`")

    case .tooManyRules(let limit): .init("too-many-rules", "there are more than \(limit) rules", "send fewer at a time")
    case .notARule(let found):
      .init(
        "not-a-rule", "a rule must be a name or a map, not \(found)",
        "write it like `- nonEmpty` or `- length: {max: 20}`")
    case .noSuchRule(let name):
      .init("no-such-rule", "there is no rule `\(name)`", Nearest.remedy(for: name, among: Rule.names))
    case .noRule: .init("no-rule", "this map names no rule", "name one, like `nonEmpty: true`")
    case .twoRules(let one, let other):
      .init("two-rules", "one rule names both `\(one)` and `\(other)`", "make each an element of the list")
    case .ruleWithoutArguments(let name, let remedy):
      .init("rule-without-arguments", "the rule `\(name)` needs arguments", remedy)
    case .argumentsOfPlainRule(let name):
      .init("arguments-of-plain-rule", "`\(name)` takes no arguments", "write `\(name): true`, or remove the rule")
    case .argumentBesideRule(let key, let rule, let keys):
      .init(
        "argument-beside-rule", "`\(key)` is an argument of `\(rule)` and belongs inside it",
        "write `\(rule): {\(keys.map { "\($0): ..." }.joined(separator: ", "))}`")
    case .decidedBy(let word):
      .init("decided-by", "`decidedBy` cannot be `\(word)`", "remove it: the server finds out who decides")
    case .blankMessage: .init("blank-message", "`message` is blank", "say what to do, or remove it")
    case .controlCharacterInMessage:
      .init("control-character-in-message", "`message` contains a control character", "remove it")

    case .ruleNeeds(let rule, let what, let remedy): .init("rule-needs", "`\(rule)` needs \(what)", remedy)
    case .swappedBounds(let min, let max):
      .init("swapped-bounds", "`min` \(min) is greater than `max` \(max)", "swap them")
    case .incomparableBounds(let min, let max):
      .init(
        "incomparable-bounds", "`min` \(min) and `max` \(max) cannot be compared",
        "make both numbers, both dates, both times or both dates with times")
    case .noMoment(let text, let key):
      .init(
        "no-moment", "`\(key)` `\(text)` is not a time relative to now",
        "write `now` or `today`, and perhaps + or - and a number of m, h, d or w, like `now+30d`; "
          + "`today` only goes with d and w; both go up to 100 years")
    case .noQuantity(let text, let key):
      .init(
        "no-quantity", "`\(key)` `\(text)` is neither a number nor a date nor a time",
        "write it like 10, 2025-01-31, 09:30 or 2025-01-31T09:30")
    case .notANumber(let text, let key):
      .init("not-a-number", "`\(key)` `\(text)` is not a number", "write it like 1, 0.5 or 1e3")
    case .stepNotPositive:
      .init("step-not-positive", "a step must be greater than 0", "write it like `step: {of: 0.5}`")
    case .nothingToChoose: .init("nothing-to-choose", "`oneOf` has nothing to choose from", "list at least one value")
    case .noInnerRules(let rule): .init("no-inner-rules", "`\(rule)` has no rules", "list at least one")
    case .noTimeZone(let name):
      .init(
        "no-time-zone", "there is no time zone `\(name)`",
        "write a name of the IANA database, like `Europe/Berlin`, or `person` for the zone of the person who answers")
    case .noTimeZones(let folder):
      .init(
        "no-time-zones", "there is no database of time zones in \(folder)",
        "install the package tzdata, or name its folder in TZDIR")

    case .ruleOnOwnField(let rule, let field):
      .init("rule-on-own-field", "`\(rule)` names its own field `\(field)`", "name another field")
    case .ruleOnNoField(let rule, let field, let others):
      .init(
        "rule-on-no-field", "`\(rule)` names no field of this prompt: `\(field)`",
        others.isEmpty ? "add the field, or remove the rule" : Nearest.remedy(for: field, among: others))
    case .textRuleOfList(let rule, let kind):
      .init(
        "text-rule-of-choices", "`\(rule)` checks one string, but \(kind.withArticle) field holds a list",
        kind == .list ? "write it in `items`" : "use `nonEmpty` or `count` here")
    case .itemsOfTexts(let kind):
      .init(
        "items-of-texts", "`items` checks each item of a list, but this field is \(kind.withArticle)",
        "make the field's kind `list`, or write the rules in `rules`")
    case .ruleOfItems(let rule):
      .init("rule-of-items", "`\(rule)` does not check a single item", "write one like `length: {max: 20}`")
    case .countOfTexts(let kind):
      .init(
        "count-of-texts", "`count` counts chosen options, but this field is \(kind.withArticle)",
        "use `length`, or make the field's kind `choices` or `list`")
    case .sameAsList(let field):
      .init(
        "same-as-list", "`sameAs` compares strings, but `\(field)` holds a list", "name a field that holds a string")
    case .noOrder(let kind):
      .init(
        "no-order", "`compare` needs an order, and \(kind.withArticle) field has none",
        "use it on a number, date or time")
    case .otherOrder(let kind, let other, let field):
      .init(
        "other-order", "`compare` cannot compare \(kind.withArticle) with the `\(other?.rawValue ?? "")` of `\(field)`",
        "compare fields of the same kind")
    case .oneTimeZone(let other):
      .init(
        "one-time-zone", "only one of this field and `\(other)` has a time zone, so they cannot be compared",
        "give both a `timeZone`, or neither")
    case .otherTimeZone(let rule, let named, let zone):
      .init(
        "other-time-zone", "`\(rule)` is in the time zone `\(named.word)`, and its field in `\(zone.word)`",
        "remove `timeZone` from the rule")
    case .ruleWithTimeZone(let rule, let kind):
      .init(
        "rule-with-time-zone", "`\(rule)` names a time zone, and this field is \(kind.withArticle)",
        "make the kind `dateTime`")
    case .timeZone(.date):
      .init(
        "time-zone", "`timeZone` says which day is `today`, but no rule of this field uses `today`",
        "remove it, or add a rule like `- range: {min: today}`")
    case .timeZone(.time):
      .init(
        "time-zone", "a time of day has no offset from UTC, which depends on the date",
        "make the kind `dateTime`, or remove `timeZone`")
    case .timeZone(let kind):
      .init("time-zone", "\(kind.withArticle) field has no time zone", "remove `timeZone`, or make the kind `dateTime`")
    case .boundsOfOtherForm(.date, isRelative: true):
      .init(
        "bounds-of-other-form", "`now` is a time of day too, and this field is a date",
        "write `today`, or make the kind `dateTime`")
    case .boundsOfOtherForm(.time, isRelative: true):
      .init("bounds-of-other-form", "a time of day alone is neither before nor after `now`", "make the kind `dateTime`")
    case .boundsOfOtherForm(let kind, _):
      .init(
        "bounds-of-other-form", "the bounds of `range` are not of the kind `\(kind.rawValue)`",
        "write bounds that \(kind.withArticle) field can hold")
    case .relativeWithoutTimeZone(let base):
      .init(
        "relative-without-time-zone", "`\(base.rawValue)` depends on the time zone, and this field has none",
        "add `timeZone: Europe/Berlin` or another to the field, "
          + "or `timeZone: person` for that of the person who answers")
    case .offsetWithoutTimeZone:
      .init(
        "offset-without-time-zone", "a bound has an offset from UTC, and this field has no time zone",
        "remove the offset, or add `timeZone` to the field")
    case .impossibleValue(let value, let key, let reason):
      .init(
        "impossible-value",
        "no text is equal to the value “\(Self.quoted(value))” of `\(key)`: it has \(reason.inWords)",
        "correct the value, or remove it")

    case .noConditions: .init("no-conditions", "`when` has no conditions", "list at least one, or remove it")
    case .conditionWithoutRule(let example): .init("condition-without-rule", "this condition has no rule", example)
    case .conditionWithRules:
      .init(
        "condition-with-rules", "this condition has more than one rule",
        "make each an element of a list, with its own `field`, or use `all`")
    case .conditionWithoutMessage:
      .init(
        "condition-without-message",
        "this condition needs a `message`, for pages without JavaScript, which show every field",
        "say when the field applies, like `message: Only for adults`")
    case .conditionOnNoField(let field, let others):
      .init(
        "condition-on-no-field", "`when` names no field of this prompt: `\(field)`",
        Nearest.remedy(for: field, among: others))
    case .conditionOfServer(isLengthMissing: true):
      .init(
        "condition-of-server", "the server decides this pattern, and a browser must know at once what applies",
        "put a length before it, like `all: [{length: {max: 200}}, {pattern: ...}]`")
    case .conditionOfServer(isLengthMissing: false):
      .init(
        "condition-of-server", "the server decides this pattern, and a browser must know at once what applies",
        "use a simpler pattern without `\\p{…}`, or `oneOf`")
    case .momentInCondition:
      .init(
        "moment-in-condition",
        "`when` cannot look at a moment in a time zone: a browser must know at once what applies",
        "use `nonEmpty`, or ask something else of another field")
    case .otherFieldInCondition(let rule):
      .init(
        "other-field-in-condition", "`\(rule)` cannot stand in `when`, which looks at one field",
        "use `oneOf` or another rule")
    case .timeInCondition:
      .init(
        "time-in-condition", "`when` cannot depend on the time: a browser must know at once what applies",
        "write a fixed bound, or another rule")
    case .predicateInCondition:
      .init(
        "predicate-in-condition", "`predicate` cannot stand in `when`: a browser must know at once what applies",
        "use `oneOf` or another rule")
    case .messageInCondition(let rule):
      .init("message-in-condition", "nobody sees the `message` of this `\(rule)`", "write `message` beside `field`")
    case .impossibleOption(let value, let field, let options):
      .init(
        "impossible-option", "`\(field)` never has the value `\(value)`", Nearest.remedy(for: value, among: options))

    case .noLanguage(let tag):
      .init("no-language", "`\(tag)` is not a language tag", "write a tag like `de` or `pt-BR`")
    case .ownLanguage(let language):
      .init(
        "own-language", "`\(language)` is the prompt's own language",
        "remove the translation, or name another `language`")
    case .repeatedTranslation(let language):
      .init("repeated-translation", "there are two translations into `\(language)`", "keep one")
    case .untranslatable(let key, let what):
      .init("untranslatable", "\(what) cannot change `\(key)`", "remove it, because a translation only changes texts")
    case .untranslated(let what, let remedy): .init("untranslated", "\(what) is not translated", remedy)
    case .translatedTwice(let what): .init("translated-twice", "\(what) is translated twice", "keep one")
    case .translatesNothing(let key):
      .init("translates-nothing", "`\(key)` translates nothing: the definition has no such text", "remove it")
    case .lostPlaceholder(let name, let key):
      .init("lost-placeholder", "`\(key)` lacks `\(name)`", "put it where the translation needs it")
    case .addedPlaceholder(let name, let key):
      .init("added-placeholder", "`\(key)` has `\(name)`, which the definition does not have", "remove it")
    case .notInDefinition(let what, let name, let names):
      .init("not-in-definition", "\(what) `\(name)`", Nearest.remedy(for: name, among: names))
    case .messageCount(let count, let speakers, let kind):
      .init(
        "message-count",
        "there \(count == 1 ? "is 1 message" : "are \(count) messages") for \(speakers) \(kind)\(speakers == 1 ? "" : "s")",
        "write one for each \(kind), in their order, and `null` where it says nothing of its own "
          + "(inside `[...]` a comma begins the next: quote the text)")

    case .unregisteredPredicate(let name, let nearest):
      .init(
        "unregistered-predicate", "the predicate `\(name)` is not registered",
        "\(nearest.map { "did you mean `\($0)`? Otherwise " } ?? "")register it with --predicate \(name)=PROGRAM, or in Swift"
      )
    case .requiredAndOptional:
      .init(
        "required-and-optional", "a field cannot be both `required` and `optional`",
        "keep `required: true` to ask for a value, or `optional: true` to let it be left empty")
    case .inPattern(let reason, let use, let column): reason.sentence(in: use).inPattern(column: column)
    }
  }
}

extension FaultReason {
  private static func hexadecimal(_ code: UInt32) -> String {
    (code < 16 ? "000" : "00") + String(code, radix: 16, uppercase: true)
  }

  private static func quoted(_ value: String) -> String {
    value.unicodeScalars.prefix(40).map { $0.value < 0x20 ? "�" : String($0) }.joined()
  }
}

extension FaultReason.ImpossibleValue {
  fileprivate var inWords: String {
    switch self {
    case .carriageReturn: "a carriage return, which becomes a line feed"
    case .space: "white space at an end, which `trim` drops"
    case .numeral(let plain): "a form that is read as the number \(plain)"
    case .lineFeed(let kind): "a line feed, and \(kind.withArticle) field has one line"
    case .bytes: "more than \(TextRule.limit) bytes"
    case .controlCharacter: "a control character"
    }
  }
}
