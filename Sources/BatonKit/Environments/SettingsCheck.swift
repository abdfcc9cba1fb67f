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

  /// Each of them once, although several flows may call the same one.
  func findings(in file: FlowFile) -> [Diagnostic] {
    let flows = file.drafts.flatMap { [$0] + $0.calledPlans }
    let isWhole = file.plan != nil
    let all = flows.flatMap { flow in
      flow.connections.filter { !$0.isBorrowed }.flatMap { findings($0, isWhole: isWhole) }
        + needs(of: flow, isWhole: isWhole) + (isWhole ? steps(of: flow) : [])
    }
    var told: Set<Diagnostic> = []
    return all.filter { told.insert($0).inserted }
  }

  /// - Parameter isWhole: whether the flow is right in itself; where it is not, what is wrong in a setting has been said.
  private func findings(_ connection: ConnectionPlan, isWhole: Bool) -> [Diagnostic] {
    let own = environment?.connection(for: connection)
    let place = own?.place ?? connection.place
    let settings = assumed(connection)
    let violations = connection.system.settings().violations(in: settings).filter { $0.reason != .missing }
    guard violations.isEmpty else {
      guard isWhole else { return [] }
      return violations.map { Diagnostic(.invalidValue, "the connection `\(connection.alias)`: \($0.message)", at: place) }
    }
    do throws(StepFailure) {
      _ = try connection.system.endpoint(settings)
    } catch {
      if isOfMissing(error, settings) { return [] }
      return [Diagnostic(.invalidValue, "the connection `\(connection.alias)`: \(error.detail)", at: place)]
    }
    return files(of: settings, connection)
  }

  /// What the flow and the environment say of a connection, and made-up texts for what only the run tells.
  func assumed(_ connection: ConnectionPlan) -> ValueMap {
    var settings = connection.assumed
    // Nobody can look for a file whose name is made up.
    if settings["tls"]?.exposed.mapValue?.contains(where: { $0.value.exposed == .string(DataPlan.madeUpText) }) == true {
      settings["tls"] = nil
    }
    for (key, value) in environment?.connection(for: connection)?.settings ?? ValueMap() { settings[key] = value }
    return settings
  }

  /// Whether an environment that is not named here may still give what lacks.
  var mayGetMore: Bool { environment == nil && project.file != nil }

  /// Whether credentials are refused that an environment, or only the run, makes whole: nothing is known to be too much.
  private func isOfMissing(_ failure: StepFailure, _ settings: ValueMap) -> Bool {
    failure.code == "config.credentials" && mayGetMore && !settings.hasTwoProofs
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

extension ValueMap {
  /// Whether requests would prove in two ways who asks, which nothing that is added mends.
  fileprivate var hasTwoProofs: Bool {
    ["bearer", "basic", "digest", "oauth"].filter { name in self[name].map { $0.exposed != .null } ?? false }.count > 1
  }
}

extension DataPlan {
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
