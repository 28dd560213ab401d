internal import Asks
internal import Definitions
internal import Prompts
internal import StrictJSON
internal import Synchronization

/// The prompts of asks that were read before, by their definitions: most asks put one of a few prompts.
///
/// A definition means the same prompt each time, so nothing here grows stale. Those that were not asked for the longest
/// make room for others.
final class KnownPrompts: Sendable {
  /// Bytes that they may hold, compiled patterns included.
  private static let capacity = 64 << 20

  private struct Entry {
    let subject: Judging.Subject
    let bytes: Int
    var lastUse: UInt64
  }

  private struct State {
    var entries: [[UInt8]: Entry] = [:]
    var bytes = 0
    var uses: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Prompts whose rules bring closures, which no definition holds.
  private struct Own {
    /// Those that this program asks itself, by the open ask.
    var asked: [AskID: Judging.Subject] = [:]
    /// Those that the server offers or has offered, by name and definition: an ask has the definition it was made with.
    var offered: [String: [[UInt8]: Judging.Subject]] = [:]
  }

  private let own = Mutex(Own())

  /// The prompt of an ask, if its rules bring closures.
  func own(of ask: Ask, _ definition: [UInt8]) -> Judging.Subject? {
    own.withLock { own in own.asked[ask.id] ?? ask.prompt.flatMap { own.offered[$0]?[definition] } }
  }

  /// Remembers the prompt of an open ask of this program, or forgets it.
  func keep(_ prompt: Prompt?, for ask: AskID) {
    own.withLock { $0.asked[ask] = prompt.map(Judging.Subject.init) }
  }

  /// Remembers prompts that the server offers.
  func keep(_ prompts: [NamedPrompt]) {
    for named in prompts where named.prompt.hasOwnPredicates {
      let definition = AskDraft(named.prompt).definition
      own.withLock { $0.offered[named.name, default: [:]][definition] = Judging.Subject(named.prompt) }
    }
  }

  /// - Parameter definition: as JSON.
  subscript(definition: [UInt8]) -> Judging.Subject? {
    state.withLock { state in
      state.uses += 1
      state.entries[definition]?.lastUse = state.uses
      return state.entries[definition]?.subject
    }
  }

  /// Reads a definition and keeps its prompt.
  ///
  /// - Throws: what is wrong with it.
  func read(_ definition: [UInt8]) throws -> Judging.Subject {
    // Somebody else may have read it while this waited.
    if let subject = self[definition] { return subject }
    let prompt = try Definition.keptPrompt(from: JSON(parsing: definition, limits: .file))
    let subject = Judging.Subject(prompt)
    // As a tree it takes some eight times as much as its text.
    let bytes = 9 * definition.count + prompt.patternBytes
    state.withLock { state in
      while state.bytes + bytes > Self.capacity,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.entries[oldest.key] = nil
        state.bytes -= oldest.value.bytes
      }
      guard state.entries[definition] == nil else { return }
      state.entries[definition] = Entry(subject: subject, bytes: bytes, lastUse: state.uses)
      state.bytes += bytes
    }
    return subject
  }
}
