// swift-tools-version: 6.3
import Foundation
import PackageDescription

/// What every Swift target here is compiled with.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The same, and that whatever is unsafe says so.
let safe = strict + [.strictMemorySafety()]

let package = Package(
  name: "okcancel",
  products: [
    .library(name: "OKCancel", targets: ["OKCancel"]),
    .executable(name: "okcancel", targets: ["OKCancelCLI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // The doors to C and C++.
    .target(
      name: "CMicroHTTPD",
      linkerSettings: [.linkedLibrary("microhttpd"), .linkedLibrary("gnutls"), .linkedLibrary("z")]),
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "CYAML", linkerSettings: [.linkedLibrary("yaml")]),
    .systemLibrary(name: "CMarkGFM"),
    // The headers of libcurl and libpq; each library itself is opened by the first who needs it.
    .target(name: "CCurl"),
    .target(name: "CPQ"),
    .systemLibrary(name: "CSQLite"),
    .target(name: "CProcess"),
    .systemLibrary(name: "CQRencode"),
    // ICU without its data, of which the command needs none.
    .target(name: "CICU"),
    // The scripts and style sheets of Public, which the build makes shorter.
    .executableTarget(name: "ScriptBundler", swiftSettings: strict),
    .plugin(name: "BundleScripts", capability: .buildTool(), dependencies: ["ScriptBundler"]),
    // Files inside the executable: templates, languages, Unicode's tables, SQL, the command's help, names, sentences.
    .target(name: "CResources"),

    // The house, from the ground up; an arrow never points back. CONTRIBUTING.md says what each is, and which folders
    // are layers.
    // Threads, addresses and bounded reads of files: what the server and the prompts both need.
    .target(name: "Platform", dependencies: ["CProcess"], swiftSettings: strict),
    .target(name: "MicroHTTP", dependencies: ["CMicroHTTPD", "Platform"], swiftSettings: strict),
    .target(
      name: "Prompts", dependencies: ["CMarkGFM", "CRE2", "CResources", "CYAML", "Platform"],
      exclude: [
        "Definitions/yaml-problems.txt", "Languages", "faults.txt", "Pattern/Unicode", "Reading/Schema/keywords.json",
        "Reading/autofill.txt",
      ],
      swiftSettings: strict),
    .target(
      name: "Asks",
      dependencies: [
        "CCurl", "CPQ", "CSQLite", "Platform", "Prompts",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      exclude: ["Store/schema.sql", "Store/statements.sql", "faults.txt", "settings.txt"], swiftSettings: strict),
    .target(
      name: "OKCancel",
      dependencies: [
        "Asks", "CProcess", "MicroHTTP", "Platform", "Prompts",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["HTTP/problems.txt", "MCP/Tools.json", "MCP/protocol-errors.txt", "Operation/metrics.txt"],
      swiftSettings: safe,
      plugins: ["BundleScripts"]),
    .executableTarget(
      name: "OKCancelCLI",
      dependencies: [
        "Asks", "CICU", "CProcess", "CQRencode", "MicroHTTP", "OKCancel", "Platform", "Prompts",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      exclude: ["commands.txt", "failures.txt", "options.txt", "redirect.html", "shell-variables.txt"],
      swiftSettings: strict),

    // What tests and the fuzzers share; neither is a product.
    .target(name: "TestSupport", path: "Tests/Support/TestSupport", swiftSettings: strict),
    .target(
      name: "ServedFields", dependencies: ["Prompts"], path: "Tests/Support/ServedFields",
      swiftSettings: strict),
    .executableTarget(
      name: "VerdictJudge", dependencies: ["Platform", "Prompts", "ServedFields"],
      path: "Tests/Fuzz/Judge", swiftSettings: strict),

    // What `make bench` runs; neither is a product.
    .executableTarget(
      name: "VerdictBench", dependencies: ["Prompts"],
      path: "Benchmarks/Verdicts/OKCancel",
      swiftSettings: strict),
    .executableTarget(
      name: "MicroHTTPPeer", dependencies: ["MicroHTTP"], path: "Benchmarks/Peers/MicroHTTP", swiftSettings: strict),

    // Mutated bytes at every way in: `swift run DoorFuzz --seed 1 --count 1000`.
    .executableTarget(
      name: "DoorFuzz",
      dependencies: [
        "OKCancel", "Prompts", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/Fuzz/Doors", swiftSettings: strict),

    .testTarget(name: "ScriptBundlerTests", dependencies: ["ScriptBundler"], swiftSettings: strict),
    .testTarget(name: "BaseTests", dependencies: ["Platform", "Prompts"], swiftSettings: strict),
    .testTarget(name: "StrictJSONTests", dependencies: ["Prompts"], swiftSettings: strict),
    .testTarget(name: "TimeZonesTests", dependencies: ["Prompts", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PatternTests", dependencies: ["Platform", "Prompts", "TestSupport"], exclude: ["judge.mjs"],
      swiftSettings: strict),
    .testTarget(
      name: "PromptsTests", dependencies: ["Platform", "Prompts", "ServedFields", "TestSupport"],
      exclude: ["Languages/plurals.json", "hidden.mjs"],
      swiftSettings: strict),
    .testTarget(
      name: "DefinitionsTests",
      dependencies: ["Platform", "Prompts", "ServedFields", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AsksTests",
      dependencies: ["Asks", "CSQLite", "Prompts", "TestSupport"],
      exclude: ["Kill", "Callbacks/receiver.py", "requirements.txt"],
      swiftSettings: strict),
    // Kills a process while it answers, again and again: `swift run AskStoreKill 200`.
    .executableTarget(
      name: "AskStoreKill", dependencies: ["Asks", "Prompts"], path: "Tests/AsksTests/Kill", swiftSettings: strict),
    .testTarget(name: "MCPTests", dependencies: ["OKCancel", "Prompts"], swiftSettings: strict),
    .testTarget(
      name: "TerminalDialogTests", dependencies: ["OKCancelCLI", "Prompts", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "MicroHTTPTests", dependencies: ["MicroHTTP", "Platform", "Prompts", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PagesTests", dependencies: ["OKCancel", "Platform", "Prompts", "ServedFields", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "OKCancelTests",
      dependencies: [
        "Asks", "MicroHTTP", "OKCancel", "Platform", "Prompts", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)

// SwiftPM wants the folder of every target that is named, also of those that are not built: an image is built without
// the tests and benchmarks, so that a change of them makes no new one.
package.targets.removeAll { target in
  let folder = target.path ?? (target.type == .test ? "Tests" : "Sources")
  return !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(folder.prefix { $0 != "/" })")
}
