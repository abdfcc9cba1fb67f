import StepKit

/// Where the files of a `tls` stand: from the project's folder on, as every path of a flow.
///
/// One that stands elsewhere is the operator's to name, with its absolute path in `baton.yaml`: a flow that could name any
/// file would show its owner's certificates to strangers.
struct TLSFilePlaces {
  let files: ProjectFiles
  /// Absolute paths that `baton.yaml` names.
  var operatorPaths: Set<String> = []

  /// The path for whoever opens the file.
  /// - Throws: `config.file` where it is no regular file, or not the flow's to name.
  func place(of path: String) throws(StepFailure) -> String {
    guard path.hasPrefix("/") else { return try files.place(of: path) }
    guard operatorPaths.contains(path) else {
      throw .file("`\(path)` cannot be read: it stands outside of the project, so that `baton.yaml` must name it, and no flow")
    }
    guard FileAccess.isRegular(path) else { throw .file("`\(path)` cannot be read: there is no such regular file") }
    return path
  }

  /// The options with the places of their files.
  func placed(_ options: TLSOptions) throws(TransportFailure) -> TLSOptions {
    guard options != TLSOptions() else { return options }
    var placed = options
    do throws(StepFailure) {
      if let path = options.caFile { placed.caFile = try place(of: path) }
      if let path = options.certificateFile { placed.certificateFile = try place(of: path) }
      if let path = options.keyFile { placed.keyFile = try place(of: path) }
    } catch {
      throw TransportFailure(.invalidRequest, sent: .no, message: error.detail)
    }
    return placed
  }
}

/// A transport whose requests name the files of their `tls` as flows do.
struct ProjectTransport: HTTPTransporting {
  let transport: any HTTPTransporting
  let places: TLSFilePlaces

  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    var placed = request
    placed.tls = try places.placed(request.tls)
    return try await transport.perform(placed)
  }
}
