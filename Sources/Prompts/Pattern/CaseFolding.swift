/// Simple case folding, as ECMA-262 uses it under the flags `iu` (Canonicalize, 22.2.2.7.3).
///
/// The sets are expanded here and not by RE2, whose tables have another Unicode version.
enum CaseFolding {
  /// The set and every code point that folds together with one in it.
  static func closure(of set: CodePointSet) -> CodePointSet {
    var added: [CodePointSet.Range] = []
    forEachMember(of: set) { orbit in
      for member in orbit where !set.contains(member) { added.append(member...member) }
    }
    return added.isEmpty ? set : set.union(CodePointSet(added))
  }

  /// The closure of `\w`.
  static let wordCharacters = closure(of: .wordCharacters)

  /// At most what `closure` and `isUnsettled` cost together; see `WorkBudget`.
  static func work(of set: CodePointSet) -> Int {
    30 * set.ranges.reduce(10 * set.ranges.count) { $0 + min($1.count, cased.count) }
  }

  /// Whether browsers of different Unicode versions may expand the set differently.
  static func isUnsettled(_ set: CodePointSet) -> Bool {
    var isUnsettled = false
    forEachMember(of: set) { orbit in
      if unsettled.contains(orbit[0]), !orbit.allSatisfy(set.contains) { isUnsettled = true }
    }
    return isUnsettled
  }

  /// Calls `body` with the orbit of each cased code point in the set: all code points that fold to the same one, sorted.
  private static func forEachMember(of set: CodePointSet, _ body: ([UInt32]) -> Void) {
    for range in set.ranges {
      var index = cased.partitioningIndex { $0.codePoint >= range.lowerBound }
      while index < cased.count, cased[index].codePoint <= range.upperBound {
        body(orbits[cased[index].orbit])
        index += 1
      }
    }
  }

  private static let unsettled = CodePointSet(CaseFoldingTable.unsettled.map { $0.first...$0.last })

  /// Every set of two or more code points that fold together, each sorted.
  static let orbits: [[UInt32]] = {
    var members: [UInt32: [UInt32]] = [:]
    for run in CaseFoldingTable.runs {
      for codePoint in stride(from: run.first, through: run.last, by: Int(run.step)) {
        let smallest = UInt32(Int32(codePoint) + run.distance)
        members[smallest, default: [smallest]].append(codePoint)
      }
    }
    return members.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }()

  /// Every code point of `orbits` in order, with the index of its orbit.
  private static let cased: [(codePoint: UInt32, orbit: Int)] =
    orbits.enumerated()
    .flatMap { index, orbit in orbit.map { (codePoint: $0, orbit: index) } }
    .sorted { $0.codePoint < $1.codePoint }
}

