/// The property in the braces of `\p{…}`: a general category or a script, by the names that ECMAScript and RE2 both know.
///
/// ECMA-262, table "Value aliases and canonical values for the Unicode property General_Category", and UAX #24.
struct UnicodeProperty: Hashable, Sendable {
  private enum Members: Hashable {
    case all
    case ascii
    /// Categories by their short names. One letter stands for all that begin with it.
    case categories([String])
    /// A script by its four letters.
    case script(String)
  }

  private let members: Members

  /// Whether it is every code point except those.
  private let isComplement: Bool

  /// Reads ECMAScript's spelling, like `L`, `Letter`, `gc=L`, `Script=Greek`, `sc=Grek`. `nil` for an unknown name.
  init?(_ spelling: String) {
    let parts = spelling.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts[0]) {
    case (1, "Any"): self.init(.all)
    case (1, "ASCII"): self.init(.ascii)
    case (1, "Assigned"): self.init(.categories(["Cn"]), isComplement: true)
    case (1, let name): self.init(category: name)
    case (2, "General_Category"), (2, "gc"): self.init(category: parts[1])
    case (2, "Script"), (2, "sc"):
      guard let code = UnicodeScripts.code(of: parts[1]) else { return nil }
      self.init(.script(code))
    default: return nil
    }
  }

  private init?(category: String) {
    let short = Self.shortNames[category] ?? category
    guard Self.categories.contains(short) else { return nil }
    self.init(.categories(short == "LC" ? ["Lu", "Ll", "Lt"] : [short]))
  }

  private init(_ members: Members, isComplement: Bool = false) {
    self.members = members
    self.isComplement = isComplement
  }

  /// At most what `codePoints` costs; see `WorkBudget`.
  var work: Int { 200_000 }

  /// The members, in the Unicode version of RE2.
  var codePoints: CodePointSet {
    let set =
      switch members {
      case .all: CodePointSet.all
      case .ascii: CodePointSet([0...0x7F])
      case .categories(let names):
        UnicodeTable.codePoints(of: UnicodeTable.categories, nameLength: 2) { name in
          names.contains { $0.utf8.elementsEqual(name.prefix($0.utf8.count)) }
        }
      case .script(let code):
        UnicodeTable.codePoints(of: UnicodeTable.scripts, nameLength: 4) { code.utf8.elementsEqual($0) }
      }
    return isComplement ? set.complement : set
  }

  private static let categories: Set<String> = [
    "L", "LC", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
    "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cn", "Co", "Cs",
  ]

  /// The short names of categories by their long ones.
  private static let shortNames = Dictionary(
    uniqueKeysWithValues: pairs(
      """
      Letter L Cased_Letter LC Uppercase_Letter Lu Lowercase_Letter Ll Titlecase_Letter Lt Modifier_Letter Lm
      Other_Letter Lo Mark M Combining_Mark M Nonspacing_Mark Mn Spacing_Mark Mc Enclosing_Mark Me Number N
      Decimal_Number Nd digit Nd Letter_Number Nl Other_Number No Punctuation P punct P Connector_Punctuation Pc
      Dash_Punctuation Pd Open_Punctuation Ps Close_Punctuation Pe Initial_Punctuation Pi Final_Punctuation Pf
      Other_Punctuation Po Symbol S Math_Symbol Sm Currency_Symbol Sc Modifier_Symbol Sk Other_Symbol So Separator Z
      Space_Separator Zs Line_Separator Zl Paragraph_Separator Zp Other C Control Cc cntrl Cc Format Cf Surrogate Cs
      Private_Use Co Unassigned Cn
      """))
}

extension UnicodeTable {
  /// The code points in the runs whose name is wanted.
  ///
  /// A table is one run after the other, from U+0000 on: a name, and the number of code points unless that is 1.
  fileprivate static func codePoints(
    of table: StaticString, nameLength: Int, where isWanted: (UnsafeBufferPointer<UInt8>.SubSequence) -> Bool
  ) -> CodePointSet {
    table.withUTF8Buffer { bytes in
      var ranges: [CodePointSet.Range] = []
      var (index, first) = (0, UInt32(0))
      while index < bytes.count {
        let name = bytes[index..<index + nameLength]
        index += nameLength
        var length: UInt32 = 0
        while index < bytes.count, ASCII.isDigit(bytes[index]) {
          length = length * 10 + UInt32(bytes[index] - UInt8(ascii: "0"))
          index += 1
        }
        length = max(1, length)
        if isWanted(name) { ranges.append(first...first + length - 1) }
        first += length
      }
      return CodePointSet(ranges)
    }
  }
}

