/// A set of attributes that the host app added to records, told apart by number.
///
/// Records with the same keys and values share one, whatever their order and encoding.
package struct AttributeSetID: Hashable, Sendable {
  package var rawValue: UInt32

  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The host added nothing.
  package static let none = AttributeSetID(0)
  /// There were attributes, but too many different sets before: these were not kept.
  package static let overflow = AttributeSetID(UInt32.max)
}

/// One attribute of the host's: a key and its value as text (numbers and truth values printed).
package struct HostAttribute: Hashable, Sendable {
  package var key: Symbol
  package var value: Symbol

  package init(key: Symbol, value: Symbol) {
    self.key = key
    self.value = value
  }
}
