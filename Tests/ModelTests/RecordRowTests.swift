import TestSupport
import Testing

@testable import Model

@Suite("Rows")
struct RecordRowTests {
  private static let place = RecordPlace(
    source: SourceID(.max),
    offset: 1 << 44 - 1,
    length: .max
  )

  @Test("a row has 80 bytes")
  func size() {
    #expect(MemoryLayout<RecordRow>.stride == 80)
  }

  @Test("everything in a row can be as large as its table, and nothing disturbs anything else")
  func extremes() {
    for isLarge in [true, false] {
      var row = RecordRow(place: Self.place, signal: .ledgerPayload)
      let value: UInt32 = isLarge ? .max : 0
      row.setTimes(start: isLarge ? .max - 9 : .min, end: isLarge ? .max : .min + 9)
      row.flags = RecordFlags(rawValue: UInt16(truncatingIfNeeded: value))
      row.name = Symbol(isLarge ? .max : 0)
      row.subject = Symbol(isLarge ? 0 : .max)
      row.stream = StreamID(isLarge ? .max : 0)
      row.session = Symbol(isLarge ? .max : 0)
      row.resource = ResourceID(isLarge ? 0 : .max)
      row.attributes = isLarge ? .none : .overflow
      row.outcome = isLarge ? .failed : .normal
      row.finalAttributeCount = isLarge ? 7 : 0
      row.attributeCount = isLarge ? 0 : 8_191
      row.setIdentity(spanID: 0, content: isLarge ? .max : 0)
      row.setNumbers(primary: value, secondary: isLarge ? nil : 5)
      #expect(row.place == Self.place)
      #expect(row.signal == .ledgerPayload)
      #expect(row.start == (isLarge ? .max - 9 : .min))
      #expect(row.end == row.start + 9)
      #expect(row.flags.rawValue == UInt16(truncatingIfNeeded: value))
      #expect(row.name.rawValue == (isLarge ? .max : 0))
      #expect(row.subject.rawValue == (isLarge ? 0 : .max))
      #expect(row.stream.rawValue == (isLarge ? .max : 0))
      #expect(row.session.rawValue == (isLarge ? .max : 0))
      #expect(row.resource.rawValue == (isLarge ? 0 : .max))
      #expect(row.attributes == (isLarge ? .none : .overflow))
      #expect(row.outcome == (isLarge ? .failed : .normal))
      #expect(row.finalAttributeCount == (isLarge ? 7 : 0))
      #expect(row.attributeCount == (isLarge ? 0 : 8_191))
      #expect(row.content == (isLarge ? .max : 0))
      #expect(row.primaryValue == value)
      #expect(row.secondaryValue == (isLarge ? nil : 5))
    }
  }

  private static let day: Int64 = 86_400_000_000_000
  private static let lengths: [Int64] = [
    0, 1, day + 1, 1_125_899_906_842_623, 1_125_899_906_842_624, 365 * day, Int64.max,
  ]

  @Test(
    "an end is exact up to thirteen days after the start, and within 16 microseconds beyond",
    arguments: lengths
  )
  func ends(length: Int64) {
    var row = RecordRow(place: Self.place, signal: .otherSpan)
    let start: Int64 = length == .max ? 0 : 1_767_225_600_123_456_789
    row.setTimes(start: start, end: start + length)
    let error = start + length - row.end
    let greatest: Int64 = length <= 13 * Self.day ? 0 : 16_384
    #expect(row.start == start)
    #expect(error >= 0 && error <= greatest)
  }

  @Test("a span keeps its ids and half of its content's hash, a record without identity the whole")
  func identity() {
    var span = RecordRow(place: Self.place, signal: .screenTTI)
    span.setIdentity(traceHash: .max, spanID: 3, content: 0x1234_5678_9ABC_DEF0)
    #expect(span.hasIdentity && span.spanID == 3)
    #expect(span.traceHash == 1 << 48 - 1)
    #expect(span.content == 0x1234_5678_0000_0000)
    var log = RecordRow(place: Self.place, signal: .leak)
    log.setIdentity(spanID: 3, content: 0x1234_5678_9ABC_DEF0)
    #expect(!log.hasIdentity && log.spanID == 3 && log.traceHash == 0)
    #expect(log.content == 0x1234_5678_9ABC_DEF0)
  }

