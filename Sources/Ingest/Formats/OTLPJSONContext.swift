import Model

// Resources and scopes, and what stands between them and their records.
extension OTLPJSONDecoder {
  // MARK: - Resources

  mutating func resource(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    if let known = recentResources.find(scanner) {
      scanner.position &+= known.pointee.count
      recentTexts.expect(.sessionID, known.pointee.session)
      return assembler.makeCurrent(known.pointee.id, content: known.pointee.content)
    }
    try newResource(&scanner, into: &assembler)
  }

  @inline(never)
  private mutating func newResource(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    let start = scanner.position
    _ = try members(of: .resource, &scanner, into: &assembler)
    assembler.endResource(encoded: UnsafeRawBufferPointer(start: nil, count: 0))
    let session = RecentTexts.Entry(assembler.pendingResource.sessionID, assembler.symbols)
    recentTexts.expect(.sessionID, session)
    recentResources.remember(
      from: start,
      scanner,
      id: assembler.currentResource,
      content: assembler.resourceContent,
      session: session
    )
  }

  // MARK: - Scopes

  /// Moves behind all that stands between a resource and the first record of its first scope, where it is as
  /// usual; the list's key, or nil, with nothing consumed.
  @inline(__always)
  mutating func opening(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) -> OTLPKey? {
    guard let known = recentOpenings.find(scanner) else {
      return newOpening(&scanner, into: &assembler)
    }
    scanner.position &+= known.pointee.count
    assembler.setScope(known.pointee.scope)
    return known.pointee.list
  }

  @inline(never)
  private mutating func newOpening(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) -> OTLPKey? {
    var inner = scanner
    do throws(JSONFault) {
      var first = false
      guard try nextKey(&inner, &first) == .scopes, try inner.take(UInt8(ascii: "[")),
        try inner.take(UInt8(ascii: "{"))
      else { return nil }
      first = true
      guard try nextKey(&inner, &first) == .scope, try inner.peek() == UInt8(ascii: "{") else {
        return nil
      }
      try scope(&inner, into: &assembler)
      let list = try nextKey(&inner, &first)
      guard list == .spans || list == .logRecords, try inner.take(UInt8(ascii: "[")) else {
        return nil
      }
      let scope = (assembler.scopeVersion, assembler.scopeHash)
      recentOpenings.remember(from: scanner.position, inner, list: list, scope: scope)
      scanner = inner
      return list
    } catch {
      // The general way finds the same and tells it.
      return nil
    }
  }

  private func nextKey(
    _ scanner: inout JSONScanner,
    _ first: inout Bool
  ) throws(JSONFault) -> OTLPKey {
    guard let text = try scanner.nextKey(&first) else { return .unknown }
    return OTLPKey(keyText.plain(text, of: scanner))
  }

  mutating func scope(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard try scanner.peek() == UInt8(ascii: "{") else { return try scanner.skipValue() }
    let start = scanner.position
    if let count = recentScope.count(scanner) {
      scanner.position = start &+ count
      return assembler.setScope((recentScope.version, recentScope.hash))
    }
    var name: JSONText?
    var version: JSONText?
    var first = true
    scanner.position &+= 1
    while let key = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(key, of: scanner)) {
      case .name: name = try text(&scanner)
      case .version: version = try text(&scanner)
      default: try scanner.skipValue()
      }
    }
    assembler.setScope(
      name: name.map { keyText.plain($0, of: scanner) },
      version: version.map { valueText.plain($0, of: scanner) }
    )
    recentScope.remember(
      from: start,
      scanner,
      version: assembler.scopeVersion,
      hash: assembler.scopeHash
    )
  }
}
