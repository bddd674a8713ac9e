import Model

/// Resources by their content, and by the bytes that they came as.
struct ResourceCache: ~Copyable {
  private var identities: [Resource: ResourceID] = [:]
  /// Values are indices of `known`.
  private var encodings = ByteTable()
  private var known: [(id: ResourceID, content: UInt64)] = []

  private let limit: Int
  /// How often a resource beyond the limit was looked for: one that comes again may count again.
  private(set) var beyond = 0

  /// Of resources beyond `limit` nothing but the app is kept.
  init(limit: Int = .max) {
    self.limit = limit
  }

  private static let encodingLimit = 16_384
  private static let byteLimit = 16 << 20
  private static let longestEncoding = 1 << 16

  /// The resource that `remember` was told of with the very same bytes.
  func find(_ encoded: UnsafeRawBufferPointer) -> (id: ResourceID, content: UInt64)? {
    guard encoded.count > 0 else { return nil }
    return encodings.find(encoded, hash: ByteHash.hash(encoded)).map { known[$0] }
  }

  /// Keeps the bytes of a resource; forgets all others when there are too many.
  mutating func remember(_ encoded: UnsafeRawBufferPointer, id: ResourceID, content: UInt64) {
    guard encoded.count > 0, encoded.count <= Self.longestEncoding else { return }
    let hash = ByteHash.hash(encoded)
    guard encodings.find(encoded, hash: hash) == nil else { return }
    if known.count >= Self.encodingLimit || encodings.byteCount >= Self.byteLimit {
      encodings.removeAll()
      known.removeAll()
    }
    _ = encodings.insert(encoded, hash: hash, value: 0)
    known.append((id, content))
  }

  /// The id of a resource that has attributes, and whether it is new.
  ///
  /// Beyond the limit the resource is cut down to what is kept of it.
  mutating func identify(_ resource: inout Resource) -> (id: ResourceID, isNew: Bool) {
    if let id = identities[resource] { return (id, false) }
    if identities.count >= limit {
      beyond += 1
      resource = Resource(app: resource.app)
      resource.attributes = .overflow
      if let id = identities[resource] { return (id, false) }
    }
    let id = ResourceID(UInt32(truncatingIfNeeded: identities.count + 1))
    identities[resource] = id
    return (id, true)
  }
}
