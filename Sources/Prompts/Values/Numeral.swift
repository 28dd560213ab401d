/// A number as people write it: `1,5`, `+5`, `5.`, `１２`, `１．５`, `٣٫٥`, `١٬٢٣٤`. Its decimal digits are all of one script.
///
/// The plain form, `1.5`, is what rules judge and answers carry. A comma that could also group thousands, as in `1,234`, is
/// not read as anything.
struct Numeral {
  private let sign, whole, fraction, exponent: String
  /// True if a comma in it could be a decimal mark or group thousands.
  let isAmbiguous: Bool

  /// With the fraction behind a point.
  var plain: String { "\(sign)\(whole)\(fraction.isEmpty ? "" : "." + fraction)\(exponent)" }
  /// As if the mark grouped thousands.
  var ungrouped: String { "\(sign)\(whole)\(fraction)\(exponent)" }

  /// `nil` if the text is not a number that people write.
  init?(_ text: String) {
    var (ascii, zero) = ([UInt8](), UInt32?.none)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{2212}", "\u{FF0D}": ascii.append(UInt8(ascii: "-"))
      case "\u{FF0B}": ascii.append(UInt8(ascii: "+"))
      case "\u{FF0E}": ascii.append(UInt8(ascii: "."))
      case "\u{FF0C}": ascii.append(UInt8(ascii: ","))
      case "\u{66B}": ascii.append(UInt8(ascii: ";"))
      case "\u{66C}": ascii.append(UInt8(ascii: "_"))
      case "\u{200E}", "\u{200F}", "\u{61C}": ascii.append(UInt8(ascii: "<"))
      case "+", "-", ".", ",", "e", "E": ascii.append(UInt8(scalar.value))
      default:
        let index = Self.zeros.partitioningIndex { $0 > scalar.value } - 1
        guard index >= 0, scalar.value - Self.zeros[index] < 10, zero ?? Self.zeros[index] == Self.zeros[index] else {
          return nil
        }
        zero = Self.zeros[index]
        ascii.append(UInt8(ascii: "0") + UInt8(scalar.value - Self.zeros[index]))
      }
    }
    var rest = String(decoding: ascii, as: UTF8.self).utf8[...]
    let isMarked = rest.take("<"), isNegative = rest.take("-"), isSigned = isNegative || rest.take("+")
    if isMarked, !isSigned { return nil }
    sign = isNegative ? "-" : ""
    var groups = [rest.takeDigits()]
    while rest.take("_") { groups.append(rest.takeDigits()) }
    if groups.count > 1 {
      guard (1...3).contains(groups[0].count), groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
    }
    whole = groups.map { String(Substring($0)) }.joined()
    let hasComma = rest.take(","), hasMark = hasComma || rest.take(".") || rest.take(";")
    fraction = hasMark ? String(Substring(rest.takeDigits())) : ""
    exponent = String(Substring(rest))
    if rest.take("e") || rest.take("E") {
      _ = rest.take("-") || rest.take("+")
      if rest.takeDigits().isEmpty { return nil }
    }
    guard rest.isEmpty, !(whole + fraction).isEmpty else { return nil }
    isAmbiguous = hasComma && (1...3).contains(whole.utf8.count) && whole.first != "0" && fraction.utf8.count == 3
  }

  /// A number in its plain form; any other text as it is.
  static func plain(_ text: String) -> String {
    if text.utf8.allSatisfy(ASCII.isDigit) { return text }
    guard let numeral = Numeral(text), !numeral.isAmbiguous else { return text }
    return numeral.plain
  }

  /// Each is followed by its one to nine; in order.
  private static let zeros = Array(UnicodeData.set("zero", in: "digits.txt").ranges.joined())
}

extension Field {
  /// The numbers that were read of a text, as the language writes them; or `nil` if they stand in it like that, or there
  /// are none. Public/quantities.js says the same.
  package func readAs(_ text: String?, in sentences: Sentences) -> String? {
    guard readsNumbers, let input = text.map(Input.text) else { return nil }
    let written = input.normalized(as: kind, trim: trim, readsNumbers: false).texts
    let read = input.normalized(for: self).texts.map { text in
      ExactNumber(text) == nil ? text : text.replacing(".", with: sentences.decimalMark)
    }
    return read.elementsEqual(written, by: isSame) ? nil : sentences(.readAs(read.joined(separator: "; ")))
  }
}
