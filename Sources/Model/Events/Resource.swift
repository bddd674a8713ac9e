/// What a resource says of the app and device that sent a record; absent attributes are `Symbol.none`.
package struct Resource: Hashable, Sendable {
  /// `service.name`, or `unknown_service` where it is absent or empty.
  package var app: Symbol
  /// `service.version`.
  package var version = Symbol.none
  /// `device.id`.
  package var deviceID = Symbol.none
  /// `device.model.identifier`.
  package var deviceModel = Symbol.none
  /// `os.name`.
  package var osName = Symbol.none
  /// `os.version`.
  package var osVersion = Symbol.none
  /// `session.id` as a resource attribute.
  package var sessionID = Symbol.none
  /// Every attribute that has no place above.
  package var attributes = AttributeSetID.none
  /// Hash over every attribute, whatever their order, so that resources that differ elsewhere stay apart.
  package var content: UInt64 = 0

  package init(app: Symbol) {
    self.app = app
  }

  /// Takes the content alone, in which everything else is contained.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(content)
  }
}
