internal import Foundation
internal import OKCancel
internal import Prompts

/// A remedy for a value that cannot be used.
struct Remedy: Error, CustomStringConvertible {
  let text: String
  /// What an error message says of it.
  var description: String { text }

  init(_ text: String) { self.text = text }

  static let addressBlock = Self("give an address, or a block by its first address, like 10.0.0.0/8")
  static let certificateAsWell = Self("give its certificate with --tls-cert as well")
  static let flag = Self("give true or false")
  static let hostName = Self(
    "give a name without scheme and port, like ask.example.com; one with letters outside ASCII as xn--…")
  static let headerName = Self("give the name of a header, like Remote-User")
  static let headerInUse = Self("it has a meaning of its own; give a header that only the proxy sets, like Remote-User")
  static func sameHeader(as option: String) -> Self {
    Self("\(option) names it as well; give another header, or leave this option out")
  }
  static let identity = Self("give one of \(Identity.known.joined(separator: ", "))")
  static let key = Self("give at most 255 visible ASCII characters, without spaces")
  static let keyAsWell = Self("give its key with --tls-key as well")
  static let language = Self("give a language tag, like de or pt-BR")
  static let namedProgram = Self("give NAME=PROGRAM, like not-taken=./check-taken")
  static func notRunnable(_ program: String) -> Self {
    Self("there is no program “\(program)” that this user may run; check its path and rights")
  }
  static func number(_ range: ClosedRange<Int>, of unit: String?) -> Self {
    Self("give a whole number\(unit.map { " of \($0)" } ?? "") from \(range.lowerBound) to \(range.upperBound)")
  }
  static let oneSocket = Self("pass one listening socket")
  static let origin = Self(
    "give scheme and host without a path or slash, like https://tools.example.com; a name with letters outside ASCII as xn--…"
  )
  static let timeZone = Self("give a name of the IANA database, like Europe/Berlin, or person")
  static func rate(of actions: [String]) -> Self {
    let actions = actions.joined(separator: ", ")
    let rate = "a rate of 1 to 1000000 per s, m or h, like submit=60/m"
    return Self("give one of \(actions) and \(rate), or submit=off for no limit")
  }
  static let readableFile = Self("there is no such file, or this user may not read it")
  static func noChannelURL(_ name: String, _ variable: String) -> Self {
    Self("write \(name)=URL, or set \(variable) to the URL")
  }
  static func secretOnCommandLine(_ name: String, _ variable: String) -> Self {
    Self("every user of this machine can read a command line: set \(variable) to the URL, and give --channel \(name)")
  }
  static let notEmpty = Self("give what the tokens say")
  static let separator = Self("give one character, like , or |")
  static let shellName = Self("begin with a letter or `_`, then use letters, digits and `_`")
  static let signIn = Self(
    "give an address with {url} for the page to come back to, like https://auth.example.com/?rd={url}")
  static func twice(_ name: String) -> Self { Self("“\(name)” is given twice; keep one") }
  static let url = Self("give scheme and host, like https://ask.example.com")
  static let urlForBrowsers = Self("\(url.text); a name with letters outside ASCII as xn--…")
  static func word(_ words: [String]) -> Self { Self("give one of \(words.joined(separator: ", "))") }
}
