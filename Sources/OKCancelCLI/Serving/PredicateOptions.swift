internal import ArgumentParser
internal import OKCancel

/// Programs that answer `predicate` rules.
struct PredicateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Program that answers a predicate: the text on its standard input; exit 0 valid, 1 invalid (its first line is the message); repeatable.",
      valueName: "name=program"))
  var predicate: [String] = []

  func commands() throws -> [String: CommandPredicate] {
    var commands: [String: CommandPredicate] = [:]
    for text in Setting("predicate").list(predicate) {
      guard let (name, program) = text.cut(at: "="), !name.isEmpty, !program.isEmpty else {
        throw Setting("predicate").wrong(text, flag: predicate.first, "give NAME=PROGRAM, like not-taken=./check-taken")
      }
      let command = CommandPredicate(program: program)
      guard command.isRunnable else {
        throw Setting("predicate").wrong(
          text, flag: predicate.first,
          "there is no program “\(program)” that this user may run; check its path and rights")
      }
      guard commands.updateValue(command, forKey: name) == nil else {
        throw Setting("predicate").wrong(text, flag: predicate.first, "“\(name)” is given twice; keep one")
      }
    }
    return commands
  }
}
