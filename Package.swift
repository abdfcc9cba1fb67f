// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The layers of docs/architecture.md: a target names what it may import, and a test compares every
// `import` with this list (SwiftPM lets an undeclared transitive import pass).

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .treatWarning("StrictLanguageFeatures", as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestKit"] + dependencies, exclude: goldens(of: name),
    swiftSettings: strict)
}

/// Recorded texts lie beside the tests that compare them; they are no sources.
func goldens(of name: String) -> [String] {
  FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests/\(name)Tests/Goldens") ? ["Goldens"] : []
}

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")

func nio(_ product: String) -> Target.Dependency {
  .product(name: product, package: product == "NIOSSL" ? "swift-nio-ssl" : "swift-nio")
}

let package = Package(
  name: "baton",
  products: [
    .executable(name: "baton", targets: ["baton"]),
    .library(name: "BatonKit", targets: ["BatonKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    // C libraries, each with exactly one owner module.
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(name: "CLibCurl"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CRE2", cxxSettings: [.unsafeFlags(["-std=c++17"])], linkerSettings: [.linkedLibrary("re2")]),

    module("SourceText"),
    module("Diagnostics", ["SourceText"]),
    module("Values"),
    module("YAMLTree", ["SourceText", "Diagnostics", "CLibYAML"]),
    module("CEL", ["SourceText", "Diagnostics", "Values", "CRE2"]),
    module("JSONSchema", ["Values", "CEL", "Diagnostics"]),
    module("FlowSyntax", ["SourceText"]),
    module("FrontEnds", ["SourceText", "Diagnostics", "YAMLTree", "FlowSyntax"]),
    module("StepKit", ["Values", "JSONSchema", httpTypes]),
    module("FlowPlan", ["SourceText", "Diagnostics", "Values", "FlowSyntax", "CEL", "JSONSchema", "StepKit", httpTypes]),
    module("FlowEvents", ["Values", "SourceText"]),
    module("Journal", ["FlowEvents", "Values", "CSQLite", .product(name: "Crypto", package: "swift-crypto")]),
    module("FlowEngine", ["SourceText", "Values", "FlowPlan", "StepKit", "CEL", "JSONSchema", "FlowEvents", httpTypes]),
    module("HTTPTransport", ["StepKit", "CLibCurl", httpTypes]),
    module(
      "WebSocketTransport",
      ["StepKit", "Values", httpTypes, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"), nio("NIOSSL")]),
    module("TokenStore", ["StepKit", "Values", "Journal", .product(name: "Crypto", package: "swift-crypto")]),
    module("SandboxKit", ["Values", httpTypes]),
    module("Steps", ["Values", "StepKit", "SandboxKit", "JSONSchema", httpTypes]),
    module(
      "SandboxServer",
      [
        "SandboxKit", "Values", httpTypes, .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "Logging", package: "swift-log"), nio("NIOCore"),
        nio("NIOHTTP1"), nio("NIOWebSocket"),
      ]),
    module("Reporters", ["SourceText", "Values", "FlowEvents", "Diagnostics"]),
    module(
      "BatonKit",
      [
        "SourceText", "Diagnostics", "Values", "YAMLTree", "CEL", "JSONSchema", "FlowSyntax", "FrontEnds", "StepKit",
        "FlowPlan", "FlowEvents", "FlowEngine", "Journal", "HTTPTransport", "WebSocketTransport", "TokenStore", "SandboxKit", "Steps",
        "SandboxServer", "Reporters",
        httpTypes, .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .executableTarget(
      name: "baton",
      dependencies: ["BatonKit", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),

    .target(name: "TestKit", path: "Tests/TestKit", swiftSettings: strict),
    tests("SourceText"),
    tests("Diagnostics", ["SourceText"]),
    tests("Values"),
    tests("YAMLTree", ["SourceText", "Diagnostics"]),
    tests("CEL", ["SourceText", "Values"]),
    tests("JSONSchema", ["Values"]),
    tests("FrontEnds", ["SourceText", "Diagnostics", "FlowSyntax"]),
    tests("StepKit", ["Values", httpTypes]),
    .executableTarget(
      name: "journal-probe", dependencies: ["Journal", "FlowEvents", "Values"], path: "Tests/JournalProbe", swiftSettings: strict),
    tests("Journal", ["FlowEvents", "Values", "journal-probe"]),
    tests("HTTPTransport", ["StepKit", "Values", httpTypes]),
    tests(
      "WebSocketTransport",
      [
        "StepKit", "Values", "SandboxKit", "SandboxServer", httpTypes, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
        nio("NIOWebSocket"), nio("NIOSSL"),
      ]),
    tests("TokenStore", ["StepKit", "Values", "Journal"]),
    tests("Steps", ["StepKit", "SandboxKit", "Values", httpTypes]),
    tests("SandboxServer", ["SandboxKit", "Values", httpTypes]),
    tests("Reporters", ["FlowEvents", "Diagnostics", "SourceText", "Values"]),
    tests("FlowPlan", ["SourceText", "Diagnostics", "Values", "FrontEnds", "FlowSyntax", "StepKit", "Steps", "JSONSchema", "CEL"]),
    tests(
      "FlowEngine",
      ["SourceText", "Values", "FrontEnds", "FlowSyntax", "FlowPlan", "FlowEvents", "StepKit", "Steps", "SandboxKit", httpTypes]),
    tests(
      "BatonKit",
      [
        "Diagnostics", "FlowEngine", "FlowEvents", "FlowPlan", "FrontEnds", "JSONSchema", "Journal", "Reporters", "SandboxKit",
        "SourceText", "StepKit",
        "Steps", "Values", "YAMLTree",
      ]),
    .testTarget(
      name: "EndToEndTests", dependencies: ["baton", "TestKit"], exclude: goldens(of: "EndToEnd"), swiftSettings: strict),
  ]
)
