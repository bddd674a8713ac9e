import Model
import TestSupport

/// A short random run of a few devices and a ledger: all that PerformanceSuite can say, and odd things.
struct RandomStory {
  /// Seconds after 2026-01-01 at which bytes arrive, first and last.
  static let arrivals = (first: 100_000.0, last: 103_600.0)

  private(set) var records: [WireRecord] = []
  private var random: SeededGenerator
  private var device = WireDevice()
  /// Of the whole story: what a launch, a visit or a hang is measured from.
  private var clock = 0.0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for number in 0..<pick([1, 1, 2, 3]) { tellDevice(number) }
    if chance(0.4) { tellLedger() }
    addCopies()
    addOddities()
  }

  mutating func pick<T>(_ values: [T]) -> T {
    values[Int(random.next() % UInt64(values.count))]
  }

  mutating func chance(_ probability: Double) -> Bool {
    Double(random.next() >> 11) / 9_007_199_254_740_992 < probability
  }

  /// On a coarse grid, so that equal times are common.
  private mutating func moment(_ from: Double, _ to: Double) -> Double {
    let steps = max(1, UInt64(max(0, to - from) * 2))
    return from + Double(random.next() % steps) / 2
  }

  // MARK: - Devices and launches

  private mutating func tellDevice(_ number: Int) {
    device = WireDevice(firstID: UInt64(number + 1) << 16)
    device.app = pick(["Shop", "Shop", "Mail", nil])
    device.id = pick(["D1", "D2", "D2", nil])
    device.model = pick(["iPhone15,2", nil])
    device.system = device.model == nil ? pick(["18.5.0", nil]) : "18.5.0"
    device.version = pick(["1.0", "1.1", nil])
    device.scopeVersion = pick([nil, "1.8.1", "1.11.2", "main"])
    device.prefix = pick(["", "bk.app."])
    clock = Double(pick([0, 1, 50]))
    // A clock that is right, 46 days ahead or in 1997.
    clock += pick([0, 0, 0, 0, 0, 0, 0, 0, 4_000_000, -900_000_000])
    let withSession = chance(0.5)
    for launch in 0..<pick([1, 2, 3]) {
      device.session = withSession ? "S\(number)\(pick([launch, 0]))" : nil
      tellLaunch()
      clock += Double(pick([1, 20, 400]))
    }
  }

  private mutating func tellLaunch() {
    let start = clock
    if chance(0.7) { records.append(startup(at: start)) }
    clock += Double(pick([1, 2]))
    if chance(0.25) {
      let known: WireRecord.Attributes = chance(0.5) ? ["memory.warnings_count": 2] : [:]
      records.append(
        device.watchdog(at: start + 1, known).with(chance(0.3) ? ["app.state": "active"] : [:])
      )
    }
    if chance(0.25) { records.append(fatalHang(before: start)) }
    for _ in 0..<pick([0, 1, 1, 2, 3]) { tellSegment() }
  }

  private mutating func startup(at start: Double) -> WireRecord {
    switch pick([0, 0, 0, 1, 2, 3, 4, 5]) {
    case 1: device.startup(at: start, total: 3_000_000, prewarmed: true)
    case 2: device.span("app-startup", at: start, seconds: 2, error: "shouldEmit_rejected")
    case 3: device.span("app-startup", at: start, seconds: 2, error: "measurement_cancelled")
    case 4: device.span("app-startup", at: start, seconds: 0)
    case 5: device.startup(at: start, total: 70_000)
    default:
      device.startup(
        at: start,
        total: 1200,
        ["app.startup.premain_time.ms": 300, "app.startup.main_time.ms": 900]
      )
    }
  }

  private mutating func fatalHang(before launch: Double) -> WireRecord {
    let at = moment(max(0, launch - 60), launch + 3)
    var hang = device.hang(at: at, 4000, fatal: true, ["hang.top_screen": "Home"])
    if chance(0.5) { hang["session.id"] = .text("S0\(pick([0, 1, 2]))") }
    if chance(0.3) { hang["app.session.id"] = .text("S0\(pick([0, 1]))") }
    return hang
  }

  // MARK: - Segments and what is in them

  private mutating func tellSegment() {
    let length = Double(pick([0, 3, 20, 130]))
    let start = clock
    switch pick([0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]) {
    case 0: records.append(device.session(at: start, seconds: length, 1200, 9, freeze: 40))
    case 1: records.append(device.session(at: start, seconds: length, 9, 1, withDuration: false))
    case 2:
      for part in 0..<3 {
        let at = start + Double(part) * length / 3
        records.append(
          device.session(at: at, seconds: length / 3, 60, 2, freeze: 9, withDuration: false)
        )
      }
    case 3:
      let error = pick(["user_abandon", "host"])
      records.append(device.session(at: start, seconds: length, 600, 4, error: error))
    case 4:
      records.append(device.span("app-rendering", at: start, seconds: 3, error: "user_abandon"))
    case 5:
      records.append(
        device.session(
          at: start,
          seconds: 3,
          60,
          1,
          withDuration: false,
          error: "accumulator_deinit"
        )
      )
    case 6:
      records.append(
        device.session(at: start, seconds: length, 60, 1, error: "shouldEmit_rejected")
      )
    case 7: records.append(device.span("app-rendering", at: start, seconds: 0.001))
    default: break
    }
    for _ in 0..<pick([0, 1, 2, 4]) {
      tellItem(at: moment(start - 2, start + length + 14))
    }
    clock += length + pick([1, 5, 9.999999, 10, 30, 400])
  }

  private mutating func tellItem(at time: Double) {
    let screen = pick(["Home", "Search", "a.screen-tti.b"])
    switch pick(Array(0..<15)) {
    case 0: records.append(device.tti(screen, at: time, pick([100, 350, 800])))
    case 1:
      records.append(
        device.span(
          "screen-tti.\(screen)",
          at: time,
          seconds: 2,
          ["screen.name": .text(screen)],
          error: pick(["measurement_cancelled", "shouldEmit_rejected"])
        )
      )
    case 2:
      let pending = device.span("screen-tti.pending", at: time, seconds: 0.001)
      var adopted = device.tti(screen, at: time, 700)
      adopted.id = pending.id
      adopted["screen.tti.custom_start"] = true
      records += [pending, adopted]
    case 3:
      records.append(device.span("screen-tti.pending", at: time, seconds: 1, error: "superseded"))
    case 4:
      records.append(
        device.span(
          "fragment-tti.map",
          at: time,
          seconds: 0.4,
          ["fragment.name": "map", "fragment.tti.ms": 400, "fragment.ttfr.ms": 200]
        )
      )
    case 5: records.append(device.rendering(screen, at: time, seconds: pick([1, 12]), 60, 3))
    case 6:
      records.append(
        device.span(
          "screen-rendering.\(screen)",
          at: time,
          seconds: 3,
          [
            "screen.name": .text(screen), "rendering.total_frames": 9,
            "rendering.dropped_frames": 1,
          ]
        )
      )
    case 7: records.append(device.hang(at: time, pick([300, 2500]), ["hang.top_screen": "Home"]))
    case 8:
      records.append(
        device.span("app-hang", at: time, seconds: 0.001, ["hang.during_startup": true])
      )
    case 9:
      records.append(
        device.span(
          "app-hang",
          at: time,
          seconds: 1,
          error: pick(["measurement_cancelled", "shouldEmit_rejected"])
        )
      )
    case 10, 11: records.append(device.leak("RoomVC", pick(["0x1", "0x2"]), at: time))
    case 12: records.append(device.log("disk full", at: time))
    case 13: records.append(device.span("GET /", at: time, seconds: 1, error: pick([nil, "404"])))
    default: records.append(device.tti(screen, at: time).with(["screen.tti.ready_fallback": true]))
    }
  }

  private mutating func tellLedger() {
    let start = Double(pick([0, 10, 500]))
    let names = ["boot.firstFrame", "main.hang", "frame.hitch", "api.get", "socket.reconnect"]
    for number in 0..<pick([1, 3, 8]) {
      let end = moment(start, start + 60) + Double(number) / 1000
      let length = Double(pick([0, 300, 1200])) / 1000
      var line = WireRecord(
        name: pick(names),
        start: WireRecord.time(end - length),
        end: WireRecord.time(end)
      )
      line.kind = .ledger
      records.append(line)
    }
  }

  // MARK: - Copies and odd times

  private mutating func addCopies() {
    for record in records where record.kind != .ledger {
      while chance(0.25) { records.append(copy(of: record)) }
    }
  }

  private mutating func copy(of record: WireRecord) -> WireRecord {
    var copy = record
    if record.kind == .log {
      // The same leak with something else besides.
      copy["note"] = .text(pick(["a", "b"]))
      if chance(0.2) { copy["session.id"] = "S9" }
      return copy
    }
    switch pick(Array(0..<9)) {
    case 0:
      copy.attributes.removeAll { $0.key.hasSuffix(".ms") || $0.key.hasPrefix("rendering") }
      copy.end = copy.start + 1_000_000
    case 1:
      copy["app.session.duration.ms"] = nil
      copy["rendering.total_frames"] = 5
      copy.end = (copy.start + copy.end) / 2
    case 2:
      copy.status = .error("shouldEmit_rejected")
      copy.attributes.removeAll { $0.key.hasSuffix(".ms") }
    case 3: copy.status = .ok
    case 4: copy["screen.tti.ms"] = .int(pick([349, 351]))
    case 5: copy["session.id"] = .text(pick(["S00", "S8"]))
    case 6: copy.name = pick(["renamed", "app-hang", "screen-tti.Other"])
    case 7: copy.resource.removeAll { $0.key == pick(["service.version", "device.id"]) }
    default: copy.end += UInt64(pick([1_000_000, 60_000_000_000]))
    }
    return copy
  }

  private mutating func addOddities() {
    for index in records.indices where records[index].kind != .ledger {
      if records[index].kind == .span, chance(0.08) { records[index].id = 0 }
      if chance(0.06) { records[index] = odd(records[index]) }
    }
  }

  private mutating func odd(_ record: WireRecord) -> WireRecord {
    var record = record
    switch pick(Array(0..<7)) {
    case 0: record.start = 0
    case 1: record.end = 0
    case 2: record.end = .max
    case 3: record.start = .max
    case 4: (record.start, record.end) = (record.start / 1_000_000, record.end / 1_000_000)
    case 5: record.start = 900_000_000_000_000_000
    default:
      let ahead = pick([-1, 0, 1, 1800, 3600, 3601])
      let length = record.end > record.start ? record.end - record.start : 0
      record.start = WireRecord.time(Self.arrivals.first + 86_400 + Double(ahead))
      record.end = record.start + min(length, 1_000_000_000_000)
    }
    return record
  }
}
