import FlowEvents
import Values

/// What a disk may hold after a power cut: what was synced, and any part of what was not.
struct Disk {
  /// What a power cut leaves of the writes that were not synced.
  enum Loss: CaseIterable {
    /// Nothing, and of the names neither.
    case everything
    /// Nothing, but the names are there.
    case data
    /// All; only a write may be half done.
    case halfOfTheLastWrite
    /// Some whole sectors, in any order.
    case someSectors
    case nothing
  }

  private struct File {
    var synced: [UInt8] = []
    var pending: [Change] = []

    /// As programs see it.
    var now: [UInt8] { pending.reduce(into: synced) { $1.apply(to: &$0) } }
  }

  private enum Change {
    case write([UInt8], Int)
    case truncate(Int)

    func apply(to bytes: inout [UInt8]) {
      switch self {
      case .write(let new, let offset):
        if bytes.count < offset + new.count { bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count) }
        bytes.replaceSubrange(offset..<offset + new.count, with: new)
      case .truncate(let count):
        bytes = count <= bytes.count ? Array(bytes.prefix(count)) : bytes + [UInt8](repeating: 0, count: count - bytes.count)
      }
    }
  }

  private let folder: String
  private var files: [Int: File] = [:]
  private var names: [String: Int] = [:]
  private var syncedNames: [String: Int] = [:]
  private var descriptors: [Int: String] = [:]
  private var opened: [Int: Int] = [:]

  /// A disk that holds files of a folder, all of it synced.
  init(folder: String, holding contents: [String: [UInt8]]) {
    self.folder = folder
    for (name, bytes) in contents {
      let number = files.count
      files[number] = File(synced: bytes)
      names[name] = number
    }
    syncedNames = names
  }

  mutating func perform(_ call: SystemCall) {
    switch call {
    case .open(let path, let descriptor):
      descriptors[descriptor] = path
      opened[descriptor] = name(path).map { make($0) }
    case .make(let path): if let name = name(path) { _ = make(name) }
    case .close(let descriptor): (descriptors[descriptor], opened[descriptor]) = (nil, nil)
    case .write(let descriptor, let bytes, let offset): change(descriptor, .write(bytes, offset))
    case .truncate(let descriptor, let count): change(descriptor, .truncate(count))
    case .sync(let descriptor):
      if descriptors[descriptor] == folder { syncedNames = names }
      if let number = opened[descriptor], let now = files[number]?.now { files[number] = File(synced: now) }
    case .remove(let path): if let name = name(path) { names[name] = nil }
    case .said: break
    }
  }

  private func name(_ path: String) -> String? {
    guard path.hasPrefix(folder + "/"), !path.hasSuffix("-shm") else { return nil }
    return String(path.dropFirst(folder.count + 1))
  }

  private mutating func make(_ name: String) -> Int {
    if let known = names[name] { return known }
    let number = files.count
    files[number] = File()
    names[name] = number
    return number
  }

  private mutating func change(_ descriptor: Int, _ change: Change) {
    if let number = opened[descriptor] { files[number]?.pending.append(change) }
  }

  /// What is there after a power cut at this moment.
  func image(after loss: Loss, _ generator: inout SeededGenerator) -> [String: [UInt8]] {
    var image: [String: [UInt8]] = [:]
    for (name, number) in (loss == .everything ? syncedNames : names).sorted(by: { $0.key < $1.key }) {
      guard let file = files[number] else { continue }
      var bytes = file.synced
      for change in kept(file.pending, after: loss, &generator) { change.apply(to: &bytes) }
      image[name] = bytes
    }
    return image
  }

  private func kept(_ pending: [Change], after loss: Loss, _ generator: inout SeededGenerator) -> [Change] {
    switch loss {
    case .everything, .data: return []
    case .nothing: return pending
    case .halfOfTheLastWrite:
      guard case .write(let bytes, let offset)? = pending.last else { return pending }
      return pending.dropLast() + [.write(Array(bytes.prefix(bytes.count / 2)), offset)]
    case .someSectors:
      return pending.flatMap { change -> [Change] in
        guard case .write(let bytes, let offset) = change else { return Bool.random(using: &generator) ? [change] : [] }
        return stride(from: 0, to: bytes.count, by: 512).compactMap { start in
          Bool.random(using: &generator) ? .write(Array(bytes[start..<min(start + 512, bytes.count)]), offset + start) : nil
        }
      }
    }
  }
}
