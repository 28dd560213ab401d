internal import ArgumentParser
internal import Definitions
internal import OKCancel

/// `okcancel check FILE…`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find faults in prompt definitions.",
    discussion: """
      Prints every fault as FILE:LINE:COLUMN: what is wrong; what to do.
      Exit codes: 0 no faults, 65 faults, 64 wrong usage.

      Example: okcancel check Examples/*.yaml
      """)

  @Argument(help: "Definition files.", completion: .file(extensions: ["yaml", "yml", "json"]))
  var files: [String]

  func run() throws {
    var count = 0
    for file in files {
      do throws(DefinitionFaults) {
        _ = try DefinitionFile(path: file)
      } catch {
        standardOutput(error.description)
        count += error.faults.count
      }
    }
    if count > 0 { throw ExitCode.definitionFault }
  }
}
