import Model

/// What a key of a ledger line means.
enum LedgerKey: Equatable {
  case name, kind, unit, time
  case detail(isRows: Bool)
  case duration(LedgerUnit)
  case other

  /// Case, `_` and `-` do not matter.
  init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= 24 else {
      self = .other
      return
    }
    self = Self.known[Self.folded(bytes)] ?? .other
  }

  static func folded(_ bytes: UnsafeRawBufferPointer) -> String {
    let kept = bytes.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    return String(decoding: kept.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private static let known: [String: LedgerKey] = [
    "name": .name, "event": .name, "n": .name, "span": .name, "evento": .name,
    "eventname": .name, "primitivename": .name,
    "kind": .kind, "type": .kind,
    "unit": .unit,
    "ts": .time, "t": .time, "at": .time, "time": .time, "timestamp": .time, "date": .time,
    "hora": .time, "tns": .time,
    "detail": .detail(isRows: false), "info": .detail(isRows: false),
    "path": .detail(isRows: false), "meta": .detail(isRows: false),
    "rows": .detail(isRows: true),
    "ms": .duration(.milliseconds), "durationms": .duration(.milliseconds),
    "dur": .duration(.milliseconds), "duration": .duration(.milliseconds),
    "elapsedms": .duration(.milliseconds), "duracaoms": .duration(.milliseconds),
    "elapsed": .duration(.milliseconds), "durms": .duration(.milliseconds),
    "durations": .duration(.seconds), "durationsec": .duration(.seconds),
    "durationseconds": .duration(.seconds), "elapseds": .duration(.seconds),
    "seconds": .duration(.seconds), "secs": .duration(.seconds),
    "durationus": .duration(.microseconds), "us": .duration(.microseconds),
    "durationns": .duration(.nanoseconds), "ns": .duration(.nanoseconds),
  ]
}

/// A unit of time; the raw value is its nanoseconds.
enum LedgerUnit: Int64 {
  case nanoseconds = 1
  case microseconds = 1_000
  case milliseconds = 1_000_000
  case seconds = 1_000_000_000

  init?(name: UnsafeRawBufferPointer) {
    guard name.count <= 16 else { return nil }
    switch String(decoding: name, as: UTF8.self).lowercased() {
    case "ns", "nanos", "nanosecond", "nanoseconds": self = .nanoseconds
    case "us", "µs", "μs", "micros", "microsecond", "microseconds": self = .microseconds
    case "ms", "millis", "millisecond", "milliseconds": self = .milliseconds
    case "s", "sec", "secs", "second", "seconds": self = .seconds
    default: return nil
    }
  }
}

/// The kind that a ledger line gives itself.
enum LedgerKind {
  case span, hang, hitch, note, payload, unknown

  init(_ bytes: UnsafeRawBufferPointer) {
    switch LedgerKey.folded(UnsafeRawBufferPointer(rebasing: bytes.prefix(24))) {
    case "span": self = .span
    case "hang": self = .hang
    case "hitch": self = .hitch
    case "note": self = .note
    case "payload", "metrickit": self = .payload
    default: self = .unknown
    }
  }
}

/// How long an event of the ledger took.
enum LedgerDuration {
  /// Nanoseconds of a number, which may have a unit of its own behind it; nil when it is no duration.
  static func read(_ text: UnsafeRawBufferPointer, _ unit: LedgerUnit) -> Int64? {
    let number = text.prefix { byte in
      byte &- 0x30 < 10 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }
    var rest = text[number.endIndex...]
    while let first = rest.first, first == 0x20 { rest.removeFirst() }
    var unit = unit
    if !rest.isEmpty {
      guard let named = LedgerUnit(name: UnsafeRawBufferPointer(rebasing: rest)) else { return nil }
      unit = named
    }
    guard
      let nanoseconds = Decimal9.read(UnsafeRawBufferPointer(rebasing: number))?
        .nanoseconds(per: unit.rawValue),
      nanoseconds >= 0
    else { return nil }
    return nanoseconds
  }
}

/// A decimal number with nine digits behind the point.
struct Decimal9: Equatable {
  var whole: Int64
  /// Billionths; of the sign of the number.
  var billionths: Int64

  /// Nil when the text is no number or lies beyond 64 bits.
  static func read(_ text: UnsafeRawBufferPointer) -> Decimal9? {
    let point = text.firstIndex(of: UInt8(ascii: "."))
    if let number = JSONNumber.parse(text), case .double(let value) = number,
      point == nil || text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") })
    {
      guard value.magnitude < 9e18 else { return nil }
      let whole = value.rounded(.towardZero)
      return Decimal9(whole: Int64(whole), billionths: Int64((value - whole) * 1e9))
    }
    guard let point else {
      return JSONNumber.parse(text)?.int64.map { Decimal9(whole: $0, billionths: 0) }
    }
    let front = UnsafeRawBufferPointer(rebasing: text[..<point])
    guard let whole = front.isEmpty ? 0 : JSONNumber.parse(front)?.int64 else { return nil }
    var billionths: Int64 = 0
    var scale: Int64 = 100_000_000
    for byte in text[(point + 1)...] {
      guard byte &- 0x30 < 10 else { return nil }
      billionths += Int64(byte &- 0x30) * scale
      scale /= 10
    }
    let isNegative = text.first == UInt8(ascii: "-")
    return Decimal9(whole: whole, billionths: isNegative ? -billionths : billionths)
  }

  /// The number times a unit; nil beyond 64 bits.
  func nanoseconds(per unit: Int64) -> Int64? {
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
    // No unit is longer than a second, so the product fits.
    let fraction = billionths * unit / 1_000_000_000
    let (sum, carry) = product.addingReportingOverflow(fraction)
    return overflow || carry ? nil : sum
  }
}
