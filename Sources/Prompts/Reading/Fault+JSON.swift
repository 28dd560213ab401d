internal import StrictJSON

extension Fault {
  /// The same fault for somebody who writes JSON: with objects for maps, and its examples, which are YAML, in JSON.
  var inJSON: Fault {
    let quotesValues = remedy.hasPrefix("did you mean") || remedy.hasPrefix("use ")
    return Fault(Self.inJSON(what, examples: false), Self.inJSON(remedy, examples: !quotesValues), self)
  }

  /// - Parameter examples: whether what stands in backticks may be an example, and not only what somebody wrote.
  private static func inJSON(_ sentence: String, examples: Bool) -> String {
    let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { (index, part) -> String in
      guard index.isMultiple(of: 2) else { return examples ? example(String(part)) : String(part) }
      return String(part).replacing("a map", with: "an object").replacing("this map", with: "this object")
    }.joined(separator: "`")
  }

  /// `length: {max: 20}` as `"length": {"max": 20}`, and an element of a list, `- name: a`, as `{"name": "a"}`.
  private static func example(_ yaml: String) -> String {
    guard yaml.starts(with: #/- |[\[{]*[A-Za-z]+: /#) else { return yaml }
    let isElement = yaml.hasPrefix("- "), value = isElement ? String(yaml.dropFirst(2)) : yaml
    let words = #/'(?<quoted>[^']*)'|"[^"]*"|(?<bare>[^\s:{}\[\],"'][^{}\[\],]*?)(?=: |[{}\[\],]|$)/#
    let json = value.replacing(words) { word in
      if let bare = word.bare, bare.wholeMatch(of: #/\.\.\.|…|true|false|-?[0-9.]+/#) != nil { return String(bare) }
      guard let text = word.quoted ?? word.bare else { return String(word.0) }
      var json = JSONWriter()
      json.value(JSON.string(String(text)))
      return json.text
    }
    return isElement && value.contains(": ") && !value.hasPrefix("{") ? "{\(json)}" : json
  }
}
