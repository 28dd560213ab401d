extension Field {
  /// Why the field cannot show an input at first just as it is, or `nil` if it can. The input need not meet the rules.
  func faultOfInitial(_ input: Input) -> FaultRow? {
    switch (input, input.normalized(for: self)) {
    case (.illFormed, _): FaultRow("not-a-text", ["key": "value", "found": Node.Content.illFormed.inWords])
    case (.choices(let texts), _) where kind == .list: texts.lazy.compactMap(faultOfItem).first
    case (.choices(let texts), _):
      texts.indices.lazy.compactMap { index in
        texts[..<index].contains { isSame($0, texts[index]) }
          ? FaultRow("chosen-twice", ["value": texts[index]]) : faultOfOption(texts[index])
      }.first
    case (.text(let given), .text(let text)):
      switch kind {
      case .boolean:
        isSame(given, "true") || isSame(given, "false")
          ? nil : FaultRow("not-a-boolean", ["key": "value", "found": "`\(given)`"])
      case .slider: faultOnScale(text)
      case _ where given.isEmpty: nil
      case .password: FaultRow("held-password")
      case .choice, .choices: faultOfOption(given)
      case .list: given.split(separator: "\n").lazy.map(String.init).compactMap(faultOfItem).first
      case .number, .integer: ExactNumber(text) == nil ? kind.cannotHold(given) : nil
      case .date, .time, .dateTime: isDate(text) ? faultOfLaterTime(text) : kind.cannotHold(given)
      default: faultOfText(given)
      }
    case (.text, _): nil
    }
  }

  /// The same in words.
  package func problem(holding input: Input) -> String? { faultOfInitial(input)?.with(key: name).sentence }

  private func faultOfOption(_ value: String) -> FaultRow? {
    options.contains { isSame($0.value, value) }
      ? nil
      : FaultRow(
        "no-such-option", ["value": value, "nearest": Nearest(to: value, among: options.prefix(20).map(\.value))])
  }

  /// A line of the control holds the item as it is, unless it is blank.
  private func faultOfItem(_ text: String) -> FaultRow? {
    if !NotBlank().isMet(by: text) { return FaultRow("blank", ["key": "value"]) }
    if readsNumbers, ExactNumber(Numeral.plain(text)) == nil { return item.kind.cannotHold(text) }
    return faultOfText(text, isMultiline: false)
  }

  private func faultOfText(_ text: String, isMultiline: Bool? = nil) -> FaultRow? {
    let scalars = Input.lineFeeds(text).unicodeScalars
    if let control = scalars.first(where: { $0.value < 0x20 && $0 != "\t" && $0 != "\n" }) {
      return FaultRow("control-character", ["key": "value", "code": control.code])
    }
    return scalars.contains("\n") && !(isMultiline ?? kind.isMultiline)
      ? FaultRow("several-lines", ["key": "value"]) : nil
  }

  /// A browser puts a slider on the nearest step within its ends; without a `step`, steps are 1, counted from its start.
  private func faultOnScale(_ text: String) -> FaultRow? {
    let scale = scale
    // A slider without a scale has a fault of its own.
    guard let min = scale.min.flatMap({ ExactNumber($0) }), let max = scale.max.flatMap({ ExactNumber($0) }) else {
      return nil
    }
    if text.isEmpty { return FaultRow("empty-slider", ["min": min.text, "max": max.text]) }
    guard let number = ExactNumber(text), number.jsonLiteral != nil else { return kind.cannotHold(text) }
    let start = (scale.step == nil ? min : scale.from.flatMap { ExactNumber($0) }) ?? .zero
    let step = scale.step.flatMap { ExactNumber($0) } ?? ExactNumber(1)
    let isOn = !(number < min) && !(max < number) && number.isWholeNumber(of: step, from: start)
    return isOn
      ? nil
      : FaultRow(
        "off-scale", ["text": text, "min": min.text, "max": max.text, "step": "\(step.text) from \(start.text)"])
  }

  /// True if a text is a date or time as its control shows it, whatever the rules say of it.
  private func isDate(_ text: String) -> Bool {
    guard let timeZone else { return quantity(text) != nil }
    let parts = ZonedTime.Parts(text, in: timeZone)
    return parts.expectedZone == nil && parts.zone != nil
      && Quantity(controlText(for: text).text, form: kind == .date ? .date : .dateTime) != nil
  }

  /// Of the two times that clocks show alike when they are turned back, a control means the earlier one.
  private func faultOfLaterTime(_ text: String) -> FaultRow? {
    guard let timeZone, timeZone != .person, kind == .dateTime, let moment = try? ZonedTime(text, in: timeZone),
      let shown = try? ZonedTime(moment.controlText, in: timeZone), shown.milliseconds != moment.milliseconds
    else { return nil }
    return FaultRow("later-time", ["text": text])
  }
}

extension Inputs {
  /// Reads what the fields of a prompt are to hold at first, and reports what their controls cannot hold as it is.
  package init(initial node: Node, of fields: [Field], _ reading: inout Reading) {
    self.init(node, of: fields, isInitial: true, &reading)
    for field in fields {
      guard let value = node[path: field.path], !value.isNull, let input = self[field.name],
        let fault = field.faultOfInitial(input)
      else { continue }
      // A definition has it under `value`.
      reading.report(fault.with(key: field.path.last ?? field.name), at: value.place)
    }
  }
}

extension Field.Kind {
  fileprivate func cannotHold(_ text: String) -> FaultRow {
    let example = Sentence.examples[self == .slider ? "number" : rawValue] ?? ""
    return FaultRow("not-of-kind", ["kind": withArticle, "text": text, "example": example])
  }
}
