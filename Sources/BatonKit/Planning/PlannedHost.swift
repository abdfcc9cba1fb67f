import StepKit

/// A host that a run may talk to.
struct PlannedHost {
  /// As `baton.yaml` would list it, or `⟨…⟩` where only the run knows.
  let name: String
  /// Nil where only the run knows.
  let address: WebAddress?
  /// Aliases of connections, and ids of steps that name a whole URL.
  var users: [String]
}

/// The hosts of a plan in the order in which they come up.
struct HostList {
  private(set) var hosts: [PlannedHost] = []

  mutating func add(_ address: WebAddress, for user: String) { add(PlannedHost(name: address.listedHost, address: address, users: [user])) }

  /// Adds the host of a URL with `⟨…⟩` in it; where its host is among what is not known, that.
  mutating func add(url: String, for user: String) {
    guard let start = url.firstRange(of: "://") else { return add(unknown: url, for: user) }
    let authority = String(url[start.upperBound...].prefix { !"/?#".contains($0) })
    guard !authority.contains("⟨"), !authority.contains("[secret]"), let address = try? WebAddress(url[..<start.upperBound] + authority)
    else {
      return add(unknown: authority, for: user)
    }
    add(address, for: user)
  }

  mutating func add(unknown name: String, for user: String) { add(PlannedHost(name: name, address: nil, users: [user])) }

  private mutating func add(_ host: PlannedHost) {
    guard let index = hosts.firstIndex(where: { $0.name == host.name }) else { return hosts.append(host) }
    for user in host.users where !hosts[index].users.contains(user) { hosts[index].users.append(user) }
  }
}
