/// What is wrong in a definition, a translation or a request, or deserves a warning, with its facts.
///
/// `sentence` is the only place that says it in words.
enum FaultReason: FaultCase {
  // Any value
  case notAMap(String, String, remedy: String)
  case notAText(String, String, literal: String?, among: [String] = [])
  case notABoolean(String, String), notAList(String, String)
  case notACount(String, String, isNumber: Bool, in: ClosedRange<Int>)
  case repeatedKey(String), noSuchKey(String, of: String, among: [String]), noSuchWord(
    String, key: String, among: [String])
  case missing(String, of: String, remedy: String), noSuchField(String, among: [String])
  case blank(String), controlCharacter(String, UInt32), severalLines(String), tooMany(String, Int, String, limit: Int)

  // Fields
  case unfit(Field.Kind, String, remedy: String)
  case fieldName(String), takenName(String), sliderWithoutScale, circle(String)
  case nothingTyped(Field.Kind), decidedByServer(rule: String, isLengthMissing: Bool)
  case noOptions, repeatedOption(String), emptyOption
  case valueType(Field.Kind, Field.ValueType, among: [Field.ValueType]), optionOfOtherType(String, Field.ValueType)
  case omitsRequired, nullableAlone(isOptional: Bool), repeatedMoment(Field.Moment)
  case autocomplete(String, nearest: String?)

  // Initial values
  case noSuchOption(String, among: [String]), chosenTwice(String), notOfKind(String, Field.Kind), laterTime(String)
  case offScale(String, min: String, max: String, step: String), emptySlider(min: String, max: String)

  // Prompts and buttons
  case languageNotBuiltIn(Language), languageTag(String, key: String)
  case tooManyFields(Int, limit: Int), tooManyOptions(Int), repeatedName(String, of: String), emptySection,
    sectionInField
  case buttonsTwice(String), okNotAText(String), cancelTrue, noButtons, noOKButton
  case onlyOfActions(String, remedy: String), actionName(String)

  // Rules
  case tooManyRules(limit: Int), notARule(String), noSuchRule(String), noRule, twoRules(String, String)
  case ruleWithoutArguments(String, remedy: String), argumentsOfPlainRule(String)
  case argumentBesideRule(String, rule: String, keys: [String])
  case decidedBy(String), blankMessage, controlCharacterInMessage

  // Arguments of rules
  case ruleNeeds(String, String, remedy: String)
  case swappedBounds(min: String, max: String), incomparableBounds(min: String, max: String)
  case noMoment(String, key: String), noQuantity(String, key: String), notANumber(String, key: String)
  case stepNotPositive, nothingToChoose, noInnerRules(String)
  case noTimeZone(String), noTimeZones(folder: String)

  // Rules in their field
  case ruleOnOwnField(String, String), ruleOnNoField(String, String, among: [String])
  case textRuleOfChoices(String), countOfTexts(Field.Kind), sameAsList(String)
  case noOrder(Field.Kind), otherOrder(Field.Kind, Field.Kind?, of: String), oneTimeZone(other: String)
  case otherTimeZone(String, Field.TimeZone, field: Field.TimeZone), ruleWithTimeZone(String, Field.Kind)
  case timeZone(Field.Kind)
  case boundsOfOtherForm(Field.Kind, isRelative: Bool)
  case relativeWithoutTimeZone(RelativeBound.Base), offsetWithoutTimeZone
  case impossibleValue(String, of: String, ImpossibleValue)

  // Conditions
  case noConditions, conditionWithoutRule(example: String), conditionWithRules, conditionWithoutMessage
  case conditionOnNoField(String, among: [String]), conditionOfServer(isLengthMissing: Bool)
  case momentInCondition, otherFieldInCondition(String), timeInCondition, predicateInCondition
  case messageInCondition(String), impossibleOption(String, of: String, among: [String])

  // Context
  case contextTooLong(Int, limit: Int), imagesTooLarge(Int, limit: Int), tooManyPixels(Int)
  /// Of a picture that is too large, or whose header does not say its size.
  case pictureSize((width: Int, height: Int)?)
  case emptyBlock(example: String), twoBlocks(String, String), goesWith(String, String), linkNotAURL, notAnImage,
    noColumns
  case cells(Int, columns: Int)

