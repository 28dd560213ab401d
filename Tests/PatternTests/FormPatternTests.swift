import Testing

@testable import Prompts

@Suite struct `The patterns of ordinary forms` {
  struct Form: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    let valid: String
    let invalid: String
    /// The longest text that a browser may judge, or a length short of it.
    let localUpTo: Int
    var testDescription: String { name }

    init(_ name: String, _ source: String, valid: String, invalid: String, localUpTo: Int = 16_384) {
      (self.name, self.source, self.valid, self.invalid, self.localUpTo) = (name, source, valid, invalid, localUpTo)
    }
  }

  static let forms = [
    Form("e-mail, loosely", #".+@.+\..+"#, valid: "a@b.c", invalid: "a@b", localUpTo: 254),
    Form(
      "e-mail without spaces", #"^[^@\s]+@[^@\s]+\.[^@\s]+$"#, valid: "a@b.co.uk", invalid: "a b@c.d",
      localUpTo: 2_000),
    Form("e-mail of word characters", #"^[\w.+\-]+@[\w\-]+\.[\w.\-]+$"#, valid: "a+b@c.de", invalid: "a@b"),
    Form(
      "e-mail of the HTML standard",
      #"^[a-zA-Z0-9.!#$%&'*+\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"#,
      valid: "a@b", invalid: "a@-b"),
    Form(
      "e-mail with nested repetitions", #"^\w+([.-]?\w+)*@\w+([.-]?\w+)*(\.\w{2,3})+$"#, valid: "a.b@c.de",
      invalid: "a.@b.de", localUpTo: 12),
    Form("user name", #"^[a-z_][a-z0-9_-]{2,31}$"#, valid: "root_1", invalid: "1root"),
    Form("handle", #"^@?[A-Za-z_]\w{0,14}$"#, valid: "@swift", invalid: "@"),
    Form("slug", "^[a-z0-9]+(?:-[a-z0-9]+)*$", valid: "a-b-1", invalid: "a--b"),
    Form("SKU", #"^[A-Z]{3}-\d{4}(?:-[A-Z0-9]{1,4})?$"#, valid: "ABC-1234-X", invalid: "ABC1234"),
    Form("number of E.164", #"^\+?[1-9]\d{1,14}$"#, valid: "+4930123456", invalid: "+0123"),
    Form(
      "phone number with separators", #"^\+?\d{1,4}?[-.\s]?\(?\d{1,3}?\)?[-.\s]?\d{1,4}[-.\s]?\d{1,4}[-.\s]?\d{1,9}$"#,
      valid: "+1 (555) 123-4567", invalid: "phone"),
    Form("phone number in groups", #"^(\d{1,4}[-.\s]?){2,5}$"#, valid: "030 1234 567", invalid: "030--1"),
    Form(
      "IBAN", "^[A-Z]{2}[0-9]{2}(?:[ ]?[0-9A-Z]{4}){2,7}(?:[ ]?[0-9A-Z]{1,3})?$", valid: "DE89 3704 0044 0532 0130 00",
      invalid: "DE8"),
    Form(
      "credit card", "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|3[47][0-9]{13})$", valid: "4111111111111111",
      invalid: "1234"),
    Form(
      "semantic version",
      #"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$"#,
      valid: "1.0.0-alpha.1+b", invalid: "01.0.0"),
    Form(
      "IPv4", #"^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$"#,
      valid: "192.168.0.1", invalid: "256.1.1.1"),
    Form(
      "IPv4 with a boundary", #"^((25[0-5]|(2[0-4]|1\d|[1-9]|)\d)\.?\b){4}$"#, valid: "10.0.0.1", invalid: "10.0.0.1."),
    Form(
      "IPv6",
      "^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|:((:[0-9a-fA-F]{1,4}){1,7}|:))$",
      valid: "fe80::1", invalid: "1:2"),
    Form(
      "UUID", "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
      valid: "123e4567-e89b-12d3-a456-426614174000", invalid: "123e4567"),
    Form(
      "domain", "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$",
      valid: "swift.example.org", invalid: "-a.org"),
    Form(
      "web address",
      #"^https?:\/\/(www\.)?[-a-zA-Z0-9@:%._\+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b([-a-zA-Z0-9()@:%_\+.~#?&\/\/=]*)$"#,
      valid: "https://example.org/a?b=c", invalid: "ftp://example.org", localUpTo: 800),
    Form(
      "web address with nested repetitions", #"^(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})([\/\w .-]*)*\/?$"#,
      valid: "example.org/a", invalid: "a", localUpTo: 10),
    Form("date", #"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"#, valid: "2024-02-29", invalid: "2024-13-01"),
    Form("time", #"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$"#, valid: "23:59", invalid: "24:00"),
    Form("colour", "^#?([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$", valid: "#fff", invalid: "#ffff"),
    Form("decimal", #"^-?\d*\.?\d+$"#, valid: "-.5", invalid: "5.", localUpTo: 2_000),
    Form("amount", #"^\$?\d{1,3}(?:,\d{3})*(?:\.\d{2})?$"#, valid: "$1,234.50", invalid: "1,23"),
    Form("US ZIP code", #"^\d{5}(-\d{4})?$"#, valid: "12345-6789", invalid: "1234"),
    Form("UK postcode", #"^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$"#, valid: "SW1A 1AA", invalid: "SW1A"),
    Form("no angle brackets", "^[^<>]*$", valid: "a & b", invalid: "<b>"),
    Form("trimmed", #"^\S(?:.*\S)?$"#, valid: "a b", invalid: " a"),
    Form("spaces around", #"^\s*(.+?)\s*$"#, valid: " a ", invalid: "", localUpTo: 250),
    Form(
      "full name", #"^[\p{L}\p{M}' .-]{1,100}$"#, valid: "Zoë O’Neill".replacing("’", with: "'"), invalid: "R2D2",
      localUpTo: 0),
    Form("anything of some length", "^.{0,1000}$", valid: "a", invalid: "\n"),
    Form("two kinds of characters", ".*[A-Z].*[0-9].*", valid: "xA1", invalid: "x1A", localUpTo: 200),
    Form(
      "country code", "^(?:AT|AU|BE|BR|CA|CH|CN|DE|DK|ES|FI|FR|GB|GR|IE|IN|IS|IT|JP|MX|NL|NO|NZ|PL|PT|SE|US|ZA)$",
      valid: "DE", invalid: "XX"),
  ]

  @Test(arguments: forms)
  func `are accepted as people write them and stay where they are safe`(form: Form) throws {
    let pattern = try Pattern(form.source)
    #expect(pattern.matches(form.valid))
    #expect(!pattern.matches(form.invalid))
    if form.localUpTo > 0 { #expect(pattern.decidedBy(upTo: form.localUpTo) == .everywhere) }
    if form.localUpTo < 16_384 { #expect(pattern.decidedBy(upTo: 16_384) == .server) }
  }

  @Test func `stay in the browser for the most part`() {
    #expect(Self.forms.filter { $0.localUpTo < 16_384 }.count * 4 <= Self.forms.count)
  }

  @Test func `that look around are written as two rules`() throws {
    #expect(throws: PatternFault.self) { try Pattern(#"^(?=.*\d)(?=.*[A-Z]).{8,}$"#) }
    let rules = [try Pattern(#".*\d.*"#), try Pattern(".*[A-Z].*"), try Pattern(".{8,}")]
    #expect(rules.allSatisfy { $0.matches("Password1") })
    #expect(!rules.allSatisfy { $0.matches("password1") })
  }
}
