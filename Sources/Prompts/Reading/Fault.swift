/// Something wrong in a definition: what, where, and what to do about it.
package struct Fault: Error, Sendable {
  package let place: Node.Place
  /// What is wrong.
  package let what: String
  /// What to do.
  package let remedy: String

  package init(_ what: String, _ remedy: String, at place: Node.Place) {
    self.what = what
    self.remedy = remedy
    self.place = place
  }

  /// The same in few words: no more than somebody reads.
  var shortened: Fault {
    func short(_ text: String) -> String {
      text.unicodeScalars.count <= 300 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(300))) + "…"
    }
    return Fault(short(what), short(remedy), at: place)
  }

  /// `what is wrong; what to do`
  package var sentence: String { "\(what); \(remedy)" }
}
