import Model

/// Decodes one top-level JSON object of OTLP, in any order of keys.
///
/// Spans and log records go to the assembler as they come; the caller holds them back in a batch until
/// the whole value has turned out to be JSON. What is counted or lost is gathered in `tally`.
struct OTLPJSONDecoder {
  /// What one top-level value held besides records.
  struct Tally {
    var metricPoints = 0
    var profiles = 0
    /// Attributes that were dropped because no attribute can look like that.
    var droppedValues = 0
    var problems: [(position: Int, text: String)] = []

    var isEmpty: Bool {
      metricPoints == 0 && profiles == 0 && droppedValues == 0 && problems.isEmpty
    }
  }

  /// The attributes of what are being read.
  enum Owner {
    case span, log, resource
    /// An event or link, whose hash is the sum returned.
    case part
  }

  let source: SourceID
  /// Offset in the stream of the scanner's index 0.
  var streamOffset: UInt64 = 0
  var tally = Tally()
  /// The object that was read last has members of a record by itself, outside of any request.
  private(set) var hasOtherRecord = false
  let keyText = JSONTextBuffer()
  let valueText = JSONTextBuffer()
  /// The key of the attribute being read, which outlasts its value's reading.
  let nameText = JSONTextBuffer()
  let recentResources = RecentResources()
  let shapes = RecordShapes()
  let recentTexts = RecentTexts()
  var recentScope = RecentScope()
  let recentOpenings = RecentOpenings()
  var frames: [OTLPJSONFrame] = []
  /// Frames that are lists.
  var openLists = 0

  init(source: SourceID) {
    self.source = source
  }

  /// Reads the object that comes next; false when it holds nothing of OTLP.
  ///
  /// An empty object is OTLP: an empty request.
  mutating func decode(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) -> Bool {
    tally = Tally()
    hasOtherRecord = false
    let start = scanner.position
    var isOTLP = false
    var isEmpty = true
    var first = true
    scanner.position &+= 1
    while let key = try scanner.nextKey(&first) {
      isEmpty = false
      switch OTLPKey(keyText.plain(key, of: scanner)) {
      case .resourceSpans, .resourceLogs, .resourceMetrics, .resourceProfiles, .batches:
        isOTLP = true
        try resourceGroups(&scanner, into: &assembler)
      case .trace:
        if try scanner.peek() == UInt8(ascii: "{"), try wrapped(&scanner, into: &assembler) {
          isOTLP = true
        } else {
          try scanner.skipValue()
        }
      case .scopes:
        // opentelemetry-java's logging exporter writes resource spans without the request around them.
        scanner.position = start
        try resourceGroup(&scanner, into: &assembler)
        return true
      case .traceId, .resource:
        hasOtherRecord = true
        try scanner.skipValue()
      default: try scanner.skipValue()
      }
    }
    return isOTLP || isEmpty
  }

