package import Prompts

extension NamedPrompt {
  /// What is wrong with the predicates that this prompt's rules ask, one sentence a rule:
  /// `email: the field `email` asks the predicate `not-taken`, which is not registered; …`.
  ///
  /// - Parameter predicates: what the server has registered.
  package func faults(knowing predicates: Predicates) -> [String] {
    prompt.faults(knowing: predicates).map { "\(name): \($0)" }
  }
}

extension Prompt {
  /// The same for a prompt without a name.
  package func faults(knowing predicates: Predicates) -> [String] {
    fields.flatMap { field in
      (field.rules + field.allow).flatMap(\.predicates).filter { predicates[$0] == nil }.map { name in
        let known = Nearest.nearest(to: name, among: predicates.names).map { "did you mean `\($0)`? Or " } ?? ""
        return "the field `\(field.name)` asks the predicate `\(name)`, which is not registered; "
          + "\(known)start the server with `--predicate \(name)=PROGRAM`"
      }
    }
  }
}
