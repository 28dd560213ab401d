/// What a rule of Claude Code allows. That is too much if the rule leaves open what is done: all that a tool can do, every
/// path, or any command.
enum Reach {
  /// Tools that run nothing, and read and write no files.
  private static let harmless = ["TodoWrite", "WebSearch"]
  /// Tools whose rules are commands.
  private static let shells = ["Bash", "PowerShell"]
  /// Commands that run the command or code behind them.
  private static let launchers = phrases([
    "ash", "awk", "bash", "bun", "bun x", "bunx", "busybox", "cmd", "command", "csh", "dash", "deno", "deno eval",
    "deno run", "doas", "env", "eval", "exec", "expect", "fish", "gawk", "gdb", "git", "irb", "java", "ksh", "lua",
    "make",
    "nice", "node", "nohup", "npm exec", "npm x", "npx", "osascript", "parallel", "perl", "php", "pipx run", "pnpm dlx",
    "pnpm exec", "powershell", "pwsh", "py", "python", "rscript", "ruby", "sed", "setsid", "sh", "source", "stdbuf",
    "sudo",
    "tclsh", "time", "timeout", "ts-node", "tsx", "uv run", "uvx", "vim", "watch", "xargs", "yarn dlx", "yarn exec",
    "zsh",
  ])
  /// Commands that run a command anywhere behind them, as on another machine.
  private static let carriers = phrases([
    "docker compose exec", "docker compose run", "docker exec", "docker run", "find", "kubectl exec", "podman exec",
    "podman run", "screen", "script", "ssh", "su", "tmux",
  ])

  private static func phrases(_ texts: [String]) -> [[Substring]] { texts.map { $0.split(separator: " ") } }

  /// True if a rule that only names this tool allows too much. A tool of an MCP server has one purpose, and a server many.
  static func isAll(of tool: String) -> Bool {
    !harmless.contains(tool) && !(tool.hasPrefix("mcp__") && tool.split(separator: "__").count > 2)
  }

  /// The reason a rule allows too much, or `nil`.
  ///
  /// - Parameter content: what stands in the rule's parentheses.
  static func excess(of tool: String, _ content: String) -> String? {
    let isCommand = shells.contains(tool)
    if !content.trimmingPrefix("domain:").contains(where: { $0.isLetter || $0.isNumber }) {
      return isCommand ? "it allows every command" : "it allows everything that \(tool) can do"
    }
    return isCommand && allowsAnyCommand(content) ? "it allows any command" : nil
  }

  /// True if nothing stands before the first wildcard but what runs whatever takes its place.
  private static func allowsAnyCommand(_ content: String) -> Bool {
    let command = content.hasSuffix(":*") ? content.dropLast(2) + " *" : Substring(content)
    guard let wildcard = command.firstIndex(of: "*") else { return false }
    let last = command[..<wildcard].split(omittingEmptySubsequences: false) { "&;|".contains($0) }.last ?? ""
    // A shell drops quotes, and finds programs by their paths.
    var words = last.lowercased().filter { !"\"'\\".contains($0) }.split(separator: " ")
      .map { $0.split(separator: "/").last ?? $0 }
    while let word = words.first {
      if word.hasPrefix("-") || word.contains("=") || word.first?.isNumber == true {
        words.removeFirst()
      } else if carriers.contains(where: { words.starts(with: $0, by: isSame) }) {
        return true
      } else if let launcher = launchers.last(where: { words.starts(with: $0, by: isSame) }) {
        words.removeFirst(launcher.count)
      } else {
        // The word before a wildcard may go on, and then be one of them.
        return last.last != " "
          && (launchers + carriers).contains { launcher in
            words.count <= launcher.count
              && words.dropLast().elementsEqual(launcher.prefix(words.count - 1), by: isSame)
              && launcher[words.count - 1].hasPrefix(words[words.count - 1])
          }
      }
    }
    return true
  }

  /// True if it is that program, perhaps in one version, like `python3.12`.
  private static func isSame(_ word: Substring, _ launcher: Substring) -> Bool {
    word.hasPrefix(launcher)
      && (word.dropFirst(launcher.count).allSatisfy { $0.isNumber || $0 == "." } || word.hasSuffix(".exe"))
  }
}