  /// Reads `{"resourceSpans": …}` inside of another object; false, with nothing consumed, when it is none.
  private mutating func wrapped(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) -> Bool {
    let start = scanner.position
    var first = true
    var isOTLP = false
    scanner.position &+= 1
    while let key = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(key, of: scanner)) {
      case .resourceSpans, .resourceLogs, .batches:
        isOTLP = true
        try resourceGroups(&scanner, into: &assembler)
      default: try scanner.skipValue()
      }
    }
    if !isOTLP { scanner.position = start }
    return isOTLP
  }

  // MARK: - Resources and scopes

  private mutating func resourceGroups(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard try beginList(&scanner, "the list of resources is no array") else { return }
    var first = true
    while try scanner.nextElement(&first) {
      guard try scanner.peek() == UInt8(ascii: "{") else {
        try dropElement(&scanner, "a resource's records are no object")
        continue
      }
      try resourceGroup(&scanner, into: &assembler)
    }
  }

  /// Reads an object with a resource and its scopes, which may come in any order.
  private mutating func resourceGroup(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    assembler.resetResource()
    assembler.lacksResource = true
    var first = true
    scanner.position &+= 1
    while let key = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(key, of: scanner)) {
      case .resource:
        if try scanner.peek() == UInt8(ascii: "{") {
          try resource(&scanner, into: &assembler)
          assembler.lacksResource = false
          if let list = opening(&scanner, into: &assembler) {
            try scopeGroups(inside: list, &scanner, into: &assembler)
          }
        } else {
          try scanner.skipValue()
        }
      case .scopes: try scopeGroups(&scanner, into: &assembler)
      default: try scanner.skipValue()
      }
    }
    assembler.lacksResource = false
    assembler.completeWaiting()
  }

  /// Reads a list of scopes; `list` says that the first list of records in the first scope was entered.
  private mutating func scopeGroups(
    inside list: OTLPKey? = nil,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    var first = true
    if let list {
      first = false
      try scopeGroup(inside: list, &scanner, into: &assembler)
    } else {
      guard try beginList(&scanner, "the list of scopes is no array") else { return }
    }
    while try scanner.nextElement(&first) {
      guard try scanner.peek() == UInt8(ascii: "{") else {
        try dropElement(&scanner, "a scope's records are no object")
        continue
      }
      try scopeGroup(&scanner, into: &assembler)
    }
  }

  private mutating func scopeGroup(
    inside list: OTLPKey? = nil,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    let firstWaiting = assembler.waiting.count
    var first = true
    if let list {
      first = false
      try elements(list, &scanner, into: &assembler)
    } else {
      scanner.position &+= 1
      assembler.setScope((Symbol.none, 0))
      assembler.lacksScope = true
    }
    while let text = try scanner.nextKey(&first) {
      let key = OTLPKey(keyText.plain(text, of: scanner))
      switch key {
      case .scope:
        try scope(&scanner, into: &assembler)
        assembler.lacksScope = false
      case .spans, .logRecords, .metrics, .profiles: try records(key, &scanner, into: &assembler)
      default: try scanner.skipValue()
      }
    }
    assembler.lacksScope = false
    if firstWaiting < assembler.waiting.count { assembler.scopeWaiting(from: firstWaiting) }
  }

  // MARK: - Lists of records

  private mutating func records(
    _ key: OTLPKey,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard try beginList(&scanner, "the list of records is no array") else { return }
    try elements(key, &scanner, into: &assembler)
  }

  /// Reads the records of a list whose bracket was consumed.
  private mutating func elements(
    _ key: OTLPKey,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    var first = true
    while try scanner.nextElement(&first) {
      guard try scanner.peek() == UInt8(ascii: "{") else {
        try dropElement(&scanner, "a record is no object")
        continue
      }
      switch key {
      case .spans: try span(&scanner, into: &assembler)
      case .logRecords: try log(&scanner, into: &assembler)
      case .metrics: try metric(&scanner)
      default:
        tally.profiles += 1
        try scanner.skipValue()
      }
    }
  }

  private mutating func metric(_ scanner: inout JSONScanner) throws(JSONFault) {
    var first = true
    scanner.position &+= 1
    while let key = try scanner.nextKey(&first) {
      guard OTLPKey(keyText.plain(key, of: scanner)) == .metricData,
        try scanner.peek() == UInt8(ascii: "{")
      else {
        try scanner.skipValue()
        continue
      }
      var innerFirst = true
      scanner.position &+= 1
      while let key = try scanner.nextKey(&innerFirst) {
        guard OTLPKey(keyText.plain(key, of: scanner)) == .dataPoints,
          try scanner.peek() == UInt8(ascii: "[")
        else {
          try scanner.skipValue()
          continue
        }
        var pointFirst = true
        scanner.position &+= 1
        while try scanner.nextElement(&pointFirst) {
          tally.metricPoints += 1
          try scanner.skipValue()
        }
      }
    }
  }

  // MARK: - Tolerance

  /// Consumes the opening bracket of a list; false after null or anything else, which is dropped.
  @inline(__always)
  mutating func beginList(
    _ scanner: inout JSONScanner,
    _ complaint: StaticString
  ) throws(JSONFault) -> Bool {
    if try scanner.take(UInt8(ascii: "[")) { return true }
    try dropElement(&scanner, complaint)
    return false
  }

  /// Moves behind a value that is not what it must be; null is unset and no loss.
  @inline(never)
  mutating func dropElement(
    _ scanner: inout JSONScanner,
    _ complaint: StaticString
  ) throws(JSONFault) {
    let isNull = try scanner.peek() == UInt8(ascii: "n")
    let start = scanner.position
    try scanner.skipValue()
    if !isNull { lose(at: start, complaint) }
  }

  @inline(never)
  mutating func lose(at position: Int, _ complaint: StaticString) {
    tally.problems.append((position, complaint.description))
  }

  /// The string that comes next; nil, with the value skipped, when it is none.
  @inline(__always)
  mutating func text(_ scanner: inout JSONScanner) throws(JSONFault) -> JSONText? {
    guard try scanner.peek() == UInt8(ascii: "\"") else {
      try scanner.skipValue()
      return nil
    }
    return try scanner.string()
  }
}
