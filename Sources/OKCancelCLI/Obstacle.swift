internal import Subprocess

/// The reason something could not be done, such as opening a browser.
struct Obstacle: CustomStringConvertible {
  let description: String

  private init(_ sentence: String) { description = sentence }

  static let link = Self("the link is not the address of a web page")
  static func page(in folder: String) -> Self { Self("no file can be made in \(folder), which the browser would read") }
  static func browser(_ ended: TerminationStatus?) -> Self {
    let reason =
      switch ended {
      case .exited(127)?: "there is no xdg-open"
      case .exited(let code)?, .signaled(let code)?: "xdg-open ended with the exit code \(code)"
      case nil: "xdg-open cannot be run"
      }
    return Self("no browser opens on this machine: \(reason)")
  }
  static let notifyGoesOn = Self("the command of --notify-command did not end within 10 seconds and was killed")
  static func notifyNotRun(_ error: any Error) -> Self {
    Self("the command of --notify-command could not be run: \(error)")
  }
  static func notify(_ ended: TerminationStatus) -> Self {
    switch ended {
    case .exited(127): Self("the command of --notify-command ended with the exit code 127: there is no such command")
    case .exited(let code): Self("the command of --notify-command ended with the exit code \(code)")
    case .signaled(let signal): Self("the command of --notify-command was ended by the signal \(signal)")
    }
  }
}
