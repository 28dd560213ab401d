internal import ArgumentParser
internal import Foundation
internal import OKCancel
internal import Prompts

/// `okcancel ask --no-wait`
extension AskCommand {
  /// Makes the ask, or finds it by its key, prints its id and link, and leaves it open.
  func leave(
    _ question: Question, with client: Client, _ format: FieldOutput.Format?, _ presentation: Presentation
  ) async throws {
    let ask = try await client.create(question)
    if let link = ask.link {
      presentation.show(link.absoluteString)
      await presentation.handed()
    }
    await presentation.end()
    if ask.link == nil, !quiet { standardError("okcancel: this question has ended; leave out --no-wait to see how") }
    let parts = [("id", ask.id), ("link", ask.link?.absoluteString)]
    do {
      if let format, format != .json {
        try output.print(parts.map { ($0, $1.map(Value.text) ?? .null) }, as: format)
      } else {
        let json = JSONWriter.object { json in
          for (name, text) in parts { json.member(name, ifPresent: text) }
        }
        try standardOutput(String(decoding: json, as: UTF8.self))
      }
    } catch {
      // Without a key nobody could find the question again.
      if key == nil { _ = try? await client.withdraw(ask.id) }
      throw error
    }
  }
}
