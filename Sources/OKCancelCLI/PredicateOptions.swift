internal import ArgumentParser
internal import OKCancel

/// Programs that decide `predicate` rules.
struct PredicateOptions: ParsableArguments {
  @Option(repeating: Setting("predicate", read: Self.command)) var predicate

  func commands() throws -> [String: CommandPredicate] { try predicate.byName() }

  private static func command(_ text: String) throws(Remedy) -> (name: String, value: CommandPredicate) {
    guard let (name, program) = text.cut(at: "="), !name.isEmpty, !program.isEmpty else { throw .namedProgram }
    let command = CommandPredicate(program: program)
    guard command.isRunnable else { throw .notRunnable(program) }
    return (name, command)
  }
}
