import Values

/// What steps and connections say alike of the transport options, and the rules that JSON Schema has for them.
package enum TransportProse {
  package static let follow = "Whether redirects are followed, five at most, or how many; credentials stay at their origin."
  package static let proxy =
    "A proxy such as `http://proxy.example.test:3128`, `{ url, username, password }`, or `none`; without it the usual variables name one, and loopback is never proxied."
  package static let httpVersion = "`\"1.1\"`, or `\"2\"`, which needs TLS and a server that agrees; without it the two ends settle it."
  package static let tls = "Trusted roots, a certificate of one's own, and the key that the server must have."
  package static let compressed = "Whether compressed answers are asked for and undone, as they are without it."
  package static let maxBody = "How large an answer may be once it is uncompressed: bytes, or a size such as `512KB` or `10MB`."

  package static let connectTimeout = "How long it may take to connect, TLS included, such as `2s`; 10 seconds without it."
  static let rate = "How fast requests follow each other, those for tokens included: a count and its time, such as `90/1m`."

  static let tokenStore = "Whether its tokens are kept, sealed, for the next run and for others at the same time."

  package static let followRule: FieldConstraint? = rule([
    "type": ["boolean", "integer"], "minimum": 0, "maximum": .int(Int64(TransportOptions.mostRedirects)),
  ])
  package static let connectTimeoutRule: FieldConstraint? = rule(["type": "string", "pattern": "^[1-9][0-9]{0,5}(ms|s|m|h)$"])
  static let rateRule: FieldConstraint? = rule(["type": "string", "pattern": "^[1-9][0-9]{0,5}/[1-9][0-9]{0,5}(ms|s|m|h)$"])
  package static let maxBodyRule: FieldConstraint? = rule([
    "type": ["integer", "string"], "minimum": 1, "pattern": "^[1-9][0-9]* ?(B|KB|MB|GB|KiB|MiB|GiB)$",
  ])

  /// Nil for what is no JSON Schema, which a test rules out.
  private static func rule(_ schema: Value) -> FieldConstraint? { (try? SchemaShape(schema)).map(FieldConstraint.conforms) }
}

/// `tls`: what TLS needs beyond its verified default.
package struct TLSFiles: Sendable {
  let ca: String?
  let cert: String?
  let key: String?
  let pin: String?
}

extension TLSFiles: DescribedRecord {
  package init(_ field: inout Fields) {
    ca = field("ca", "A PEM file of trusted roots, instead of the system's.")
    cert = field("cert", "A PEM file with a certificate of one's own.")
    key = field("key", "A PEM file with the key of `cert`; not needed where `cert` holds it too.")
    pin = field("pin", "`sha256//` and the digest, in base64, of the public key that the server must have.")
  }
}
