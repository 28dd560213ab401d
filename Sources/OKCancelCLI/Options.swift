internal import ArgumentParser
internal import Foundation
internal import OKCancel

/// Files that replace the built-in ones.
struct FileOptions: ParsableArguments {
  @Option(.text("templates")) var templates
  @Option(.text("public")) var `public`

  func apply(to configuration: inout Configuration) {
    configuration.templates = templates.text
    configuration.public = `public`.text
  }
}

extension Setting<Language?> {
  static func language(_ key: String) -> Setting { Setting(key, remedy: .language, read: Language.init) }
}

extension Setting<Field.TimeZone?> {
  static var timeZone: Setting { Setting("time-zone", remedy: .timeZone, read: Field.TimeZone.init(known:)) }
}

/// Whose certificates a client of a server trusts.
struct TrustOptions: ParsableArguments {
  @Option(Setting("cacert", remedy: .readableFile) { FileManager.default.isReadableFile(atPath: $0) ? $0 : nil })
  var cacert
}