/// The scripts of Unicode 14, which RE2 knows.
enum UnicodeScripts {
  /// Each four-letter code (ISO 15924) with its long name. Qaac and Qaai are former codes.
  private static let names = pairs(
    """
    Adlm Adlam Aghb Caucasian_Albanian Ahom Ahom Arab Arabic Armi Imperial_Aramaic Armn Armenian Avst Avestan
    Bali Balinese Bamu Bamum Bass Bassa_Vah Batk Batak Beng Bengali Bhks Bhaiksuki Bopo Bopomofo Brah Brahmi
    Brai Braille Bugi Buginese Buhd Buhid Cakm Chakma Cans Canadian_Aboriginal Cari Carian Cham Cham Cher Cherokee
    Chrs Chorasmian Copt Coptic Qaac Coptic Cpmn Cypro_Minoan Cprt Cypriot Cyrl Cyrillic Deva Devanagari
    Diak Dives_Akuru Dogr Dogra Dsrt Deseret Dupl Duployan Egyp Egyptian_Hieroglyphs Elba Elbasan Elym Elymaic
    Ethi Ethiopic Geor Georgian Glag Glagolitic Gong Gunjala_Gondi Gonm Masaram_Gondi Goth Gothic Gran Grantha
    Grek Greek Gujr Gujarati Guru Gurmukhi Hang Hangul Hani Han Hano Hanunoo Hatr Hatran Hebr Hebrew Hira Hiragana
    Hluw Anatolian_Hieroglyphs Hmng Pahawh_Hmong Hmnp Nyiakeng_Puachue_Hmong Hung Old_Hungarian Ital Old_Italic
    Java Javanese Kali Kayah_Li Kana Katakana Khar Kharoshthi Khmr Khmer Khoj Khojki Kits Khitan_Small_Script
    Knda Kannada Kthi Kaithi Lana Tai_Tham Laoo Lao Latn Latin Lepc Lepcha Limb Limbu Lina Linear_A Linb Linear_B
    Lisu Lisu Lyci Lycian Lydi Lydian Mahj Mahajani Maka Makasar Mand Mandaic Mani Manichaean Marc Marchen
    Medf Medefaidrin Mend Mende_Kikakui Merc Meroitic_Cursive Mero Meroitic_Hieroglyphs Mlym Malayalam Modi Modi
    Mong Mongolian Mroo Mro Mtei Meetei_Mayek Mult Multani Mymr Myanmar Nand Nandinagari Narb Old_North_Arabian
    Nbat Nabataean Newa Newa Nkoo Nko Nshu Nushu Ogam Ogham Olck Ol_Chiki Orkh Old_Turkic Orya Oriya Osge Osage
    Osma Osmanya Ougr Old_Uyghur Palm Palmyrene Pauc Pau_Cin_Hau Perm Old_Permic Phag Phags_Pa
    Phli Inscriptional_Pahlavi Phlp Psalter_Pahlavi Phnx Phoenician Plrd Miao Prti Inscriptional_Parthian
    Rjng Rejang Rohg Hanifi_Rohingya Runr Runic Samr Samaritan Sarb Old_South_Arabian Saur Saurashtra
    Sgnw SignWriting Shaw Shavian Shrd Sharada Sidd Siddham Sind Khudawadi Sinh Sinhala Sogd Sogdian
    Sogo Old_Sogdian Sora Sora_Sompeng Soyo Soyombo Sund Sundanese Sylo Syloti_Nagri Syrc Syriac Tagb Tagbanwa
    Takr Takri Tale Tai_Le Talu New_Tai_Lue Taml Tamil Tang Tangut Tavt Tai_Viet Telu Telugu Tfng Tifinagh
    Tglg Tagalog Thaa Thaana Thai Thai Tibt Tibetan Tirh Tirhuta Tnsa Tangsa Toto Toto Ugar Ugaritic Vaii Vai
    Vith Vithkuqi Wara Warang_Citi Wcho Wancho Xpeo Old_Persian Xsux Cuneiform Yezi Yezidi Yiii Yi
    Zanb Zanabazar_Square Zinh Inherited Qaai Inherited Zyyy Common
    """)

  private static let longNames = Dictionary(uniqueKeysWithValues: names)

  /// The code of each long name.
  static let codes = Dictionary(names.map { ($1, $0) }, uniquingKeysWith: { code, _ in code })

  /// The code of a script by its code or long name, or `nil` if there is no such script.
  static func code(of name: String) -> String? { codes[longNames[name] ?? name] }
}

/// The words of a text, two by two.
private func pairs(_ text: String) -> [(String, String)] {
  let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
  return stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) }
}
