package import StepKit
import Values

extension SecureNode {
  /// `securenode/get-logo`
  package enum GetLogo: StepHandler {
    package static let about = About(
      "securenode/get-logo", "Gets a brand's picture, from the cache where it is there; anything but a picture is none.", effect: .read)
    package static let example = Example(
      with: #"{"url": "http://127.0.0.1:1/securenode/api/logos/hc.png"}"#,
      outputs: #"{"found": true, "from_cache": false, "image": "*", "size": 8, "file": "*"}"#,
      given: #"{"brands": [{"phone_number_e164": "+61412345678", "brand_name": "Harbour Clinic", "logo": "hc.png"}]}"#)

    package struct Input: Sendable {
      let url: String
      let folder: String?
    }

    package struct Output: Sendable {
      let found: Bool
      let fromCache: Bool
      let image: Value?
      let size: Int?
      let file: String?
      let problem: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let file = logoFile(of: input.url)
      func output(_ bytes: [UInt8], fromCache: Bool) -> Output {
        Output(found: true, fromCache: fromCache, image: .bytes(bytes), size: bytes.count, file: file, problem: nil)
      }
      guard let folder = input.folder, let file else {
        switch try await fetchLogo(input.url, ports.http) {
        case .image(let bytes): return output(bytes, fromCache: false)
        case .none(let problem): return Output(found: false, fromCache: false, image: nil, size: nil, file: nil, problem: problem)
        }
      }
      var cache = await LogoCache(folder, ports.files)
      if let bytes = await cache.read(file) { return output(bytes, fromCache: true) }
      switch try await fetchLogo(input.url, ports.http) {
      case .none(let problem): return Output(found: false, fromCache: false, image: nil, size: nil, file: nil, problem: problem)
      case .image(let bytes):
        try await cache.write(bytes, file, of: input.url, at: now(ports))
        try await cache.commit()
        return output(bytes, fromCache: false)
      }
    }
  }

  /// `securenode/cache-logos`
  package enum CacheLogos: StepHandler {
    package static let about = About(
      "securenode/cache-logos", "Fetches the pictures of a directory that a folder lacks, and throws away those older than 30 days.",
      effect: .read)
    package static let example = Example(
      with: #"{"directory": [{"phone_number_e164": "+61412345678", "brand_name": "Harbour Clinic"}], "folder": "out"}"#,
      outputs: #"{"files": {}, "fetched": [], "missing": [], "too_long": [], "removed": []}"#)

    package struct Input: Sendable {
      let directory: [Item]
      let folder: String
    }

    package struct Output: Sendable {
      let files: NamedMembers<String>
      let fetched: [String]
      let missing: [String]
      let tooLong: [String]
      let removed: [String]
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var cache = await LogoCache(input.folder, ports.files)
      let removed = try await cache.clean(ports.clock.now())
      var (files, fetched, missing, tooLong): ([(name: String, value: String)], [String], [String], [String]) = ([], [], [], [])
      var seen: Set<String> = []
      for url in input.directory.compactMap({ stated($0.logoURL) }) where seen.insert(url).inserted {
        guard let file = logoFile(of: url) else {
          tooLong.append(url)
          continue
        }
        if await cache.read(file) != nil {
          if !cache.knows(file) { cache.note(file, of: url, at: now(ports)) }
        } else {
          guard case .image(let bytes) = try await fetchLogo(url, ports.http) else {
            missing.append(url)
            continue
          }
          try await cache.write(bytes, file, of: url, at: now(ports))
          fetched.append(url)
        }
        files.append((url, file))
      }
      try await cache.commit()
      return Output(files: NamedMembers(files), fetched: fetched, missing: missing, tooLong: tooLong, removed: removed)
    }
  }

  /// `securenode/clear-logos`
  package enum ClearLogos: StepHandler {
    package static let about = About("securenode/clear-logos", "Empties a folder of cached pictures.", effect: .idempotent)
    package static let example = Example(with: #"{"folder": "out"}"#, outputs: #"{"removed": []}"#)

    package struct Input: Sendable { let folder: String }

    package struct Output: Sendable { let removed: [String] }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let all = try await ports.files.names(in: input.folder)
      let own = all.filter { LogoCache.isPicture($0) || $0 == LogoCache.indexName }
      for file in own { try await ports.files.remove(LogoCache.place(of: file, in: input.folder)) }
      return Output(removed: own.filter(LogoCache.isPicture))
    }
  }
}

extension SecureNode.GetLogo.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    url = field("url", "The `logo_url` of a number.", minLength: 1)
    folder = field("folder", "Where pictures are kept, from the flow's folder on, which must be there; nowhere unless given.", minLength: 1)
  }
}

extension SecureNode.GetLogo.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    found = field("found", "Whether there is a picture.")
    fromCache = field("from_cache", "Whether it lay in the folder.")
    image = field("image", "Its bytes.")
    size = field("size", "How many.")
    file = field("file", "The name of its file; missing where the URL is too long for one.")
    problem = field("problem", "Why there is none.")
  }
}

extension SecureNode.CacheLogos.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    directory = field("directory", "The numbers whose pictures are kept.")
    folder = field("folder", "Where, from the flow's folder on, which must be there.", minLength: 1)
  }
}

extension SecureNode.CacheLogos.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    files = field("files", "The file of each picture that is there, by its URL.")
    fetched = field("fetched", "The URLs of those that were fetched now.")
    missing = field("missing", "The URLs of those that could not be had.")
    tooLong = field("too_long", "The URLs that are too long for the name of a file, which are not kept.")
    removed = field("removed", "The files that were thrown away for their age.")
  }
}

extension SecureNode.ClearLogos.Input: DescribedRecord {
  package init(_ field: inout Fields) { folder = field("folder", "The folder, from the flow's folder on.", minLength: 1) }
}

extension SecureNode.ClearLogos.Output: DescribedRecord {
  package init(_ field: inout Fields) { removed = field("removed", "The files of the pictures that are gone.") }
}
