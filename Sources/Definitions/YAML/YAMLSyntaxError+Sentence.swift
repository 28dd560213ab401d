internal import Prompts

extension YAMLSyntaxError {
  /// libyaml's complaint as a reader needs it: what is wrong and what to do.
  ///
  /// libyaml puts the end of a text on a line of its own; here it is where the text ends.
  func fault(in source: SourceText) -> Fault {
    let character = source.scalar(line: line, column: column)
    let (what, remedy) = Self.words(problem, character)
    return Fault(what, remedy, at: character == nil ? source.end : Node.Place(line: line, column: column))
  }

  private static func words(_ problem: String, _ character: Unicode.Scalar?) -> (String, String) {
    switch problem {
    case "found character that cannot start any token" where character == "\t",
      "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      ("a tab stands where spaces indent", "indent with spaces")
    case "found character that cannot start any token":
      ("a text cannot begin with `\(character.map(String.init) ?? "")`", "put the text in single quotes")
    case "mapping values are not allowed in this context":
      ("a colon stands where no key can stand", "put a text that holds a colon in quotes, or check the indentation")
    case "could not find expected ':'":
      ("a key has no colon", "write it as `key: value`")
    case "did not find expected key":
      ("this does not fit the lines above it", "align it with their keys, and close every quote and bracket")
    case "did not find expected '-' indicator":
      ("this does not fit the list above it", "begin each element with a dash, all in one column")
    case "block sequence entries are not allowed in this context":
      ("a list cannot begin here", "begin it on a line of its own, each element with a dash")
    case "block mapping entries are not allowed in this context", "mapping keys are not allowed in this context":
      ("a map cannot begin here", "begin it on a line of its own")
    case "did not find expected ',' or ']'":
      (
        "a list in brackets goes on without a comma or an end",
        "put commas between its elements and `]` behind the last"
      )
    case "did not find expected ',' or '}'":
      ("a map in braces goes on without a comma or an end", "put commas between its entries and `}` behind the last")
    case "did not find expected node content":
      ("a value is missing", "write one, or remove the comma or the sign before it")
    case "found unexpected end of stream":
      ("the file ends inside quotes", "close the quotes")
    case "found unexpected document indicator":
      ("`---` or `...` stands inside quotes", "close the quotes before it, or indent it")
    case "found unknown escape character":
      ("double quotes know no such escape", "use single quotes, where a backslash is a backslash, or double it")
    case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
      ("this escape names no character", #"write \x and two, \u and four or \U and eight hex digits of one"#)
    case "did not find expected comment or line break", "found an indentation indicator equal to 0":
      ("a text cannot begin with `|` or `>` and go on in that line", "put the text in single quotes")
    case "found unexpected ':'":
      ("a colon stands inside a text in brackets", "put the text in single quotes")
    case "did not find expected whitespace or line break" where character == "%",
      "could not find expected directive name", "found unknown directive name",
      "found unexpected non-alphabetical character",
      "did not find expected digit or '.' character", "did not find expected version number",
      "found extremely long version number", "found duplicate %YAML directive", "found duplicate %TAG directive",
      "found incompatible YAML document", "did not find expected whitespace":
      ("directives are not read", "remove the lines that begin with `%`")
    case "found undefined tag handle", "did not find expected tag URI", "did not find expected '!'",
      "did not find the expected '>'", "did not find URI escaped octet",
      "did not find expected whitespace or line break":
      ("tags are not read", "remove the word that begins with `!`")
    case "did not find expected alphabetic or numeric character":
      ("a text cannot begin with `&` or `*`", "put the text in single quotes")
    case "did not find expected <document start>":
      ("more stands behind the end of the prompt", "keep one prompt a file")
    case let problem where problem.hasPrefix("Maximum nesting level"):
      ("this is nested too deeply", "keep to \(YAMLReader.depthLimit) levels")
    default:
      ("this is not YAML (\(problem))", "check the indentation, the quotes and the brackets")
    }
  }
}
