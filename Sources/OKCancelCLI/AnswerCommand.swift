internal import ArgumentParser
internal import OKCancel
internal import Prompts

/// `okcancel answer LINK`
struct AnswerCommand: Command {
  @Argument(help: .of("answer.link")) var link: String
  @OptionGroup var trust: TrustOptions
  @OptionGroup var language: PersonLanguageOption

  func run() async throws {
    guard let link = AnswerLink(link, language: try language.ofPerson(), authorities: try trust.cacert()) else {
      throw Failure("not-a-link", ["text": link])
    }
    let session = try TerminalSession()
    let result = await Program.cancelled(by: Program.trap()) { try await session.run(link) }
    do {
      guard let ended = try result.get() else { throw ExitCode.noAnswer }
      if ended.outcome.kind == .cancel { throw ExitCode.invalid }
      if let action = ended.outcome.action {
        standardError(action)
        throw ExitCode.action
      }
    } catch is CancellationError {
      throw ExitCode.noAnswer
    } catch let over as HasEnded {
      standardError("okcancel: no answer: the question has ended (\(over.outcome.rawValue))")
      throw ExitCode.noAnswer
    } catch AskFault.unreachable(let why) {
      throw Failure("link-unreachable", ["why": why])
    }
  }
}
