internal import Dispatch
internal import Foundation
package import Prompts
internal import Synchronization

/// The prompts of a directory: its `.yaml`, `.yml` and `.json` files, not those in directories below it.
package struct DefinitionFolder: Sendable {
  /// The prompts, sorted by name.
  package let prompts: [NamedPrompt]

  /// Reads every definition in a directory. Hidden files and files with other extensions are ignored.
  ///
  /// - Parameter predicates: names of those that rules may ask, as in `DefinitionFile`.
  /// - Throws: `DefinitionFaults` with every fault of every file.
  package init(path: String, predicates: [String]? = nil) throws(DefinitionFaults) {
    var prompts: [NamedPrompt] = []
    var faults: [FileFault] = []
    var files: [String: String] = [:]
    let found = try Self.definitions(in: path)
    let place = { @Sendable (name: String) in path.hasSuffix("/") ? path + name : path + "/" + name }
    let translations = found.compactMap { TranslationFile(path: place($0)) }
    let paths = Set(translations.map(\.path))
    let byPrompt = Dictionary(grouping: translations, by: \.prompt)
    let names = found.filter { !paths.contains(place($0)) }
    let read = Mutex([Result<NamedPrompt, DefinitionFaults>?](repeating: nil, count: names.count))
    // On all processors: reading them is most of the start.
    DispatchQueue.concurrentPerform(iterations: names.count) { index in
      let translations = byPrompt[DefinitionFile.parts(of: names[index]).stem] ?? []
      let result = Result { () throws(DefinitionFaults) in
        let path = place(names[index])
        return try DefinitionFile(path: path, bytes: nil, predicates: predicates, translations: translations).prompt
      }
      read.withLock { $0[index] = result }
    }
    for (name, definition) in zip(names, read.withLock(\.self)) {
      let file = place(name)
      let (stem, suffix) = DefinitionFile.parts(of: name)
      if let other = files.updateValue(name, forKey: stem), suffix.map(DefinitionFile.extensions.contains) ?? false {
        let fault = Fault("`\(other)` defines the prompt `\(stem)` too", "keep one of the two files", at: .start)
        faults.append(FileFault(file: file, fault))
      }
      switch definition {
      case .success(let prompt): prompts.append(prompt)
      case .failure(let wrong): faults += wrong.faults
      case nil: break
      }
    }
    for file in translations where files[file.prompt] == nil { faults += file.orphaned.faults }
    if !faults.isEmpty { throw DefinitionFaults(faults: faults) }
    self.prompts = prompts.sorted { $0.name < $1.name }
  }

  /// The names of the definition files, sorted.
  private static func definitions(in path: String) throws(DefinitionFaults) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw DefinitionFaults(faults: [FileFault(file: path, Fault(sentence: sentence(path), at: .file))])
    }
    return names.sorted().filter { name in
      // `.YAML` counts, so that such a file is refused and not overlooked.
      guard !name.hasPrefix("."), let suffix = DefinitionFile.parts(of: name).suffix,
        DefinitionFile.extensions.contains(suffix.lowercased())
      else { return false }
      var isDirectory: ObjCBool = false
      return !FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isDirectory)
        || !isDirectory.boolValue
    }
  }

  private static func sentence(_ path: String) -> String {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return "there is no such directory; make it, or name the one that holds your prompts"
    }
    return isDirectory.boolValue
      ? "the directory may not be read; give this user permission to read it"
      : "this is a file; name the directory that holds your prompts"
  }
}
