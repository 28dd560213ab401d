import Foundation
import PackagePlugin

/// Has `ScriptBundler` write the scripts and style sheets of `Public` into the source of a target. A new file is seen when
/// the package is read again: touch `Package.swift`.
@main struct BundleScripts: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = context.package.directoryURL.appending(path: "Public")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".js") || $0.hasSuffix(".css")
    }
    let source = context.pluginWorkDirectoryURL.appending(path: "Scripts+Files.swift")
    return [
      .buildCommand(
        displayName: "Bundling scripts", executable: try context.tool(named: "ScriptBundler").url,
        arguments: [folder.path, source.path] + paths, inputFiles: paths.map { folder.appending(path: $0) },
        outputFiles: [source])
    ]
  }
}
