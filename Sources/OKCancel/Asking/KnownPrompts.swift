internal import Definitions
internal import Prompts
internal import StrictJSON
internal import Synchronization

/// The prompts of asks that were read before, by their definitions.
///
/// To read a definition and to compile its patterns takes longer than all the rest of an answer, and most asks put one
/// of a few prompts. A definition means the same prompt each time, so nothing here grows stale.
final class KnownPrompts: Sendable {
  /// How many are kept at most, and how many bytes of definition each may have: compiled patterns take memory.
  private static let capacity = 64
  private static let definitionLimit = 8 * 1024

  private let known = Mutex<[[UInt8]: Prompt]>([:])

  /// - Parameter definition: as JSON.
  /// - Throws: what is wrong with it.
  func prompt(definedBy definition: [UInt8]) throws -> Prompt {
    if let prompt = known.withLock({ $0[definition] }) { return prompt }
    let prompt = try Definition.prompt(from: JSON(parsing: definition, limits: .file))
    guard definition.count <= Self.definitionLimit else { return prompt }
    known.withLock { known in
      // All make room at once: nobody knows which of them will be needed again.
      if known.count == Self.capacity { known.removeAll() }
      known[definition] = prompt
    }
    return prompt
  }
}
