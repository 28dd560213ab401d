/// The property in the braces of `\p{…}`: a general category or a script, by the names that ECMAScript and RE2 both know.
///
/// ECMA-262, table "Value aliases and canonical values for the Unicode property General_Category", and UAX #24.
struct UnicodeProperty: Sendable {
  private let members: @Sendable () -> CodePointSet

  /// Reads ECMAScript's spelling, like `L`, `Letter`, `gc=L`, `Script=Greek`, `sc=Grek`. `nil` for an unknown name.
  init?(_ spelling: String) {
    let parts = spelling.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts[0]) {
    case (1, "Any"): members = { .all }
    case (1, "ASCII"): members = { CodePointSet([0...0x7F]) }
    case (1, "Assigned"): members = { Self.categories(["Cn"]).complement }
    case (1, _), (2, "General_Category"), (2, "gc"):
      guard let short = UnicodeData.names["gc"]?[parts[parts.count - 1]] else { return nil }
      members = { Self.categories(short == "LC" ? ["Lu", "Ll", "Lt"] : [short]) }
    case (2, "Script"), (2, "sc"):
      guard let code = UnicodeData.names["sc"]?[parts[1]] else { return nil }
      members = { UnicodeData.codePoints(in: "scripts.txt") { code.utf8.elementsEqual($0) } }
    default: return nil
    }
  }

  /// - Parameter names: short ones. One letter stands for all that begin with it.
  private static func categories(_ names: [String]) -> CodePointSet {
    UnicodeData.codePoints(in: "categories.txt") { name in names.contains { name.starts(with: $0.utf8) } }
  }

  /// At most what `codePoints` costs; see `WorkBudget`.
  static let work = 200_000

  /// The members, in the Unicode version of RE2.
  var codePoints: CodePointSet { members() }
}
