import HTTPTypes
package import StepKit

/// What to do with an answer that may be a redirect (RFC 9110 §15.4). libcurl follows nothing: it would carry
/// `X-API-Key` to another host and send a POST again.
package enum Redirect: Sendable {
  /// The answer is final: no redirect, or one that is not to be followed.
  case keep
  case follow(TransportRequest)
  case refuse(TransportFailure)

  /// Decides after `request`, the last of `followed` redirected ones, was answered with a status and a `Location`.
  package static func decide(status: Int, location: String?, of request: TransportRequest, limit: Int, followed: Int) -> Redirect {
    guard limit > 0, request.delivery != .once, let location, [301, 302, 303, 307, 308].contains(status) else { return .keep }
    var next = request
    let keepsMethod = !becomesGet(request.method, status: status)
    // What keeps its method and is not harmless would be the same deed a second time.
    guard !keepsMethod || request.delivery == .repeatable || isSafe(request.method) else { return .keep }

    let from: Target
    let to: Target
    do {
      from = try Target(request.url)
      to = try Target(location, relativeTo: from.url)
    } catch {
      return .refuse(
        TransportFailure(.invalidRequest, sent: .yes, message: "the redirect to `\(shown(location))` is refused: \(error.message)"))
    }
    guard from.scheme == to.scheme || to.scheme == "https" else {
      return .refuse(
        TransportFailure(.invalidRequest, sent: .yes, message: "the redirect from `https` to `http` at \(to.authority) is refused"))
    }
    if !keepsMethod {
      next.method = request.method == .head ? .head : .get
      next.body = nil
      next.headers = next.headers.filter { !isAboutContent($0.name) }
    }
    if !from.isSameOrigin(as: to) {
      // A body may hold secrets as well as a header does.
      guard next.body?.isEmpty ?? true else { return .keep }
      next.headers = next.headers.filter { isHarmless($0.name) }
    }
    guard followed < limit else {
      return .refuse(
        TransportFailure(.tooManyRedirects, sent: .yes, message: "more than \(limit) redirects, the last to \(to.authority)"))
    }
    next.url = to.url
    return .follow(next)
  }

  private static func becomesGet(_ method: HTTPRequest.Method, status: Int) -> Bool {
    switch status {
    case 303: method != .get && method != .head
    case 301, 302: method == .post
    default: false
    }
  }

  private static func isSafe(_ method: HTTPRequest.Method) -> Bool {
    [.get, .head, .options, .trace].contains(method)
  }

  private static func isAboutContent(_ name: HTTPField.Name) -> Bool {
    name.canonicalName.hasPrefix("content-")
  }

  /// The caller's headers that may go to another origin; everything else could be a secret.
  private static func isHarmless(_ name: HTTPField.Name) -> Bool {
    [.accept, .acceptLanguage, .acceptEncoding, .userAgent, .cacheControl].contains(name)
  }

  private static func shown(_ location: String) -> String {
    String(location.prefix(200).unicodeScalars.map { $0.escaped(asASCII: false) }.joined())
  }
}

extension HTTPFields {
  func filter(_ isKept: (HTTPField) -> Bool) -> HTTPFields {
    var kept = HTTPFields()
    for field in self where isKept(field) { kept.append(field) }
    return kept
  }
}
