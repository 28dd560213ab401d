import Prompts
import Testing

@testable import OKCancel

@Suite("security.txt")
struct SecurityTextTests {
  @Test(arguments: ["mailto:security@example.com", "https://example.com/report", "tel:+1-201-555-0123"])
  func `names the contact and a moment within a year`(uri: String) async throws {
    let live = try LiveServer(Sample.all) { $0.securityContact = SecurityContact(uri) }
    let answer = try await live.get("/.well-known/security.txt")
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
    let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3 && lines[0] == "Contact: \(uri)" && lines[2] == "")
    let now = WallClock.system.now
    let end = try #require(Timestamp(rfc3339: String(lines[1].dropFirst("Expires: ".count))))
    #expect(end > now && end - now < .seconds(365 * 86_400))
  }

  @Test func `is not there without a contact`() async throws {
    #expect(try await LiveServer(Sample.all).get("/.well-known/security.txt").status == 404)
  }

  @Test(arguments: [
    "", "mailto:", "https://", "security@example.com", "http://example.com", "javascript:alert(1)",
    "mailto:a b@c.example",
    "mailto:a@b.example\nContact: mailto:e@vil.example", "mailto:ä@example.com", "https://example.com/\u{202E}",
    "mailto:" + String(repeating: "a", count: 500),
  ])
  func `takes no contact that is not an address of a person's`(text: String) {
    #expect(SecurityContact(text) == nil)
  }
}
