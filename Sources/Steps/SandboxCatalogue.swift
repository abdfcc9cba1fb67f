package import SandboxKit

/// The sandbox's systems.
package enum SandboxCatalogue {
  /// Every system that the sandbox stands in for. A new one is a folder and one line here.
  package static let standard: [any SandboxSystem] = [
    AferoSandbox(),
    OstelcoSandbox(),
    OyaSandbox(),
    RapidSOSSandbox(),
    SAMISandbox(),
    SecureNodeSandbox(),
  ]
}
