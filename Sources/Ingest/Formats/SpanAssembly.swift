import Model

extension RecordAssembler {
  mutating func beginSpan(place: RecordPlace) {
    span = blankSpan
    span.place = place
    fields.reset()
  }

  mutating func spanName(_ name: UnsafeRawBufferPointer) {
    guard name.count > 0 else {
      span.name = .none
      fields.nameHash = 0
      return
    }
    fields.nameHash = ByteHash.hash(name)
    let (symbol, isTruncated) = intern(name, hash: fields.nameHash)
    span.name = symbol
    if isTruncated { fields.truncatedCount &+= 1 }
    fields.reserved = signals.reserved(of: symbol) ?? learnReserved(of: symbol)
  }

  /// As above, for a name that was read before and is neither empty nor cut.
  @inline(__always)
  mutating func spanName(_ name: Symbol, hash: UInt64) {
    fields.nameHash = hash
    span.name = name
    fields.reserved = signals.reserved(of: name) ?? learnReserved(of: name)
  }

  /// The keys that are reserved whichever of the signals that the name may stand for it is.
  @inline(never)
  private mutating func learnReserved(of name: Symbol) -> AttributeKeySet {
    let candidates = SignalNames.candidates(symbols.bytes(of: name))
    let reserved = candidates.reduce(AttributeKeySet(rawValue: .max)) {
      $0.intersection(.reserved(of: $1))
    }
    let known = candidates.isEmpty ? .reserved(of: .otherSpan) : reserved
    signals.remember(name, reserved: known)
    return known
  }

  mutating func spanStatusMessage(_ message: UnsafeRawBufferPointer) {
    guard message.count > 0 else { return }
    let hash = ByteHash.hash(message)
    fields.content &+= CanonicalHash.string(hash: hash)
    let (symbol, isTruncated) = intern(message, hash: hash)
    span.statusMessage = symbol
    if isTruncated { fields.truncatedCount &+= 1 }
  }

  /// Adds the canonical hash of something that the model does not keep (events, links, trace state).
  mutating func spanContent(_ hash: UInt64) {
    fields.content &+= hash
  }

  /// Times as they stand in the record, 0 when absent; the assembler rescales and range-checks them.
  mutating func spanTimes(start: UInt64, end: UInt64) {
    let times = RecordFlags.noStart.rawValue | RecordFlags.noEnd.rawValue
    span.flags.rawValue &= ~(times | RecordFlags.rescaledTime.rawValue)
    span.start = .zero
    span.end = .zero
    if let read = RecordTime.read(start) {
      span.start = read.time
      if read.isRescaled { span.flags.insert(.rescaledTime) }
    } else {
      span.flags.insert(.noStart)
    }
    if let read = RecordTime.read(end) {
      span.end = read.time
      if read.isRescaled { span.flags.insert(.rescaledTime) }
    } else {
      span.flags.insert(.noEnd)
    }
  }

  /// Adds one attribute; of several with the same key the first counts.
  mutating func spanAttribute(key: UnsafeRawBufferPointer, value: AttributeValue) {
    guard let known = attribute(key: key, value: value) else { return }
    spanAttribute(known, value)
  }

  /// Adds one attribute, of which the key is known (nil: none that `AttributeKey` has) and the hash of both.
  @inline(__always)
  mutating func spanAttribute(
    _ known: AttributeKey?,
    _ key: UnsafeRawBufferPointer,
    _ value: AttributeValue,
    hash: UInt64
  ) {
    guard let known = attribute(known, key, value, hash: hash) else { return }
    spanAttribute(known, value)
  }

  private mutating func spanAttribute(_ known: AttributeKey, _ value: AttributeValue) {
    switch known {
    case .screenName: fields.screen = spanText(value)
    case .fragmentName: fields.fragment = spanText(value)
    case .hangTopScreen: fields.topScreen = spanSymbol(value)
    case .sessionID: span.sessionID = spanSymbol(value)
    case .hostSessionID: span.hostSessionID = spanSymbol(value)
    case .appState: span.appState = spanSymbol(value)
    case .hangType:
      if case .string(let text) = value {
        if text.elementsEqual(symbolText("fatal")) { span.flags.insert(.fatal) }
        if text.elementsEqual(symbolText("non_fatal")) { span.flags.insert(.nonFatal) }
      }
    default:
      if let flag = known.flag, Self.isTrue(value) { span.flags.insert(flag) }
    }
  }

  /// Takes the text of an attribute that becomes a symbol, whose hash and key have been taken; its symbol.
  mutating func spanSymbol(
    _ known: AttributeKey,
    _ text: UnsafeRawBufferPointer,
    hash: UInt64
  ) -> Symbol {
    fields.expectText(hash: hash, symbol: .none)
    spanAttribute(known, .string(text))
    return fields.textSymbol
  }

