internal import Glibc

/// `url`: an absolute http or https URL (WHATWG URL, “valid URL string”), without user info.
///
/// Path, query and fragment may also hold `[ ] | { } ^`, which every browser reads and people paste.
struct URLRule: TextCondition {
  static let name = "url"

  /// Matches the whole URL, with any host. Its last parts hold URL code points (WHATWG URL, 1.3) and those that people
  /// paste, and `%` only before two hex digits.
  private static let form: Pattern = {
    let port = "[0-5]?[0-9]{1,4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
    let rest = #"(?:[^\x00-\x20#%"<>\\`\x7F-\x9F\uFDD0-\uFDEF]|%[0-9A-Fa-f]{2})*"#
    return try! Pattern(
      #"[Hh][Tt][Tt][Pp][Ss]?://(?:\[[^\]/?#]*\]|[^/?#:\[]+)(?::(?:\#(port)))?(?:[/?]\#(rest))?(?:#\#(rest))?"#)
  }()

  /// A label that parsers would read as the end of an IPv4 address.
  private static let number = try! Pattern("[0-9]+|0[Xx][0-9A-Fa-f]*")

  /// `http://a`
  var limits: Limits { Limits(lengths: (8, .max)) }

  func isMet(by text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    guard Self.form.matches(text), !scalars.contains(where: { $0.value & 0xFFFE == 0xFFFE }) else { return false }
    let authority = scalars.drop { $0 != "/" }.dropFirst(2).prefix { !["/", "?", "#"].contains($0) }
    if authority.first == "[" { return HostLabel.isAddress(authority.dropFirst().prefix { $0 != "]" }, AF_INET6) }
    // The last dot may be that of the root.
    let host = authority.prefix { $0 != ":" }, name = host.last.map(HostLabel.isDot) == true ? host.dropLast() : host
    let labels = name.split(omittingEmptySubsequences: false, whereSeparator: HostLabel.isDot)
    guard name.count <= 253, let last = labels.last, labels.allSatisfy(HostLabel.isAny) else { return false }
    return !Self.number.matches(last.string) || HostLabel.isAddress(host, AF_INET)
  }

  func work(on size: InputSize) -> Int { 2_000 + 20 * size.bytes }
  func schema(of texts: RawTextContext) -> JSON? { texts.areAnswers ? .keyword("format", .string("uri")) : nil }
}