  @Test("a replaced row says by which, and its trace is that of its successor")
  func replaced() {
    var store = RecordStore()
    for spanID in UInt64(1)...3 {
      var row = RecordRow(place: Self.place, signal: .screenTTI)
      row.setIdentity(traceHash: 77, spanID: spanID == 3 ? 2 : spanID, content: spanID)
      store.append(row, extra: nil)
    }
    store.crown(0, replacing: nil)
    store.crown(1, replacing: nil)
    store.crown(2, replacing: 1)
    #expect(store[0].supersededBy == 0 && store[1].supersededBy == 3)
    #expect(store[1].spanID == 2 && store.traceHash(of: store[1]) == 77)
    #expect(store.isLive(1, upTo: 2) && !store.isLive(1, upTo: 3))
    #expect(store.winner(traceHash: 77, spanID: 2) == 2)
  }

  @Test("an extra comes back as it was kept, whatever is there, in chunks without end")
  func extras() {
    var store = RecordStore()
    var generator = SeededGenerator(seed: 11)
    var kept: [RecordExtra] = []
    for _ in 0..<8_000 {
      var extra = RecordExtra()
      for slot in UInt8(1)..<UInt8(Measurements.slotCount) {
        guard let measurement = Measurement(rawValue: slot), Bool.random(using: &generator)
        else { continue }
        let value = UInt32.random(in: 0...UInt32.max, using: &generator)
        extra.measurements[measurement] = value >> UInt32.random(in: 0...31, using: &generator)
      }
      if Bool.random(using: &generator) { extra.hostSession = Symbol(.max) }
      if Bool.random(using: &generator) { extra.appState = Symbol(7) }
      if Bool.random(using: &generator) { extra.statusMessage = Symbol(300) }
      store.append(RecordRow(place: Self.place, signal: .screenRendering), extra: extra)
      kept.append(extra)
    }
    for number in kept.indices {
      #expect(store.extra(of: store[number]) == kept[number])
      #expect(store.secondary(of: store[number]) == kept[number].measurements[.secondary])
    }
    #expect(store.extra(of: RecordRow(place: Self.place, signal: .leak)) == RecordExtra())
  }

  @Test("the index finds every winner of many, and nothing else")
  func index() {
    var index = IdentityIndex()
    for row in 0..<20_000 {
      index.insert(row, traceHash: UInt64(row), spanID: UInt64(row % 7 + 1))
    }
    for row in 0..<20_000 {
      let found = index.find(traceHash: UInt64(row), spanID: UInt64(row % 7 + 1)) { $0 == row }
      #expect(found == row)
    }
    index.replace(5, with: 20_000, traceHash: 5, spanID: 6)
    #expect(index.find(traceHash: 5, spanID: 6) { $0 == 5 } == nil)
    #expect(index.find(traceHash: 5, spanID: 6) { $0 == 20_000 } == 20_000)
    #expect(index.find(traceHash: 99_999, spanID: 1) { _ in true } == nil)
  }

  @Test("what the index forgets is not found again, everything else is, whatever came in between")
  func forgetting() {
    var generator = SeededGenerator(seed: 11)
    var index = IdentityIndex()
    var known: Set<Int> = []
    var next = 0
    for _ in 0..<60_000 {
      if known.count < 500 || known.count < 5_000 && Bool.random(using: &generator) {
        // Few different hashes, so that rows stand in each other's places.
        index.insert(next, traceHash: UInt64(next % 300), spanID: 1)
        known.insert(next)
        next += 1
      } else {
        let row = Int.random(in: 0..<next, using: &generator)
        index.remove(row, traceHash: UInt64(row % 300), spanID: 1)
        known.remove(row)
      }
    }
    for row in 0..<next {
      let found = index.find(traceHash: UInt64(row % 300), spanID: 1) { $0 == row }
      #expect(found == (known.contains(row) ? row : nil))
    }
  }
}