  /// As above, for a text whose symbol is known, which is neither empty nor cut.
  @inline(__always)
  mutating func spanSymbol(_ known: AttributeKey, _ symbol: Symbol) {
    switch known {
    case .screenName: fields.screen = symbol
    case .fragmentName: fields.fragment = symbol
    case .hangTopScreen: fields.topScreen = symbol
    case .sessionID: span.sessionID = symbol
    case .hostSessionID: span.hostSessionID = symbol
    case .appState: span.appState = symbol
    default: break
    }
  }

  mutating func endSpan() {
    if !span.name.isPresent { span.name = symbol(symbolText("(no name)")) }
    classify()
    span.measurements = fields.measurements(for: span.signal, keys)
    span.finalAttributeCount = UInt8(
      truncatingIfNeeded: fields.seen.intersection(keys.final(of: span.signal)).count
    )
    if !fields.held.isEmpty {
      // What a name that could have been a signal's holds back, is held back in any order.
      let isOther = span.signal == .otherSpan
      span.attributes = hostAttributes(
        reserved: isOther ? fields.reserved : keys.reserved(of: span.signal),
        isOther: isOther
      )
    }
    span.attributeCount = UInt16(clamping: fields.attributeCount)
    if fields.truncatedCount > 0 { span.flags.insert(.truncated) }
    if lacksResource || lacksScope {
      wait(content: fields.content, nameHash: fields.nameHash)
    } else {
      span.resource = currentResource
      span.scopeVersion = scopeVersion
      span.content = Self.content(of: span, fields.content &+ contextHash, fields.nameHash)
      if currentResource.rawValue == 0 { announceEmptyResource() }
    }
    observeSpan()
    reportDoubts(at: span.place)
  }

  private mutating func classify() {
    let key = SignalCache.Key(name: span.name, screen: fields.screen, fragment: fields.fragment)
    let entry = signals.find(key) ?? match(key)
    span.signal = entry.signal
    span.subject = entry.signal == .appHang ? fields.topScreen : entry.subject
    if entry.isPending { span.flags.insert(.pending) }
  }

  @inline(never)
  private mutating func match(_ key: SignalCache.Key) -> SignalCache.Entry {
    let name = symbols.bytes(of: key.name)
    let match = SignalNames.match(
      name: name,
      screen: key.screen.isPresent ? symbols.bytes(of: key.screen) : nil,
      fragment: key.fragment.isPresent ? symbols.bytes(of: key.fragment) : nil
    )
    let subject: Symbol =
      switch match.subject {
      case .none: .none
      case .screenName: key.screen
      case .fragmentName: key.fragment
      // The table's bytes stay where they are while it grows.
      case .suffix(let start): symbol(UnsafeRawBufferPointer(rebasing: name[start...]))
      }
    let entry = SignalCache.Entry(
      signal: match.signal,
      subject: subject,
      isPending: match.isPending
    )
    signals.remember(key, entry)
    return entry
  }

  /// The hash of all that the span says; `sum` is that of its parts, its resource's and its scope's.
  @inline(__always)
  static func content(of span: SpanRecord, _ sum: UInt64, _ nameHash: UInt64) -> UInt64 {
    var hash = ByteHash.mix(sum ^ ByteHash.secret0, nameHash ^ ByteHash.secret1)
    hash = ByteHash.mix(
      hash ^ UInt64(bitPattern: span.start.nanoseconds),
      UInt64(bitPattern: span.end.nanoseconds) ^ ByteHash.secret2
    )
    hash = ByteHash.mix(hash ^ span.traceHigh, span.traceLow ^ ByteHash.secret3)
    hash = ByteHash.mix(hash ^ span.spanID, span.parentID ^ ByteHash.secret1)
    return ByteHash.mix(hash ^ UInt64(span.status.rawValue), ByteHash.secret2)
  }

  /// The symbol of a screen's or fragment's name, which may be empty.
  private mutating func spanText(_ value: AttributeValue) -> Symbol {
    if case .string(let bytes) = value, bytes.count == 0 { return symbol(bytes) }
    return spanSymbol(value)
  }

  private mutating func spanSymbol(_ value: AttributeValue) -> Symbol {
    let (symbol, isTruncated) = attributeSymbol(value)
    if isTruncated { fields.truncatedCount &+= 1 }
    return symbol
  }

  static func isTrue(_ value: AttributeValue) -> Bool {
    switch value {
    case .bool(let flag): flag
    case .int(let number): number == 1
    case .string(let text): text.elementsEqual("true".utf8)
    default: false
    }
  }
}
