import TestSupport
import Testing

@testable import Model

@Suite("Host attributes of rows")
struct HostAttributeRowTests {
  private let place = RecordPlace(source: SourceID(3), offset: 1 << 40, length: 9)

  @Test(
    "what shares a byte of a row does not disturb each other",
    arguments: [Outcome.normal, .ok, .rejected, .detached, .failed]
  )
  func packing(_ outcome: Outcome) {
    for final in UInt8(0)...7 {
      for attributes in [AttributeSetID.none, AttributeSetID(20_000), .overflow] {
        var row = RecordRow(place: place, signal: .screenTTI)
        row.attributes = attributes
        row.setNumbers(primary: 7, secondary: nil)
        row.outcome = .failed
        row.finalAttributeCount = final
        row.outcome = outcome
        #expect(row.outcome == outcome)
        #expect(row.finalAttributeCount == final)
        #expect(row.attributes == attributes)
        #expect(row.primaryValue == 7 && row.secondaryValue == nil)
        row.finalAttributeCount = 7 - final
        row.setNumbers(primary: nil, secondary: 8)
        #expect(row.outcome == outcome)
        #expect(row.finalAttributeCount == 7 - final)
        #expect(row.primaryValue == nil && row.secondaryValue == 8)
      }
    }
  }

  @Test("the model answers with a set's attributes, and with nothing where there are none")
  func sets() {
    let attributes = [HostAttribute(key: Symbol(1), value: Symbol(2))]
    var model = SessionModel()
    model.apply(.attributes(AttributeSetID(2), attributes))
    #expect(model.attributes(of: AttributeSetID(2)) == attributes)
    for other in [AttributeSetID.none, AttributeSetID(1), AttributeSetID(3), .overflow] {
      #expect(model.attributes(of: other).isEmpty)
    }
  }

  @Test("a span's set is its row's, whichever copy wins")
  func rows() {
    var span = SpanRecord(place: place)
    span.spanID = 1
    span.traceLow = 1
    span.signal = .screenTTI
    span.attributes = AttributeSetID(5)
    span.content = 1
    var model = SessionModel()
    model.apply(.span(span))
    #expect(model.store[0].attributes == AttributeSetID(5))
    var log = LogRecord(place: place)
    log.attributes = .overflow
    model.apply(.log(log))
    #expect(model.store[1].attributes == .overflow)
  }

  @Test(
    "a filter asks for attributes of a record and of its resource",
    arguments: [
      ("attr.experiment=B", 1), ("attr.experiment:a", 1), ("attr.experiment!=B", 2),
      ("attr.branch=main", 3), ("attr.ram>4000", 1), ("attr.ram>5000", 0), ("attr.other:a", 0),
    ]
  )
  func filter(_ text: String, _ expected: Int) throws {
    let words = ["Shop", "experiment", "A", "B", "ram", "4096", "branch", "main"]
    var model = SessionModel()
    for (index, word) in words.enumerated() {
      model.apply(.symbol(Symbol(UInt32(index + 1)), word))
    }
    func pair(_ key: UInt32, _ value: UInt32) -> HostAttribute {
      HostAttribute(key: Symbol(key), value: Symbol(value))
    }
    model.apply(.attributes(AttributeSetID(1), [pair(2, 3)]))
    model.apply(.attributes(AttributeSetID(2), [pair(2, 4), pair(5, 6)]))
    model.apply(.attributes(AttributeSetID(10_001), [pair(7, 8)]))
    var resource = Resource(app: Symbol(1))
    resource.attributes = AttributeSetID(10_001)
    model.apply(.resource(.empty, resource))
    for set in UInt32(0)...2 {
      var span = SpanRecord(place: place)
      span.spanID = UInt64(set + 1)
      span.traceLow = 1
      span.signal = .screenTTI
      span.start = Timestamp(seconds: 1_767_225_600)
      span.end = span.start
      span.attributes = AttributeSetID(set)
      model.apply(.span(span))
    }
    var filter = RecordFilter()
    filter.expression = try FilterExpression(parsing: text)
    #expect(model.overview(filter: filter).selection?.count == expected)
  }
}
