internal import ArgumentParser
internal import Foundation
internal import OKCancel
internal import Prompts

/// `okcancel templates DIR NAME …`
struct TemplatesCommand: Command {
  @Argument(help: .of("templates.folder"), completion: .directory) var folder: String
  @Argument(help: .of("templates.names")) var names: [String] = []

  func run() throws {
    let builtIn = Resources.templates.map { (String($0.key.prefix { $0 != "." }), $0.value) }.sorted { $0.0 < $1.0 }
    for name in names where !builtIn.contains(where: { $0.0 == name }) {
      let nearest = Nearest(to: name, among: builtIn.map(\.0))
      throw Failure("no-such", ["kind": "template", "name": name, "nearest": nearest])
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, bytes) in builtIn where names.isEmpty || names.contains(name) {
        let path = "\(folder)/\(name).mustache"
        do { try Data(bytes).write(to: URL(filePath: path), options: .withoutOverwriting) } catch {
          // No half a template stays behind, which a server would use.
          if (error as? CocoaError)?.code != .fileWriteFileExists { unlink(path) }
          throw error
        }
        try standardOutput(path)
      }
    } catch let fault as OutputFault {
      throw fault
    } catch CocoaError.fileWriteFileExists {
      throw Failure("template-exists", ["folder": folder])
    } catch {
      throw Failure("not-writable", ["folder": folder])
    }
  }
}
