// swift-tools-version: 6.2
import PackageDescription

// The modules of the expressions alone, linked from the project: `package` declarations are seen in one package only.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .treatWarning("StrictLanguageFeatures", as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "cel-benchmark",
  targets: [
    .target(name: "CRE2", cxxSettings: [.unsafeFlags(["-std=c++17"])], linkerSettings: [.linkedLibrary("re2")]),
    module("SourceText"),
    module("Diagnostics", ["SourceText"]),
    module("Values"),
    module("CEL", ["SourceText", "Diagnostics", "Values", "CRE2"]),
    .executableTarget(name: "bench", dependencies: ["CEL", "Values"], swiftSettings: strict),
  ])
