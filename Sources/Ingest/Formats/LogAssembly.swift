import Model

extension RecordAssembler {
  private static let bodyScalars = 256

  mutating func beginLog(place: RecordPlace) {
    log = LogRecord(place: place)
    fields.reset()
  }

  mutating func logBody(_ value: AttributeValue) {
    // A body without a value says as little as none: the Collector writes `{}` for both.
    if case .empty = value {
    } else {
      fields.content &+= CanonicalHash.attribute(
        keyHash: ByteHash.secret3,
        valueHash: CanonicalHash.value(value)
      )
    }
    fields.isLeak = false
    fields.body.removeAll(keepingCapacity: true)
    switch value {
    case .string(let text):
      fields.isLeak = text.elementsEqual(symbolText("view_controller_leak"))
      // A scalar has 4 bytes at most.
      if !fields.isLeak { fields.body.append(contentsOf: text.prefix(Self.bodyScalars * 4)) }
    case .bool(let flag): fields.body.append(contentsOf: (flag ? "true" : "false").utf8)
    case .int(let number): fields.body.append(contentsOf: String(number).utf8)
    case .double(let number): fields.body.append(contentsOf: String(number).utf8)
    case .composite, .empty: break
    }
    if fields.isLeak { fields.reserved = keys.reserved(of: .leak) }
  }

  mutating func logEventName(_ name: UnsafeRawBufferPointer) {
    guard name.count > 0 else { return }
    fields.content &+= CanonicalHash.text(field: 12, name)
    let (symbol, isTruncated) = intern(name, hash: ByteHash.hash(name))
    fields.eventName = symbol
    if isTruncated { fields.truncatedCount &+= 1 }
  }

  /// Adds one attribute; of several with the same key the first counts.
  mutating func logAttribute(key: UnsafeRawBufferPointer, value: AttributeValue) {
    guard let known = attribute(key: key, value: value) else { return }
    logAttribute(known, value)
  }

  /// Adds one attribute, of which the key is known (nil: none that `AttributeKey` has) and the hash of both.
  mutating func logAttribute(
    _ known: AttributeKey?,
    _ key: UnsafeRawBufferPointer,
    _ value: AttributeValue,
    hash: UInt64
  ) {
    guard let known = attribute(known, key, value, hash: hash) else { return }
    logAttribute(known, value)
  }

  private mutating func logAttribute(_ known: AttributeKey, _ value: AttributeValue) {
    switch known {
    case .className:
      let (symbol, isTruncated) = attributeSymbol(value)
      fields.className = symbol
      if isTruncated { fields.truncatedCount &+= 1 }
    case .instanceIdentifier: log.instance = CanonicalHash.value(value) | 1
    case .sessionID: log.sessionID = attributeSymbol(value).symbol
    default:
      if let flag = known.flag, Self.isTrue(value) { log.flags.insert(flag) }
    }
  }

  /// Adds the canonical hash of something that the model does not keep (ids, severity text, flags).
  mutating func logContent(_ hash: UInt64) {
    fields.content &+= hash
  }

  /// Times as they stand in the record, 0 when absent.
  mutating func logTimes(time: UInt64, observed: UInt64) {
    log.flags.remove([.noStart, .rescaledTime])
    log.time = .zero
    if let read = RecordTime.read(time) ?? RecordTime.read(observed) {
      log.time = read.time
      if read.isRescaled { log.flags.insert(.rescaledTime) }
    } else {
      log.flags.insert(.noStart)
    }
  }

  mutating func endLog() {
    if fields.isLeak {
      log.signal = .leak
      log.subject = fields.className
    } else {
      log.subject = fields.eventName.isPresent ? fields.eventName : bodySymbol()
    }
    if !fields.held.isEmpty {
      log.attributes = hostAttributes(
        reserved: keys.reserved(of: log.signal),
        isOther: !fields.isLeak
      )
    }
    if fields.truncatedCount > 0 { log.flags.insert(.truncated) }
    if lacksResource || lacksScope {
      wait(content: fields.content, nameHash: 0)
    } else {
      log.resource = currentResource
      log.content = Self.content(of: log, fields.content &+ contextHash)
      if currentResource.rawValue == 0 { announceEmptyResource() }
    }
    observe(.log(log))
    reportDoubts(at: log.place)
  }

  /// The hash of all that the record says; `sum` is that of its parts, its resource's and its scope's.
  static func content(of log: LogRecord, _ sum: UInt64) -> UInt64 {
    ByteHash.mix(
      sum ^ UInt64(bitPattern: log.time.nanoseconds),
      UInt64(log.severity) ^ ByteHash.secret2
    )
  }

  private mutating func bodySymbol() -> Symbol {
    guard !fields.body.isEmpty else { return .none }
    var text = String(
      String.UnicodeScalarView(
        String(decoding: fields.body, as: UTF8.self).unicodeScalars.prefix(Self.bodyScalars)
      )
    )
    return text.withUTF8 { symbol(UnsafeRawBufferPointer($0)) }
  }
}
