extension Field {
  /// Why the field cannot show an input at first just as it is, or `nil` if it can. The input need not meet the rules.
  func faultOfInitial(_ input: Input) -> FaultReason? {
    switch (input, input.normalized(for: self)) {
    case (.illFormed, _): .notAText("value", Node.Content.illFormed.inWords, literal: nil)
    case (.choices(let texts), _) where kind == .list: texts.lazy.compactMap(faultOfItem).first
    case (.choices(let texts), _):
      texts.indices.lazy.compactMap { index in
        texts[..<index].contains { isSame($0, texts[index]) } ? .chosenTwice(texts[index]) : faultOfOption(texts[index])
      }.first
    case (.text(let given), .text(let text)):
      switch kind {
      case .boolean: isSame(given, "true") || isSame(given, "false") ? nil : .notABoolean("value", "`\(given)`")
      case .slider: faultOnScale(text)
      case _ where given.isEmpty: nil
      case .password: .heldPassword
      case .choice, .choices: faultOfOption(given)
      case .list: given.split(separator: "\n").lazy.map(String.init).compactMap(faultOfItem).first
      case .number, .integer: ExactNumber(text) == nil ? .notOfKind(given, kind) : nil
      case .date, .time, .dateTime: isDate(text) ? faultOfLaterTime(text) : .notOfKind(given, kind)
      default: faultOfText(given)
      }
    case (.text, _): nil
    }
  }

  /// The same in words.
  package func problem(holding input: Input) -> String? { faultOfInitial(input)?.sentence.whole }

  private func faultOfOption(_ value: String) -> FaultReason? {
    options.contains { isSame($0.value, value) } ? nil : .noSuchOption(value, among: options.prefix(20).map(\.value))
  }

  /// A line of the control holds the item as it is, unless it is blank.
  private func faultOfItem(_ text: String) -> FaultReason? {
    if !NotBlank().isMet(by: text) { return .blank("value") }
    if readsNumbers, ExactNumber(Numeral.plain(text)) == nil { return .notOfKind(text, item.kind) }
    return faultOfText(text, isMultiline: false)
  }

  private func faultOfText(_ text: String, isMultiline: Bool? = nil) -> FaultReason? {
    let scalars = Input.lineFeeds(text).unicodeScalars
    if let control = scalars.first(where: { $0.value < 0x20 && $0 != "\t" && $0 != "\n" }) {
      return .controlCharacter("value", control.value)
    }
    return scalars.contains("\n") && !(isMultiline ?? kind.isMultiline) ? .severalLines("value") : nil
  }

  /// A browser puts a slider on the nearest step within its ends; without a `step`, steps are 1, counted from its start.
  private func faultOnScale(_ text: String) -> FaultReason? {
    let scale = scale
    // A slider without a scale has a fault of its own.
    guard let min = scale.min.flatMap({ ExactNumber($0) }), let max = scale.max.flatMap({ ExactNumber($0) }) else {
      return nil
    }
    if text.isEmpty { return .emptySlider(min: min.text, max: max.text) }
    guard let number = ExactNumber(text), number.jsonLiteral != nil else { return .notOfKind(text, kind) }
    let start = (scale.step == nil ? min : scale.from.flatMap { ExactNumber($0) }) ?? .zero
    let step = scale.step.flatMap { ExactNumber($0) } ?? ExactNumber(1)
    let isOn = !(number < min) && !(max < number) && number.isWholeNumber(of: step, from: start)
    return isOn ? nil : .offScale(text, min: min.text, max: max.text, step: "\(step.text) from \(start.text)")
  }

  /// True if a text is a date or time as its control shows it, whatever the rules say of it.
  private func isDate(_ text: String) -> Bool {
    guard let timeZone else { return quantity(text) != nil }
    let parts = ZonedTime.Parts(text, in: timeZone)
    return parts.expectedZone == nil && parts.zone != nil
      && Quantity(controlText(for: text).text, form: kind == .date ? .date : .dateTime) != nil
  }

  /// Of the two times that clocks show alike when they are turned back, a control means the earlier one.
  private func faultOfLaterTime(_ text: String) -> FaultReason? {
    guard let timeZone, timeZone != .person, kind == .dateTime, let moment = try? ZonedTime(text, in: timeZone),
      let shown = try? ZonedTime(moment.controlText, in: timeZone), shown.milliseconds != moment.milliseconds
    else { return nil }
    return .laterTime(text)
  }
}

extension Inputs {
  /// Reads what the fields of a prompt are to hold at first, and reports what their controls cannot hold as it is.
  package init(initial node: Node, of fields: [Field], _ reading: inout Reading) {
    self.init(node, of: fields, &reading)
    for field in fields {
      guard let value = node[path: field.path], !value.isNull, let input = self[field.name],
        let fault = field.faultOfInitial(input)
      else { continue }
      reading.report(fault, at: value.place)
    }
  }
}