  // Translations
  case noLanguage(String), ownLanguage(Language), repeatedTranslation(Language)
  case untranslatable(String, of: String), untranslated(String, remedy: String), translatedTwice(String)
  case translatesNothing(String), lostPlaceholder(String, of: String), addedPlaceholder(String, of: String)
  case notInDefinition(String, String, among: [String]), messageCount(Int, of: Int, kind: String)

  // Rules of a request or a field
  case unregisteredPredicate(String, nearest: String?), requiredAndOptional
  /// The fault is in a pattern; what the pattern should be, if that is clear.
  case inPattern(PatternFault.Reason, PatternFault.Use, column: Int, corrected: String?)

  /// Why no text of a field is equal to a value.
  enum ImpossibleValue: Sendable {
    case carriageReturn, controlCharacter
    /// At an end, where the field drops it.
    case space
    /// A number that is not in its plain form, which is this.
    case numeral(String)
    case lineFeed(Field.Kind)
    /// Too many.
    case bytes
  }
}

extension FaultReason {
  var sentence: FaultSentence {
    switch self {
    case .notAMap(let what, let found, let remedy): "\(what) must be a map, not \(found); \(remedy)"
    case .notAText(let key, "nothing", _, let words):
      "`\(key)` is empty; \(words.isEmpty ? "write a string there" : Nearest.remedy(for: "", among: words))"
    case .notAText(let key, let found, _, let words) where !words.isEmpty:
      "`\(key)` must be a string, not \(found); \(Nearest.remedy(for: "", among: words))"
    case .notAText(let key, let found, let literal, _):
      "`\(key)` must be a string, not \(found); "
        + "\(literal.map { "put it in quotes: `\(key): \"\($0)\"`" } ?? "write it like `\(key): \"...\"`")"
    case .notABoolean(let key, let found):
      "`\(key)` must be true or false, not \(found); write `\(key): true` or `\(key): false`"
    case .notACount(let key, let found, let isNumber, let range):
      "`\(key)` must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(found); "
        + (isNumber ? "write it like `\(key): 3`" : "write a number, without quotes")
    case .notAList("fields", "a map"):
      "`fields` must be a list, not a map; begin each field with its name, like `- name: email`"
    case .notAList(let key, let found): "`\(key)` must be a list, not \(found); write it in brackets: `\(key): [...]`"
    case .repeatedKey(let key): "the key `\(key)` appears twice; keep one"
    case .noSuchKey(let key, "a field", _) where FieldKey.remedy(for: key) != nil:
      "a field has no key `\(key)`; \(FieldKey.remedy(for: key) ?? "")"
    case .noSuchKey(let key, let what, let keys) where keys.contains("definition") && Prompt.keys.contains(key):
      "\(what) has no key `\(key)`; write it in `definition`, beside the `title` of the dialog"
    case .noSuchKey(let key, let what, let keys):
      "\(what) has no key `\(key)`; \(Nearest.remedy(for: key, among: keys))"
    case .noSuchWord(let word, let key, let words):
      "`\(key)` cannot be `\(word)`; \(Nearest.remedy(for: word, among: words))"
    case .missing(let key, let what, let remedy): "\(what) needs `\(key)`; \(remedy)"
    case .noSuchField(let name, let names):
      "the prompt has no field `\(name)`; \(Nearest.remedy(for: name, among: names))"
    case .blank(let key): "`\(key)` is blank; write what a person should read there"
    case .controlCharacter(let key, let code):
      "`\(key)` contains the control character U+\(Self.hexadecimal(code)); remove it"
    case .severalLines(let key): "`\(key)` has more than one line; write it on one line"
    case .tooMany(let key, let count, let unit, let limit): "`\(key)` has \(count) \(unit); keep to \(limit)"

    case .unfit(let kind, let what, let remedy): "\(kind.withArticle) field \(what); \(remedy)"
    case .fieldName(let name):
      "`\(name)` cannot name a field; begin with a letter, then up to 63 letters, digits and `_`"
    case .takenName(let name): "the name `\(name)` is taken by the dialog itself; choose another"
    case .sliderWithoutScale: "a slider needs a scale; add a rule with both ends, like `- range: {min: 0, max: 10}`"
    case .circle(let names): "these fields apply only if each other does: \(names); remove one of these conditions"
    case .nothingTyped(let kind):
      "`allow` filters typing, and nothing is typed into \(kind.withArticle) field; move the rule to `rules`"
    case .decidedByServer(let rule, let isLengthMissing):
      "the rule `\(rule)` is decided by the server, but `allow` must decide at every keystroke; "
        + "\(isLengthMissing ? "put a rule like `length: {max: 200}` before it, or " : "")move it to `rules`"
    case .noOptions: "`options` is empty; list at least one"
    case .repeatedOption(let value): "two options have the value `\(value)`; remove one, or give it a value of its own"
    case .emptyOption: "the value of an option is empty; remove the option and make the field `optional: true`"
    case .valueType(let kind, let type, let types):
      "\(kind.withArticle) field has no `valueType` \(type.rawValue); "
        + "\(Nearest.remedy(for: "", among: types.map(\.rawValue)))"
    case .optionOfOtherType(let value, let type):
      "the option `\(value)` is not a \(type.rawValue); change it, or write `valueType: string`"
    case .omitsRequired:
      "`omitEmpty` is for fields that may stay empty, and this one may not; write `optional: true` too, or remove it"
    case .nullableAlone(let isOptional):
      "`nullable` goes with `omitEmpty`; "
        + "\(isOptional ? "remove it: an empty optional field is null" : "remove it, or write `optional: true`")"
    case .repeatedMoment(let moment): "`validate` lists `\(moment.rawValue)` twice; keep one"
    case .autocomplete(let text, let nearest?): "`autocomplete` cannot be `\(text)`; did you mean `\(nearest)`?"
    case .autocomplete(let text, nil):
      "`autocomplete` cannot be `\(text)`; "
        + "use `off`, `on` or a name of HTML's autofill fields, like `email` or `one-time-code`"

    case .noSuchOption(let value, let options):
      "there is no option `\(value)`; \(Nearest.remedy(for: value, among: options))"
    case .chosenTwice(let value): "the option `\(value)` is chosen twice; keep one"
    case .notOfKind(let text, let kind):
      "\(kind.withArticle) field cannot hold `\(text)`; "
        + "write it like \(Sentence.examples[kind == .slider ? "number" : kind.rawValue] ?? "")"
    case .laterTime(let text):
      "clocks show the local time of `\(text)` twice, and a page can only show the first; use another time or time zone"
    case .offScale(let text, let min, let max, let step):
      "the slider cannot stand at \(text); write a number from \(min) to \(max), in steps of \(step)"
    case .emptySlider(let min, let max):
      "a slider cannot be empty; write a number from \(min) to \(max), or leave the value out"

    case .languageNotBuiltIn(let language):
      "OKCancel has no texts of its own in `\(language)`; write out buttons and messages, or they are in English"
    case .languageTag(let tag, let key): "`\(key)` cannot be `\(tag)`; write a language tag like `de` or `pt-BR`"
    case .tooManyFields(let count, let limit):
      "a prompt can have \(limit) fields, not \(count); remove some, or ask twice"
    case .tooManyOptions(let count):
      "the fields of a prompt can have \(Prompt.optionLimit) options in all, not \(count); list fewer, or ask twice"
    case .repeatedName(let name, let what): "two \(what) are named `\(name)`; give each a name of its own"
    case .emptySection: "this section has no fields; put some after it, or remove it"
    case .sectionInField:
      "`section` is a heading between fields, not a key of one; "
        + "make it an element of its own: `- section: ...`, and the field the next"
    case .buttonsTwice(let key): "`\(key)` and `buttons` both say which buttons there are; keep one of them"
    case .okNotAText(let found): "`ok` must be a string, not \(found); write the button's title, like `ok: Submit`"
    case .cancelTrue: "`cancel` must be a string or false, not true; remove it, or write the button's title"
    case .noButtons: "`buttons` is empty; list at least `{title: OK, role: ok}`"
    case .noOKButton: "no button answers with the fields' values; add one like `{title: OK, role: ok}`"
    case .onlyOfActions(let key, let remedy): "`\(key)` is for buttons of role `action`; \(remedy)"
    case .actionName(let name):
      "`\(name)` cannot name an action; begin with a letter, then up to 63 letters, digits, `-` and `_`"

    case .tooManyRules(let limit): "there are more than \(limit) rules; send fewer at a time"
    case .notARule(let found):
      "a rule must be a name or a map, not \(found); write it like `- nonEmpty` or `- length: {max: 20}`"
    case .noSuchRule(let name): "there is no rule `\(name)`; \(Nearest.remedy(for: name, among: Rule.names))"
    case .noRule: "this map names no rule; name one, like `nonEmpty: true`"
    case .twoRules(let one, let other): "one rule names both `\(one)` and `\(other)`; make each an element of the list"
    case .ruleWithoutArguments(let name, let remedy): "the rule `\(name)` needs arguments; \(remedy)"
    case .argumentsOfPlainRule(let name): "`\(name)` takes no arguments; write `\(name): true`, or remove the rule"
    case .argumentBesideRule(let key, let rule, let keys):
      "`\(key)` is an argument of `\(rule)` and belongs inside it; "
        + "write `\(rule): {\(keys.map { "\($0): ..." }.joined(separator: ", "))}`"
    case .decidedBy(let word): "`decidedBy` cannot be `\(word)`; remove it: the server finds out who decides"
    case .blankMessage: "`message` is blank; say what to do, or remove it"
    case .controlCharacterInMessage: "`message` contains a control character; remove it"

    case .ruleNeeds(let rule, let what, let remedy): "`\(rule)` needs \(what); \(remedy)"
    case .swappedBounds(let min, let max): "`min` \(min) is greater than `max` \(max); swap them"
    case .incomparableBounds(let min, let max):
      "`min` \(min) and `max` \(max) cannot be compared; "
        + "make both numbers, both dates, both times or both dates with times"
    case .noMoment(let text, let key):
      "`\(key)` `\(text)` is not a time relative to now; "
        + "write `now` or `today`, and perhaps + or - and a number of m, h, d or w, like `now+30d`; "
        + "`today` only goes with d and w; both go up to 100 years"
    case .noQuantity(let text, let key):
      "`\(key)` `\(text)` is neither a number nor a date nor a time; "
        + "write it like 10, 2025-01-31, 09:30 or 2025-01-31T09:30"
    case .notANumber(let text, let key): "`\(key)` `\(text)` is not a number; write it like 1, 0.5 or 1e3"
    case .stepNotPositive: "a step must be greater than 0; write it like `step: {of: 0.5}`"
    case .nothingToChoose: "`oneOf` has nothing to choose from; list at least one value"
    case .noInnerRules(let rule): "`\(rule)` has no rules; list at least one"
    case .noTimeZone(let name):
      "there is no time zone `\(name)`; "
        + "write a name of the IANA database, like `Europe/Berlin`, or `person` for the zone of the person who answers"
    case .noTimeZones(let folder):
      "there is no database of time zones in \(folder); install the package tzdata, or name its folder in TZDIR"

    case .ruleOnOwnField(let rule, let field): "`\(rule)` names its own field `\(field)`; name another field"
    case .ruleOnNoField(let rule, let field, let others):
      "`\(rule)` names no field of this prompt: `\(field)`; "
        + "\(others.isEmpty ? "add the field, or remove the rule" : Nearest.remedy(for: field, among: others))"
    case .textRuleOfChoices(let rule):
      "`\(rule)` checks one string, but a `choices` field holds a list; use `nonEmpty` or `count` here"
    case .countOfTexts(let kind):
      "`count` counts chosen options, but this field is \(kind.withArticle); "
        + "use `length`, or make the field's kind `choices`"
    case .sameAsList(let field):
      "`sameAs` compares strings, but `\(field)` holds a list; name a field that holds a string"
    case .noOrder(let kind):
      "`compare` needs an order, and \(kind.withArticle) field has none; use it on a number, date or time"
    case .otherOrder(let kind, let other, let field):
      "`compare` cannot compare \(kind.withArticle) with the `\(other?.rawValue ?? "")` of `\(field)`; "
        + "compare fields of the same kind"
    case .oneTimeZone(let other):
      "only one of this field and `\(other)` has a time zone, so they cannot be compared; "
        + "give both a `timeZone`, or neither"
    case .otherTimeZone(let rule, let named, let zone):
      "`\(rule)` is in the time zone `\(named.word)`, and its field in `\(zone.word)`; remove `timeZone` from the rule"
    case .ruleWithTimeZone(let rule, let kind):
      "`\(rule)` names a time zone, and this field is \(kind.withArticle); make the kind `dateTime`"
    case .timeZone(.date):
      "`timeZone` says which day is `today`, but no rule of this field uses `today`; "
        + "remove it, or add a rule like `- range: {min: today}`"
    case .timeZone(.time):
      "a time of day has no offset from UTC, which depends on the date; make the kind `dateTime`, or remove `timeZone`"
    case .timeZone(let kind):
      "\(kind.withArticle) field has no time zone; remove `timeZone`, or make the kind `dateTime`"
    case .boundsOfOtherForm(.date, isRelative: true):
      "`now` is a time of day too, and this field is a date; write `today`, or make the kind `dateTime`"
    case .boundsOfOtherForm(.time, isRelative: true):
      "a time of day alone is neither before nor after `now`; make the kind `dateTime`"
    case .boundsOfOtherForm(let kind, _):
      "the bounds of `range` are not of the kind `\(kind.rawValue)`; write bounds that \(kind.withArticle) field can hold"
    case .relativeWithoutTimeZone(let base):
      "`\(base.rawValue)` depends on the time zone, and this field has none; "
        + "add `timeZone: Europe/Berlin` or another to the field, "
        + "or `timeZone: person` for that of the person who answers"
    case .offsetWithoutTimeZone:
      "a bound has an offset from UTC, and this field has no time zone; "
        + "remove the offset, or add `timeZone` to the field"
    case .impossibleValue(let value, let key, let reason):
      "no text is equal to the value “\(Self.quoted(value))” of `\(key)`: it has \(reason.inWords); "
        + "correct the value, or remove it"

    case .noConditions: "`when` has no conditions; list at least one, or remove it"
    case .conditionWithoutRule(let example): "this condition has no rule; \(example)"
    case .conditionWithRules:
      "this condition has more than one rule; make each an element of a list, with its own `field`, or use `all`"
    case .conditionWithoutMessage:
      "this condition needs a `message`, for pages without JavaScript, which show every field; "
        + "say when the field applies, like `message: Only for adults`"
    case .conditionOnNoField(let field, let others):
      "`when` names no field of this prompt: `\(field)`; \(Nearest.remedy(for: field, among: others))"
    case .conditionOfServer(isLengthMissing: true):
      "the server decides this pattern, and a browser must know at once what applies; "
        + "put a length before it, like `all: [{length: {max: 200}}, {pattern: ...}]`"
    case .conditionOfServer(isLengthMissing: false):
      "the server decides this pattern, and a browser must know at once what applies; "
        + "use a simpler pattern without `\\p{…}`, or `oneOf`"
    case .momentInCondition:
      "`when` cannot look at a moment in a time zone: a browser must know at once what applies; "
        + "use `nonEmpty`, or ask something else of another field"
    case .otherFieldInCondition(let rule):
      "`\(rule)` cannot stand in `when`, which looks at one field; use `oneOf` or another rule"
    case .timeInCondition:
      "`when` cannot depend on the time: a browser must know at once what applies; write a fixed bound, or another rule"
    case .predicateInCondition:
      "`predicate` cannot stand in `when`: a browser must know at once what applies; use `oneOf` or another rule"
    case .messageInCondition(let rule): "nobody sees the `message` of this `\(rule)`; write `message` beside `field`"
    case .impossibleOption(let value, let field, let options):
      "`\(field)` never has the value `\(value)`; \(Nearest.remedy(for: value, among: options))"

    case .contextTooLong(let count, let limit):
      "`context` has \(count) bytes as JSON; keep to \(limit), and link to the rest"
    case .imagesTooLarge(let count, let limit):
      "the images have \(count) bytes; keep to \(limit) in all, and link to the rest"
    case .tooManyPixels(let count):
      "the images have \(count) pixels; keep to \(PictureSize.pixelLimit) in all, and link to the rest"
    case .pictureSize(let size?):
      "this picture has \(size.width) × \(size.height) pixels; "
        + "keep to \(PictureSize.longestSide) a side and \(PictureSize.pixelLimit) in all: make it smaller"
    case .pictureSize(nil):
      "this picture's header does not say how wide and high it is; save it again as PNG, JPEG or WebP"
    case .emptyBlock(let example):
      "a block needs one of `text`, `code`, `diff`, `table`, `link` and `image`; \(example)"
    case .twoBlocks(let one, let other): "a block is either `\(one)` or `\(other)`; make two blocks of it"
    case .goesWith(let kind, let key): "`\(key)` goes with `\(kind)`; remove it"
    case .linkNotAURL: "`link` is not an http or https URL; write it in full, like https://example.com/42"
    case .notAnImage:
      "`image` is not a PNG, JPEG or WebP as a data URL; "
        + "write the file in Base64, like `data:image/png;base64,iVBORw0KGgo...`; "
        + "its bytes must be of the type it names"
    case .noColumns: "a table needs a column; name at least one"
    case .cells(let count, let columns):
      "this row has \(count) cells, and there are \(columns) columns; give each column one"

    case .noLanguage(let tag): "`\(tag)` is not a language tag; write a tag like `de` or `pt-BR`"
    case .ownLanguage(let language):
      "`\(language)` is the prompt's own language; remove the translation, or name another `language`"
    case .repeatedTranslation(let language): "there are two translations into `\(language)`; keep one"
    case .untranslatable(let key, let what):
      "\(what) cannot change `\(key)`; remove it, because a translation only changes texts"
    case .untranslated(let what, let remedy): "\(what) is not translated; \(remedy)"
    case .translatedTwice(let what): "\(what) is translated twice; keep one"
    case .translatesNothing(let key): "`\(key)` translates nothing: the definition has no such text; remove it"
    case .lostPlaceholder(let name, let key): "`\(key)` lacks `\(name)`; put it where the translation needs it"
    case .addedPlaceholder(let name, let key): "`\(key)` has `\(name)`, which the definition does not have; remove it"
    case .notInDefinition(let what, let name, let names):
      "\(what) `\(name)`; \(Nearest.remedy(for: name, among: names))"
    case .messageCount(let count, let speakers, let kind):
      "there \(count == 1 ? "is 1 message" : "are \(count) messages") for \(speakers) \(kind)\(speakers == 1 ? "" : "s"); "
        + "write one for each \(kind), in their order, and `null` where it says nothing of its own "
        + "(inside `[...]` a comma begins the next: quote the text)"

    case .unregisteredPredicate(let name, let nearest):
      "the predicate `\(name)` is not registered; "
        + "\(nearest.map { "did you mean `\($0)`? Otherwise " } ?? "")register it with --predicate \(name)=PROGRAM, or in Swift"
    case .requiredAndOptional:
      "a field cannot be both `required` and `optional`; "
        + "keep `required: true` to ask for a value, or `optional: true` to let it be left empty"
    case .inPattern(let reason, let use, let column, let corrected):
      "in this pattern, column \(column): \(reason.sentence(in: use).what); \(reason.sentence(in: use).remedy)"
        + (corrected.map { "; the corrected pattern is `\($0)`" } ?? "")
    }
  }

  var kind: Fault.Kind {
    switch self {
    case .missing: .missingKey
    case .noSuchKey: .unknownKey
    case .noSuchField: .unknownField
    case .notACount(_, _, let isNumber, _): isNumber ? .wrongValue : .wrongType
    case .notAMap, .notAText, .notABoolean, .notAList: .wrongType
    default: .wrongValue
    }
  }

  var code: String {
    if case .inPattern(let reason, _, _, _) = self { "pattern-\(String(caseOf: reason))" } else { String(caseOf: self) }
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
