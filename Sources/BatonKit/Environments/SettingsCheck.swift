import Diagnostics
import FlowPlan
import SourceText
import StepKit
import Values

/// Settings of connections, and transport options of steps, as far as they are known before anything is evaluated: do they
/// belong together, and are their files there?
struct SettingsCheck {
  let project: Project
  /// Whose settings stand over the flow's; nil is none.
  let environment: RunEnvironment?

  private var places: TLSFilePlaces {
    TLSFilePlaces(files: ProjectFiles(root: project.folder), operatorPaths: environment?.tlsPaths ?? [])
  }

  func findings(in plan: Plan) -> [Diagnostic] {
    let flows = [plan] + plan.calledPlans
    return flows.flatMap(\.connections).filter { !$0.isBorrowed }.flatMap(findings) + steps(of: plan)
  }

  private func findings(_ connection: ConnectionPlan) -> [Diagnostic] {
    let own = environment?.connection(for: connection)
    let place = own?.place ?? connection.place
    var settings = connection.knownSettings
    for (key, value) in own?.settings ?? ValueMap() { settings[key] = value }
    let violations = connection.system.settings().violations(in: settings).filter { $0.reason != .missing }
    guard violations.isEmpty else {
      return violations.map { Diagnostic(.invalidValue, "the connection `\(connection.alias)`: \($0.message)", at: place) }
    }
    do throws(StepFailure) {
      _ = try connection.system.endpoint(settings)
    } catch {
      // An environment that is not named here may give the other half.
      if error.code == "config.credentials", environment == nil, project.file != nil { return [] }
      return [Diagnostic(.invalidValue, "the connection `\(connection.alias)`: \(error.detail)", at: place)]
    }
    return files(of: settings, connection)
  }

  /// The files of a connection's `tls` that are not there.
  func files(of settings: ValueMap, _ connection: ConnectionPlan) -> [Diagnostic] {
    missing(settings.tlsPaths, "the connection `\(connection.alias)`: ", at: connection.place)
  }

  /// What is wrong in the transport options of steps.
  func steps(of plan: Plan) -> [Diagnostic] {
    plan.allSteps.flatMap { step -> [Diagnostic] in
      guard case .handler(let handler) = step.action, handler.step.about.name == "http" else { return [] }
      let options = handler.with.knownMembers
      do throws(StepFailure) {
        _ = try TransportOptions(options)
      } catch {
        return [Diagnostic(.invalidValue, error.detail, at: step.place)]
      }
      return missing(options.tlsPaths, "", at: step.place)
    }
  }

  private func missing(_ paths: [String], _ subject: String, at place: Place) -> [Diagnostic] {
    paths.compactMap { path in
      do throws(StepFailure) {
        _ = try places.place(of: path)
        return nil
      } catch {
        return Diagnostic(.missingFile, subject + error.detail, at: place)
      }
    }
  }
}

extension RunEnvironment {
  /// The absolute paths in the `tls` of its connections.
  var tlsPaths: Set<String> { Set(connections.values.flatMap { $0.settings.tlsPaths }.filter { $0.hasPrefix("/") }) }
}

extension ValueMap {
  /// The files that a `tls` among them names.
  fileprivate var tlsPaths: [String] {
    guard let tls = self["tls"]?.exposed.mapValue else { return [] }
    return ["ca", "cert", "key"].compactMap { tls[$0]?.exposed.stringValue }
  }
}

extension ConnectionPlan {
  /// What the flow says literally. What stands in for a user's name or password is there, whatever it will be.
  fileprivate var knownSettings: ValueMap {
    var known = settings.knownMembers
    guard case .map(let members) = settings else { return known }
    for (key, _) in members where known[key] == nil && (key == "username" || key == "password") { known[key] = .secret("unknown yet") }
    if known["oauth"] == nil, let oauth = members.first(where: { $0.key == "oauth" })?.value {
      known["oauth"] = .map(oauth.knownCredentials)
    }
    return known
  }
}

extension DataPlan {
  /// The literal members of `oauth`; those that only the run tells are there, whatever they will be.
  fileprivate var knownCredentials: ValueMap {
    var known = knownMembers
    guard case .map(let members) = self else { return known }
    let texts: Set<String> = [
      "token_url", "client_id", "client_secret", "username", "password", "refresh_token", "revocation_url", "scope", "audience",
    ]
    for (key, _) in members where known[key] == nil && texts.contains(key) { known[key] = "unknown yet" }
    return known
  }

  /// The members of a map that are literal.
  fileprivate var knownMembers: ValueMap {
    var known = ValueMap()
    if case .constant(.map(let map)) = self { return map }
    guard case .map(let members) = self else { return known }
    for (key, member) in members {
      if let value = member.known { known[key] = value }
    }
    return known
  }

  /// Nil where something must be evaluated.
  private var known: Value? {
    switch self {
    case .constant(let value): return value
    case .expression, .text, .url, .omit: return nil
    case .list(let items):
      let values = items.compactMap(\.known)
      return values.count == items.count ? .list(values) : nil
    case .map(let members):
      var map = ValueMap()
      for (key, member) in members {
        guard let value = member.known else { return nil }
        map[key] = value
      }
      return .map(map)
    }
  }
}
