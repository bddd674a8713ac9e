/// Writes OTLP requests in protobuf as OTLP JSON, a line for each signal, without recursion.
///
/// Fields come in the order of the .proto files whatever their order on the wire: a message is read once to
/// find its fields, then they are written. What JSON has no place for is counted.
struct ProtobufTranscoder: ~Copyable {
  /// What became of a request.
  enum Outcome: Equatable {
    case written
    /// Nothing of traces, logs or metrics: another message, or profiles, whose form is not settled yet.
    case foreign
    case malformed
  }

  /// One occurrence of a field.
  struct Entry {
    var value: UInt64
    var bytes: UnsafeRawBufferPointer
    /// The next of the same field; -1 at the end.
    var next: Int
    var isBytes: Bool
  }

  /// The occurrences of one field of an open message; -1 for none.
  struct Chain {
    var first = -1
    var last = -1
  }

  /// A message that is being written.
  struct Level {
    var message: OTLPMessage
    var plan: OTLPPlanTable.Plan
    /// Where its entries and chains begin.
    var entryMark: Int
    var chainMark: Int
    /// The field that is written.
    var slot = -1
    /// The next element of the list that is open; -1 at its end.
    var element = -1
    var isInList = false
    /// Bytes of output before the list, or before the record if this is one.
    var listMark = 0
    var recordMark = -1
  }

  /// Fields that no version of OTLP known here has.
  var unknownFields = 0
  /// Ids whose length no id has: they name nothing, and other readers refuse the request for them.
  var uselessIDs = 0
  /// Records that could not be read and were left out.
  var malformedRecords = 0
  let table = OTLPPlanTable()
  var entries: [Entry] = []
  var chains: [Chain] = []
  var levels: [Level] = []
  /// The kind of records that is written, where a request holds several.
  var onlyKind: ProtobufRecordKind?
  var ownsEmptyScopes = true

  /// Appends the lines of a request, each with its newline; where it is malformed, nothing.
  mutating func transcode(
    _ message: UnsafeRawBufferPointer,
    into output: inout JSONOutput
  ) -> Outcome {
    let start = output.count
    guard let signals = RequestSignals(message) else { return .malformed }
    guard signals.isTelemetry else { return .foreign }
    let kinds = signals.kinds
    for (index, kind) in kinds.enumerated() {
      onlyKind = kinds.count > 1 ? kind : nil
      ownsEmptyScopes = index == 0
      let unknown = unknownFields
      guard write(message, as: kind.request, into: &output) else {
        output.rewind(to: start)
        return .malformed
      }
      // The same fields around the records were met before.
      if index > 0 { unknownFields = unknown }
      output.append(0x0A)
    }
    return .written
  }

  private mutating func write(
    _ message: UnsafeRawBufferPointer,
    as root: OTLPMessage,
    into output: inout JSONOutput
  ) -> Bool {
    entries.removeAll(keepingCapacity: true)
    chains.removeAll(keepingCapacity: true)
    levels.removeAll(keepingCapacity: true)
    entries.append(Entry(value: 0, bytes: message, next: -1, isBytes: true))
    guard enter(root, 0, merging: false, into: &output) else { return false }
    while !levels.isEmpty {
      guard step(&output) || leaveRecord(&output) else { return false }
    }
    return true
  }

  // MARK: - Levels

  /// Opens a message; false when it is malformed.
  private mutating func enter(
    _ message: OTLPMessage,
    _ entry: Int,
    merging: Bool,
    recordMark: Int = -1,
    into output: inout JSONOutput
  ) -> Bool {
    let plan = table.plan(of: message)
    var level = Level(
      message: message,
      plan: plan,
      entryMark: entries.count,
      chainMark: chains.count
    )
    level.recordMark = recordMark
    levels.append(level)
    for _ in 0..<plan.count { chains.append(Chain()) }
    var part = entry
    while part >= 0 {
      guard scan(entries[part].bytes, level) else { return false }
      part = merging ? entries[part].next : -1
    }
    output.append(0x7B)
    return true
  }

