/// A fault in a definition, a translation or a request, or the reason for a warning, with its facts.
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
  case valueTypes, omitsRequired, nullableAlone(isOptional: Bool), repeatedMoment(Field.Moment)
  case autocomplete(String, nearest: String?)

  // Initial values
  case noSuchOption(String, among: [String]), chosenTwice(String), notOfKind(String, Field.Kind), laterTime(String)
  case offScale(String, min: String, max: String, step: String), emptySlider(min: String, max: String)
  case heldPassword

  // Prompts and buttons
  case languageNotBuiltIn(Language), languageTag(String, key: String)
  case tooManyFields(Int, limit: Int), tooManyOptions(Int), repeatedName(String, of: String), emptySection,
    sectionInField
  case buttonsTwice(String), okNotAText(String), cancelTrue, noButtons, noOKButton
  case onlyOfActions(String, remedy: String), reasonNotOfCancel, actionName(String)

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
  case textRuleOfList(String, Field.Kind), itemsOfTexts(Field.Kind), ruleOfItems(String)
  case countOfTexts(Field.Kind), sameAsList(String)
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

  // Translations
  case noLanguage(String), ownLanguage(Language), repeatedTranslation(Language)
  case untranslatable(String, of: String), untranslated(String, remedy: String), translatedTwice(String)
  case translatesNothing(String), lostPlaceholder(String, of: String), addedPlaceholder(String, of: String)
  case notInDefinition(String, String, among: [String]), messageCount(Int, of: Int, kind: String)

  // Rules of a request or a field
  case unregisteredPredicate(String, nearest: String?), requiredAndOptional, moreWarnings(Int)
  /// The fault is in a pattern.
  case inPattern(PatternFault.Reason, PatternFault.Use, column: Int)

  /// The reason no text of a field is equal to a value.
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
}
