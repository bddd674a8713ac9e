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
  private let recent = RecentResources()
  let recentAttributes = RecentAttributes()
  private var recentScope = RecentScope()
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

  /// Reads an object with a resource and its scopes; scopes that come before the resource wait for it.
  private mutating func resourceGroup(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    assembler.resetResource()
    var hasResource = false
    var waiting: [Int] = []
    var first = true
    scanner.position &+= 1
    while let key = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(key, of: scanner)) {
      case .resource:
        if try scanner.peek() == UInt8(ascii: "{") {
          hasResource = true
          try resource(&scanner, into: &assembler)
        } else {
          try scanner.skipValue()
        }
      case .scopes:
        if hasResource {
          try scopeGroups(&scanner, into: &assembler)
        } else {
          waiting.append(scanner.position)
          try scanner.skipValue()
        }
      default: try scanner.skipValue()
      }
    }
    for position in waiting {
      var earlier = scanner
      earlier.position = position
      try scopeGroups(&earlier, into: &assembler)
    }
  }

  private mutating func resource(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    let start = scanner.position
    if let known = recent.find(scanner) {
      scanner.position = start &+ known.count
      return assembler.makeCurrent(known.id, content: known.content)
    }
    assembler.beginResource()
    var first = true
    scanner.position &+= 1
    while let key = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(key, of: scanner)) {
      case .attributes: _ = try attributes(of: .resource, &scanner, into: &assembler)
      default: try scanner.skipValue()
      }
    }
    assembler.endResource(encoded: UnsafeRawBufferPointer(start: nil, count: 0))
    let id = assembler.currentResource
    recent.remember(from: start, scanner, id: id, content: assembler.resourceContent)
  }

  private mutating func scopeGroups(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard try beginList(&scanner, "the list of scopes is no array") else { return }
    var first = true
    while try scanner.nextElement(&first) {
      guard try scanner.peek() == UInt8(ascii: "{") else {
        try dropElement(&scanner, "a scope's records are no object")
        continue
      }
      try scopeGroup(&scanner, into: &assembler)
    }
  }

  private mutating func scopeGroup(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    assembler.setScope(name: nil, version: nil)
    var hasScope = false
    var waiting: [(key: OTLPKey, position: Int)] = []
    var first = true
    scanner.position &+= 1
    while let text = try scanner.nextKey(&first) {
      let key = OTLPKey(keyText.plain(text, of: scanner))
      switch key {
      case .scope:
        hasScope = true
        try scope(&scanner, into: &assembler)
      case .spans, .logRecords:
        if hasScope {
          try records(key, &scanner, into: &assembler)
        } else {
          waiting.append((key, scanner.position))
          try scanner.skipValue()
        }
      case .metrics, .profiles: try records(key, &scanner, into: &assembler)
      default: try scanner.skipValue()
      }
    }
    for (key, position) in waiting {
      var earlier = scanner
      earlier.position = position
      try records(key, &earlier, into: &assembler)
    }
  }

  private mutating func scope(
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

  // MARK: - Lists of records

  private mutating func records(
    _ key: OTLPKey,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard try beginList(&scanner, "the list of records is no array") else { return }
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