  /// Finds the fields of a message.
  private mutating func scan(_ bytes: UnsafeRawBufferPointer, _ level: Level) -> Bool {
    var reader = ProtobufReader(bytes)
    while let field = reader.next() {
      let slot = table.slot(level.message, field.number)
      guard slot != OTLPPlanTable.unknown else {
        unknownFields += 1
        continue
      }
      let found = table.field(level.plan, Int(slot))
      guard found.form.fits(field.wire) else {
        unknownFields += 1
        continue
      }
      if found.presence == .choice { dropOthers(Int(slot), level) }
      let number = entries.count
      entries.append(
        Entry(value: field.value, bytes: field.bytes, next: -1, isBytes: field.wire == .bytes)
      )
      let chain = level.chainMark &+ Int(slot)
      if chains[chain].first < 0 {
        chains[chain].first = number
      } else {
        entries[chains[chain].last].next = number
      }
      chains[chain].last = number
    }
    unknownFields += reader.skippedGroups
    return reader.fault == nil
  }

  /// Of alternatives the last on the wire counts.
  private mutating func dropOthers(_ slot: Int, _ level: Level) {
    for other in 0..<level.plan.count
    where other != slot && chains[level.chainMark &+ other].first >= 0
      && table.field(level.plan, other).presence == .choice
    {
      chains[level.chainMark &+ other] = Chain()
    }
  }

  /// Gives up the record that turned out to be malformed; false when what is around records is.
  private mutating func leaveRecord(_ output: inout JSONOutput) -> Bool {
    while let level = levels.popLast() {
      entries.removeLast(entries.count - level.entryMark)
      chains.removeLast(chains.count - level.chainMark)
      guard level.recordMark >= 0 else { continue }
      output.rewind(to: level.recordMark)
      malformedRecords += 1
      return true
    }
    return false
  }

  private mutating func leave(_ output: inout JSONOutput) {
    output.append(0x7D)
    guard let level = levels.popLast() else { return }
    entries.removeLast(entries.count &- level.entryMark)
    chains.removeLast(chains.count &- level.chainMark)
  }

  // MARK: - Fields

  /// Writes the next field or element; false when something in it is malformed.
  private mutating func step(_ output: inout JSONOutput) -> Bool {
    let top = levels.count &- 1
    if levels[top].isInList { return element(top, &output) }
    levels[top].slot &+= 1
    let level = levels[top]
    guard level.slot < level.plan.count else {
      leave(&output)
      return true
    }
    let field = table.field(level.plan, level.slot)
    let chain = chains[level.chainMark &+ level.slot]
    guard chain.first >= 0 else {
      if field.presence == .always {
        key(field, &output)
        output.append("{}")
      }
      return true
    }
    switch field.form {
    case .message:
      key(field, &output)
      return enter(field.content, chain.first, merging: true, into: &output)
    case .lastMessage:
      key(field, &output)
      return enter(field.content, chain.last, merging: false, into: &output)
    case .list, .attributes:
      if field.number == 1000, chains[level.chainMark &+ level.slot &- 1].first >= 0 {
        unknownFields += 1
        return true
      }
      levels[top].listMark = output.count
      levels[top].isInList = true
      levels[top].element = chain.first
      key(field, &output)
      output.append(0x5B)
      return true
    default:
      return scalar(field, chain, &output)
    }
  }

  @inline(__always)
  func key(_ field: OTLPField, _ output: inout JSONOutput) {
    output.separate()
    output.append(field.key)
  }

  /// Writes the next element of the open list, or ends it.
  private mutating func element(_ top: Int, _ output: inout JSONOutput) -> Bool {
    let number = levels[top].element
    guard number >= 0 else {
      levels[top].isInList = false
      // Nothing of it could be read, or it is of another signal.
      if output.isAtListStart {
        output.rewind(to: levels[top].listMark)
      } else {
        output.append(0x5D)
      }
      return true
    }
    levels[top].element = entries[number].next
    let field = table.field(levels[top].plan, levels[top].slot)
    let bytes = entries[number].bytes
    if field.form == .attributes {
      let mark = output.count
      output.separate()
      if usualPair(bytes, &output) { return true }
      output.rewind(to: mark)
    } else if onlyKind != nil, isOfAnotherKind(field.content, bytes) {
      return true
    }
    let mark = output.count
    output.separate()
    let isRecord = field.content == .span || field.content == .logRecord || field.content == .metric
    return enter(
      field.content,
      number,
      merging: false,
      recordMark: isRecord ? mark : -1,
      into: &output
    )
  }
}