/// The data of `CaseFolding`: the lines of `CaseFolding.txt` (Unicode 17.0) with the statuses C and S.
///
/// With the `iu` flags, V8 and SpiderMonkey agree with them; a test asks Node. When a new Unicode version adds cased
/// letters, add them to both lists.
private enum CaseFoldingTable {
  /// Each code point from first to last, by step, folds together with the one at that distance.
  static let runs: [(first: UInt32, last: UInt32, step: UInt32, distance: Int32)] = [
    (0x0061, 0x007A, 1, -32), (0x00E0, 0x00F6, 1, -32), (0x00F8, 0x00FE, 1, -32), (0x0101, 0x012F, 2, -1),
    (0x0133, 0x0137, 2, -1), (0x013A, 0x0148, 2, -1), (0x014B, 0x0177, 2, -1), (0x0178, 0x0178, 1, -121),
    (0x017A, 0x017E, 2, -1), (0x017F, 0x017F, 1, -300), (0x0183, 0x0185, 2, -1), (0x0188, 0x0188, 1, -1),
    (0x018C, 0x018C, 1, -1), (0x0192, 0x0192, 1, -1), (0x0199, 0x0199, 1, -1), (0x01A1, 0x01A5, 2, -1),
    (0x01A8, 0x01A8, 1, -1), (0x01AD, 0x01AD, 1, -1), (0x01B0, 0x01B0, 1, -1), (0x01B4, 0x01B6, 2, -1),
    (0x01B9, 0x01B9, 1, -1), (0x01BD, 0x01BD, 1, -1), (0x01C5, 0x01C5, 1, -1), (0x01C6, 0x01C6, 1, -2),
    (0x01C8, 0x01C8, 1, -1), (0x01C9, 0x01C9, 1, -2), (0x01CB, 0x01CB, 1, -1), (0x01CC, 0x01CC, 1, -2),
    (0x01CE, 0x01DC, 2, -1), (0x01DD, 0x01DD, 1, -79), (0x01DF, 0x01EF, 2, -1), (0x01F2, 0x01F2, 1, -1),
    (0x01F3, 0x01F3, 1, -2), (0x01F5, 0x01F5, 1, -1), (0x01F6, 0x01F6, 1, -97), (0x01F7, 0x01F7, 1, -56),
    (0x01F9, 0x021F, 2, -1), (0x0220, 0x0220, 1, -130), (0x0223, 0x0233, 2, -1), (0x023C, 0x023C, 1, -1),
    (0x023D, 0x023D, 1, -163), (0x0242, 0x0242, 1, -1), (0x0243, 0x0243, 1, -195), (0x0247, 0x024F, 2, -1),
    (0x0253, 0x0253, 1, -210), (0x0254, 0x0254, 1, -206), (0x0256, 0x0257, 1, -205), (0x0259, 0x0259, 1, -202),
    (0x025B, 0x025B, 1, -203), (0x0260, 0x0260, 1, -205), (0x0263, 0x0263, 1, -207), (0x0268, 0x0268, 1, -209),
    (0x0269, 0x0269, 1, -211), (0x026F, 0x026F, 1, -211), (0x0272, 0x0272, 1, -213), (0x0275, 0x0275, 1, -214),
    (0x0280, 0x0280, 1, -218), (0x0283, 0x0283, 1, -218), (0x0288, 0x0288, 1, -218), (0x0289, 0x0289, 1, -69),
    (0x028A, 0x028B, 1, -217), (0x028C, 0x028C, 1, -71), (0x0292, 0x0292, 1, -219), (0x0371, 0x0373, 2, -1),
    (0x0377, 0x0377, 1, -1), (0x0399, 0x0399, 1, -84), (0x039C, 0x039C, 1, -743), (0x03AC, 0x03AC, 1, -38),
    (0x03AD, 0x03AF, 1, -37), (0x03B1, 0x03B8, 1, -32), (0x03B9, 0x03B9, 1, -116), (0x03BA, 0x03BB, 1, -32),
    (0x03BC, 0x03BC, 1, -775), (0x03BD, 0x03CB, 2, -32), (0x03BE, 0x03C0, 2, -32), (0x03C2, 0x03C2, 1, -31),
    (0x03C4, 0x03CA, 2, -32), (0x03CC, 0x03CC, 1, -64), (0x03CD, 0x03CE, 1, -63), (0x03D0, 0x03D0, 1, -62),
    (0x03D1, 0x03D1, 1, -57), (0x03D5, 0x03D5, 1, -47), (0x03D6, 0x03D6, 1, -54), (0x03D7, 0x03D7, 1, -8),
    (0x03D9, 0x03EF, 2, -1), (0x03F0, 0x03F0, 1, -86), (0x03F1, 0x03F1, 1, -80), (0x03F3, 0x03F3, 1, -116),
    (0x03F4, 0x03F4, 1, -92), (0x03F5, 0x03F5, 1, -96), (0x03F8, 0x03F8, 1, -1), (0x03F9, 0x03F9, 1, -7),
    (0x03FB, 0x03FB, 1, -1), (0x03FD, 0x03FF, 1, -130), (0x0430, 0x044F, 1, -32), (0x0450, 0x045F, 1, -80),
    (0x0461, 0x0481, 2, -1), (0x048B, 0x04BF, 2, -1), (0x04C2, 0x04CE, 2, -1), (0x04CF, 0x04CF, 1, -15),
    (0x04D1, 0x052F, 2, -1), (0x0561, 0x0586, 1, -48), (0x13F8, 0x13FD, 1, -8), (0x1C80, 0x1C80, 1, -6254),
    (0x1C81, 0x1C81, 1, -6253), (0x1C82, 0x1C82, 1, -6244), (0x1C83, 0x1C84, 1, -6242), (0x1C85, 0x1C85, 1, -6243),
    (0x1C86, 0x1C86, 1, -6236), (0x1C87, 0x1C87, 1, -6181), (0x1C8A, 0x1C8A, 1, -1), (0x1C90, 0x1CBA, 1, -3008),
    (0x1CBD, 0x1CBF, 1, -3008), (0x1E01, 0x1E95, 2, -1), (0x1E9B, 0x1E9B, 1, -59), (0x1E9E, 0x1E9E, 1, -7615),
    (0x1EA1, 0x1EFF, 2, -1), (0x1F08, 0x1F0F, 1, -8), (0x1F18, 0x1F1D, 1, -8), (0x1F28, 0x1F2F, 1, -8),
    (0x1F38, 0x1F3F, 1, -8), (0x1F48, 0x1F4D, 1, -8), (0x1F59, 0x1F5F, 2, -8), (0x1F68, 0x1F6F, 1, -8),
    (0x1F88, 0x1F8F, 1, -8), (0x1F98, 0x1F9F, 1, -8), (0x1FA8, 0x1FAF, 1, -8), (0x1FB8, 0x1FB9, 1, -8),
    (0x1FBA, 0x1FBB, 1, -74), (0x1FBC, 0x1FBC, 1, -9), (0x1FBE, 0x1FBE, 1, -7289), (0x1FC8, 0x1FCB, 1, -86),
    (0x1FCC, 0x1FCC, 1, -9), (0x1FD3, 0x1FD3, 1, -7235), (0x1FD8, 0x1FD9, 1, -8), (0x1FDA, 0x1FDB, 1, -100),
    (0x1FE3, 0x1FE3, 1, -7219), (0x1FE8, 0x1FE9, 1, -8), (0x1FEA, 0x1FEB, 1, -112), (0x1FEC, 0x1FEC, 1, -7),
    (0x1FF8, 0x1FF9, 1, -128), (0x1FFA, 0x1FFB, 1, -126), (0x1FFC, 0x1FFC, 1, -9), (0x2126, 0x2126, 1, -7549),
    (0x212A, 0x212A, 1, -8415), (0x212B, 0x212B, 1, -8294), (0x214E, 0x214E, 1, -28), (0x2170, 0x217F, 1, -16),
    (0x2184, 0x2184, 1, -1), (0x24D0, 0x24E9, 1, -26), (0x2C30, 0x2C5F, 1, -48), (0x2C61, 0x2C61, 1, -1),
    (0x2C62, 0x2C62, 1, -10743), (0x2C63, 0x2C63, 1, -3814), (0x2C64, 0x2C64, 1, -10727),
    (0x2C65, 0x2C65, 1, -10795), (0x2C66, 0x2C66, 1, -10792), (0x2C68, 0x2C6C, 2, -1), (0x2C6D, 0x2C6D, 1, -10780),
    (0x2C6E, 0x2C6E, 1, -10749), (0x2C6F, 0x2C6F, 1, -10783), (0x2C70, 0x2C70, 1, -10782), (0x2C73, 0x2C73, 1, -1),
    (0x2C76, 0x2C76, 1, -1), (0x2C7E, 0x2C7F, 1, -10815), (0x2C81, 0x2CE3, 2, -1), (0x2CEC, 0x2CEE, 2, -1),
    (0x2CF3, 0x2CF3, 1, -1), (0x2D00, 0x2D25, 1, -7264), (0x2D27, 0x2D27, 1, -7264), (0x2D2D, 0x2D2D, 1, -7264),
    (0xA641, 0xA649, 2, -1), (0xA64A, 0xA64A, 1, -35266), (0xA64B, 0xA64B, 1, -35267), (0xA64D, 0xA66D, 2, -1),
    (0xA681, 0xA69B, 2, -1), (0xA723, 0xA72F, 2, -1), (0xA733, 0xA76F, 2, -1), (0xA77A, 0xA77C, 2, -1),
    (0xA77D, 0xA77D, 1, -35332), (0xA77F, 0xA787, 2, -1), (0xA78C, 0xA78C, 1, -1), (0xA78D, 0xA78D, 1, -42280),
    (0xA791, 0xA793, 2, -1), (0xA797, 0xA7A9, 2, -1), (0xA7AA, 0xA7AA, 1, -42308), (0xA7AB, 0xA7AB, 1, -42319),
    (0xA7AC, 0xA7AC, 1, -42315), (0xA7AD, 0xA7AD, 1, -42305), (0xA7AE, 0xA7AE, 1, -42308),
    (0xA7B0, 0xA7B0, 1, -42258), (0xA7B1, 0xA7B1, 1, -42282), (0xA7B2, 0xA7B2, 1, -42261), (0xA7B5, 0xA7C3, 2, -1),
    (0xA7C4, 0xA7C4, 1, -48), (0xA7C5, 0xA7C5, 1, -42307), (0xA7C6, 0xA7C6, 1, -35384), (0xA7C8, 0xA7CA, 2, -1),
    (0xA7CB, 0xA7CB, 1, -42343), (0xA7CD, 0xA7DB, 2, -1), (0xA7DC, 0xA7DC, 1, -42561), (0xA7F6, 0xA7F6, 1, -1),
    (0xAB53, 0xAB53, 1, -928), (0xAB70, 0xABBF, 1, -38864), (0xFB06, 0xFB06, 1, -1), (0xFF41, 0xFF5A, 1, -32),
    (0x10428, 0x1044F, 1, -40), (0x104D8, 0x104FB, 1, -40), (0x10597, 0x105BB, 2, -39), (0x10598, 0x105A0, 2, -39),
    (0x105A4, 0x105B0, 2, -39), (0x105B4, 0x105B8, 2, -39), (0x105BC, 0x105BC, 1, -39), (0x10CC0, 0x10CF2, 1, -64),
    (0x10D70, 0x10D85, 1, -32), (0x118C0, 0x118DF, 1, -32), (0x16E60, 0x16E7F, 1, -32), (0x16EBB, 0x16ED3, 1, -27),
    (0x1E922, 0x1E943, 1, -34),
  ]

  /// The code points whose folding changed after Unicode 12.1, so that browsers in use may disagree about them.
  /// U+0390, U+03B0 and U+FB05 are old letters that Unicode 15.1 joined with others (status S).
  static let unsettled: [(first: UInt32, last: UInt32)] = [
    (0x019B, 0x019B), (0x0264, 0x0264), (0x0390, 0x0390), (0x03B0, 0x03B0), (0x1C89, 0x1C8A), (0x1FD3, 0x1FD3),
    (0x1FE3, 0x1FE3), (0x2C2F, 0x2C2F), (0x2C5F, 0x2C5F), (0xA7C0, 0xA7C1), (0xA7C7, 0xA7DC), (0xA7F5, 0xA7F6),
    (0xFB05, 0xFB06), (0x10570, 0x1057A), (0x1057C, 0x1058A), (0x1058C, 0x10592), (0x10594, 0x10595),
    (0x10597, 0x105A1), (0x105A3, 0x105B1), (0x105B3, 0x105B9), (0x105BB, 0x105BC), (0x10D50, 0x10D65),
    (0x10D70, 0x10D85), (0x16EA0, 0x16EB8), (0x16EBB, 0x16ED3),
  ]
}
