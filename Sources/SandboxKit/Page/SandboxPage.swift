import HTTPTypes
import Values

/// `GET /_sandbox` in a browser: what came in, what went out, and what each system knows. It holds no script, and asks for
/// nothing but itself.
struct SandboxPage {
  private let sandbox: Sandbox
  /// The newest ones; the whole list is behind `/_sandbox/requests`.
  private static let shown = 200

  init(_ sandbox: Sandbox) { self.sandbox = sandbox }

  var reply: SandboxReply {
    SandboxReply(
      status: 200,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'",
      ], body: Array(text.utf8))
  }

  private var text: String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Baton sandbox</title><style>\(Self.style)</style></head><body>
    <header><h1>Sandbox</h1><p>\(sandbox.systemNames.map { "<a href=\"#\(HTML.escaped($0))\">\(HTML.escaped($0))</a>" }.joined(separator: " "))</p>
    <p class="quiet">its clock says \(sandbox.clock.now().text) · reload for what came since</p></header>
    \(requests)
    \(messages)
    \(systems)
    </body></html>

    """
  }

  private var requests: String {
    let all = sandbox.requests
    guard !all.isEmpty else { return "<section><h2>Requests</h2><p class=\"quiet\">none yet</p></section>" }
    let rows = all.suffix(Self.shown).reversed().map { request in
      """
      <tr class="\(Self.tone(request.status))"><td>\(request.number)</td><td>\(request.at.text)</td><td>\(HTML.escaped(request.system))</td>\
      <td><b>\(HTML.escaped(request.method))</b> \(HTML.escaped(request.path))</td><td>\(request.status)</td>\
      <td>\(HTML.escaped(request.faults.joined(separator: ", ")))</td></tr>
      """
    }
    let note = all.count > Self.shown ? ", the newest \(Self.shown) here" : ""
    return """
      <section><h2>Requests</h2><p class="quiet">\(sandbox.requestCount) in all\(note) · <a href="/_sandbox/requests">as JSON</a> · \
      <a href="/_sandbox/counts">counted by route</a></p>
      <table><thead><tr><th>#</th><th>at</th><th>system</th><th>request</th><th>status</th><th>fault</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></section>
      """
  }

  private var messages: String {
    let all = sandbox.messages()
    guard !all.isEmpty else { return "<section><h2>Messages</h2><p class=\"quiet\">none yet</p></section>" }
    let rows = all.suffix(Self.shown).reversed().map { message in
      let text = [message.subject, message.text, message.body == .null ? "" : message.body.redacted.json()].filter { !$0.isEmpty }
      return """
        <tr><td>\(message.at.text)</td><td>\(message.channel.rawValue)</td><td>\(HTML.escaped(message.recipient))</td>\
        <td>\(HTML.escaped(text.joined(separator: " · ")))</td><td><code>\(HTML.escaped(message.code ?? ""))</code></td></tr>
        """
    }
    return """
      <section><h2>Messages</h2><p class="quiet"><a href="/_sandbox/outbox">as JSON</a></p>
      <table><thead><tr><th>at</th><th>by</th><th>to</th><th>what</th><th>code</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></section>
      """
  }

  private var systems: String {
    let overview = sandbox.overview
    return sandbox.systemNames.map { name in
      """
      <section id="\(HTML.escaped(name))"><h2>\(HTML.escaped(name))</h2>\
      <p class="quiet"><a href="/_sandbox/openapi/\(HTML.escaped(name)).json">OpenAPI</a></p>
      <pre>\(HTML.escaped((overview[name] ?? .null).redacted.json(indent: 2)))</pre></section>
      """
    }.joined(separator: "\n")
  }

  private static func tone(_ status: Int) -> String {
    switch status {
    case ..<400: "good"
    case ..<500: "refused"
    default: "broken"
    }
  }

  private static let style = """
    :root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 15%,transparent)}
    body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
    h1,h2{line-height:1.2;margin:1.6rem 0 .3rem}.quiet{opacity:.65;margin:.2rem 0}header a{margin-right:.6rem}
    table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line);\
    vertical-align:top;overflow-wrap:anywhere}
    pre{background:var(--line);padding:.8rem;overflow:auto;max-height:24rem}
    .good td:nth-child(5){color:#2a8a3e}.refused td:nth-child(5){color:#b06a00}.broken td:nth-child(5){color:#c62828;font-weight:600}
    """
}

/// Text in a page.
private enum HTML {
  /// The text as content or as a quoted attribute.
  static func escaped(_ text: String) -> String {
    var out = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      default: out.unicodeScalars.append(character)
      }
    }
    return out
  }
}
