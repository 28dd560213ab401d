import Foundation
import Testing

@testable import OKCancel

@Suite("The files inside the executable")
struct ResourcesTests {
  @Test("are those of the folders: name one that is new in Sources/CResources/resources.c")
  func folders() throws {
    for (name, embedded) in [("Templates", Resources.templates), ("Public", Resources.public)] {
      let folder = LiveServer.root.appending(path: name)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isDirectory)
        return !isDirectory.boolValue
      }
      #expect(embedded.keys.sorted() == paths.sorted())
      for path in paths {
        let bytes = try Data(contentsOf: folder.appending(path: path))
        #expect(embedded[path] == Array(bytes), "\(path)")
      }
    }
  }
}
