internal import Dispatch
internal import Foundation
internal import Synchronization

extension NamedPrompt {
  /// The prompts of a directory's `.yaml`, `.yml` and `.json` files, sorted by name. Hidden files, files with other
  /// extensions and directories below it are ignored.
  ///
  /// - Parameters:
  ///   - predicates: names of those that rules may ask, as in `DefinitionFile`.
  ///   - language: that of prompts that name none, or `nil` if it is not known.
  ///   - timeZone: that of moments for which a JSON Schema names none, or `nil` to refuse them.
  /// - Throws: `DefinitionFaults` with every fault of every file.
  package static func read(
    folder path: String, predicates: [String]?, in language: Language?, timeZone: Field.TimeZone? = nil
  ) throws(DefinitionFaults) -> [NamedPrompt] {
    let found = try definitions(in: path)
    let translations = found.compactMap { TranslationFile(path: $0) }
    let (paths, byPrompt) = (Set(translations.map(\.path)), Dictionary(grouping: translations, by: \.prompt))
    let files = found.filter { !paths.contains($0) }.map { (path: $0, name: DefinitionFile.parts(of: $0)) }
    let read = Mutex([Result<NamedPrompt, DefinitionFaults>?](repeating: nil, count: files.count))
    // On all processors: reading them is most of the start.
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      let (path, name) = files[index]
      let result = Result { () throws(DefinitionFaults) in
        let translations = byPrompt[name.stem] ?? []
        return try DefinitionFile(
          path: path, bytes: nil, predicates: predicates, translations: translations, in: language, timeZone: timeZone
        ).prompt
      }
      read.withLock { $0[index] = result }
    }
    var (prompts, faults, known) = ([NamedPrompt](), [FileFault](), [String: String]())
    for ((path, name), definition) in zip(files, read.withLock(\.self)) {
      let other = known.updateValue(path, forKey: name.stem)?.split(separator: "/").last
      if let other, name.suffix.map(DefinitionFile.extensions.contains) ?? false {
        faults.append(FileFault(file: path, FaultRow("defined-twice", ["other": String(other), "name": name.stem])))
      }
      switch definition {
      case .success(let prompt): prompts.append(prompt)
      case .failure(let wrong): faults += wrong.faults
      case nil: break
      }
    }
    for file in translations where known[file.prompt] == nil { faults += file.orphaned.faults }
    if !faults.isEmpty { throw DefinitionFaults(faults: faults) }
    return prompts.sorted { $0.name < $1.name }
  }

  /// The paths of the definition files, sorted.
  private static func definitions(in path: String) throws(DefinitionFaults) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw DefinitionFaults(faults: [FileFault(file: path, unreadable(path), at: .file)])
    }
    return names.sorted().filter { !$0.hasPrefix(".") }.map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
      .filter { file in
        // `.YAML` counts, so that such a file is refused and not overlooked.
        let suffix = DefinitionFile.parts(of: file).suffix?.lowercased()
        return suffix.map(DefinitionFile.extensions.contains) ?? false && isDirectory(file) != true
      }
  }

  private static func unreadable(_ path: String) -> FaultRow {
    switch isDirectory(path) {
    case nil: FaultRow("unreadable-folder.missing")
    case true?: FaultRow("unreadable-folder.forbidden")
    case false?: FaultRow("unreadable-folder.file")
    }
  }

  /// True if this is a directory; `nil` if there is nothing.
  private static func isDirectory(_ path: String) -> Bool? {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) ? isDirectory.boolValue : nil
  }
}
