import Values

extension ValueType {
  var isNull: Bool { self == .null }

  /// Whether a value of this type may stand where one of `other` is wanted, as far as is known.
  func fits(_ other: ValueType) -> Bool {
    switch (self, other) {
    case (.dyn, _), (_, .dyn), (.error, _), (_, .error), (.parameter, _), (_, .parameter): true
    case (.nullable(let inner), .nullable(let wanted)): inner.fits(wanted)
    case (.null, .nullable): true
    case (_, .nullable(let wanted)): fits(wanted)
    case (.int, .double), (.uint, .double), (.uint, .int): true
    case (.list(let element), .list(let wanted)): element.fits(wanted)
    case (.map(_, let value), .map(_, let wanted)): value.fits(wanted)
    case (.record(let record), .map(_, let wanted)): record.fields.allSatisfy { $0.type.fits(wanted) }
    case (.map, .record): true
    case (.record(let record), .record(let wanted)):
      wanted.fields.allSatisfy { field in record.field(field.name).map { $0.type.fits(field.type) } ?? (field.isOptional || record.isOpen) }
        && (wanted.isOpen || record.fields.allSatisfy { wanted.field($0.name) != nil })
    default: self == other
    }
  }
}
