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
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw Setting("predicate").wrong(text, flag: predicate.first, "give NAME=PROGRAM, like not-taken=./check-taken")
      }
      let command = CommandPredicate(program: parts[1])
      guard command.isRunnable else {
        throw Setting("predicate").wrong(
          text, flag: predicate.first,
          "there is no program “\(parts[1])” that this user may run; check its path and rights")
      }
      guard commands.updateValue(command, forKey: parts[0]) == nil else {
        throw Setting("predicate").wrong(text, flag: predicate.first, "“\(parts[0])” is given twice; keep one")
      }
    }
    return commands
  }
}
