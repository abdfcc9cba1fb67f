/// The media type that a file's name tells of.
package enum FileType {
  /// By the name's ending, its case ignored; `application/octet-stream` for any other.
  package static func of(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
    return types[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
  }

  /// The last segment of a path, as a form's `filename` has it.
  package static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

  /// As registered at IANA.
  private static let types = [
    "json": "application/json", "geojson": "application/geo+json", "jsonld": "application/ld+json", "ndjson": "application/x-ndjson",
    "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml", "txt": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8", "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css",
    "md": "text/markdown; charset=utf-8", "js": "text/javascript", "pdf": "application/pdf", "zip": "application/zip",
    "gz": "application/gzip", "tar": "application/x-tar", "wasm": "application/wasm", "png": "image/png", "jpg": "image/jpeg",
    "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "svg": "image/svg+xml", "heic": "image/heic",
    "ico": "image/vnd.microsoft.icon", "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff", "mp3": "audio/mpeg",
    "m4a": "audio/mp4", "wav": "audio/vnd.wave", "ogg": "audio/ogg", "flac": "audio/flac", "mp4": "video/mp4", "webm": "video/webm",
    "mov": "video/quicktime", "pem": "application/x-pem-file", "ics": "text/calendar; charset=utf-8", "vcf": "text/vcard; charset=utf-8",
  ]
}
