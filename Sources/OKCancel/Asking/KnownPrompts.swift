internal import Asks
internal import Prompts
internal import Synchronization

/// The prompts of asks that were read before: most asks put one of a few prompts.
///
/// A definition means the same prompt each time, so nothing here grows stale.
final class KnownPrompts: Sendable {
  /// Up to 64 MiB, compiled patterns included.
  private let known = LRUCache<Key, Edition>(capacity: 64 << 20)

  private struct Key: Hashable {
    let name: String?
    let definition: ByteKey
  }

  /// Prompts whose rules bring closures, which no definition holds: those that this program asks itself, by the open ask,
  /// and those that the server offers or has offered, by name.
  private let withClosures = Mutex((asked: [AskID: Edition](), offered: [String: [Prompt]]()))

  /// Remembers the prompt of an open ask of this program, or forgets it.
  func keep(_ prompt: Prompt?, for ask: AskID) {
    withClosures.withLock { $0.asked[ask] = prompt.map({ $0.edition() }) }
  }

  /// - Parameter prompts: those that the server offers.
  init(_ prompts: [PublishedPrompt]) { keep(prompts) }

  /// Remembers prompts that the server offers.
  func keep(_ prompts: [PublishedPrompt]) {
    for published in prompts where published.edition.authored.hasOwnPredicates {
      // Of those with the same definition, the last one counts.
      let definition = published.edition.authored.definitionOfAnyAsk
      withClosures.withLock {
        $0.offered[published.name, default: []].removeAll { $0.definitionOfAnyAsk == definition }
        $0.offered[published.name, default: []].append(published.edition.authored)
      }
    }
  }

  /// The prompt of an ask, or `nil` if its definition has to be read.
  ///
  /// - Parameter definition: as JSON.
  func prompt(of ask: Ask, _ definition: [UInt8]) -> Edition? {
    withClosures.withLock { $0.asked[ask.id] } ?? known[Key(name: ask.prompt, definition: ByteKey(definition))]
  }

  /// Reads a definition and keeps its prompt.
  ///
  /// - Throws: what is wrong with it.
  @discardableResult
  func read(_ definition: [UInt8], named name: String?) throws -> Edition {
    var prompt = try Definition.prompt(from: JSON(parsing: definition, limits: .kept), Reading(isKept: true))
    let offered = withClosures.withLock { withClosures in name.flatMap { withClosures.offered[$0] } ?? [] }
    // What an ask has of its own changes no rule.
    if var same = offered.last(where: { $0.definitionOfAnyAsk == prompt.definitionOfAnyAsk }) {
      (same.context, same.requestedLanguage) = (prompt.context, prompt.requestedLanguage)
      prompt = same
    }
    // As a tree it takes some eight times as much as its text.
    let bytes = 9 * definition.count + prompt.patternBytes
    return known.keep(prompt.edition(), for: Key(name: name, definition: ByteKey(definition)), bytes: bytes)
  }

  /// Reads what an ask will be kept as, before its program is told that it was made. The prompt is kept for the person
  /// who opens the link, so that no definition is read twice.
  ///
  /// - Throws: `Problem` 400 with what cannot be read.
  func check(_ draft: AskDraft) throws(Problem) {
    if known[Key(name: draft.prompt, definition: ByteKey(draft.definition))] != nil { return }
    do { try read(draft.definition, named: draft.prompt) } catch let faults as InlineFaults {
      throw Problem("unusable-definition").with(faults)
    } catch {
      var problem = Problem("unusable-definition")
      problem.errors = [Problem.Detail(message: "\(error)", pointer: "#")]
      throw problem
    }
  }
}
