internal import Prompts

/// A message to a channel: a question, or a list of them.
struct NoticeMessage: Sendable {
  /// Identifies the message at the channel.
  let id: String
  let message: Message
  let entries: [NoticeEntry]
  /// True once nobody can answer any of its questions, shown or not.
  let isOver: Bool
  let title: String
  /// The lines below the title. The link of a question stands by itself on a line, that of a single one on the last.
  let body: String

  /// Bytes of a body: ntfy shows 4,096 as text, and a section of Slack holds 3,000 characters, escaped.
  private static let limit = 2900

  /// - Parameter entries: at least one. Those that do not fit are left out.
  init(_ message: Message, _ entries: [NoticeEntry], id: String) {
    var (blocks, count, shown) = ([String](), 0, [NoticeEntry]())
    for entry in entries {
      let heading = entries.count > 1 ? [entry.title.plain.prefix(bytes: 160)] : []
      let block = (heading + entry.lines.map { $0.prefix(bytes: 160) } + (entry.link.map { ["", $0] } ?? []))
        .joined(separator: "\n")
      count += block.escapedForSlack.utf8.count + 2
      if !shown.isEmpty, count > Self.limit { break }
      blocks.append(block)
      shown.append(entry)
    }
    self.id = id
    self.message = message
    self.entries = shown
    isOver = entries.allSatisfy { $0.ended != nil }
    let more = shown.count > 1 ? " (+\(shown.count - 1))" : ""
    let first = shown[0].title.plain.prefix(bytes: 400) + more
    title = message == .reminder ? Sentences(in: shown[0].language)(.reminder(of: first)) : first
    body = blocks.joined(separator: "\n\n")
  }

  /// What JSON channels are told happened: an end is one of all that it told of.
  var event: String {
    message == .result ? "result" : isOver ? "closed" : message == .closed ? "changed" : message.rawValue
  }
  var language: Language { entries[0].language }
  /// The only open link, or `nil` if there are more or none.
  var link: String? { entries.count == 1 ? entries[0].link : nil }
}

extension String {
  /// The text on one line. What cannot be seen is written out.
  var onOneLine: String {
    String(String.UnicodeScalarView(revealed.unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }))
  }

  /// As much of the text as these many bytes of UTF-8 hold, with `…` for the rest.
  func prefix(bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var (text, count) = ("", 3)
    for character in self {
      count += character.utf8.count
      if count > limit { break }
      text.append(character)
    }
    return text + "…"
  }
}

extension Timestamp {
  /// `2026-11-26 14:02 UTC`
  var inMinutes: String { description.prefix(16).replacing("T", with: " ") + " UTC" }
}

/// One question as a notice shows it: nobody's values, no context.
struct NoticeEntry: Sendable {
  let ask: AskID
  let title: String
  let language: Language
  let askedBy: String?
  let requestedBy: Person?
  let expiresAt: Timestamp
  /// `nil` once nobody can answer any more.
  let link: String?
  /// Its end: the outcome, who gave it and when; `nil` while it is open.
  let ended: (outcome: Outcome.Kind, by: String?, at: Timestamp)?
  /// What the program did after the answer, or `nil` if it has not said.
  var result: AskResult?

  /// Who asks and until when, or how it ended; a line for each, each in one line.
  var lines: [String] {
    let sentences = Sentences(in: language)
    guard let ended else {
      let asked = Sentence.asked(by: askedBy, for: requestedBy).map { sentences($0) }
      return [asked, sentences(.until(expiresAt.inMinutes))].compactMap(\.self).map(\.plain)
    }
    let note = [.ok, .action].contains(ended.outcome) ? .answered : ended.outcome.note
    let end = ([sentences[note].heading] + [ended.by, ended.at.inMinutes].compactMap(\.self)).joined(separator: ", ")
    return [end.plain] + (result.map { [sentences.sentence(on: $0).plain] } ?? [])
  }
}

extension JSON {
  /// `{"event":"result","id","result"}`: what programs are told of a result, without the outcome.
  static func event(ofResult result: AskResult?, of ask: AskID) -> JSON {
    ["event": "result", "id": .string(ask.description), "result": result?.json]
  }
}
