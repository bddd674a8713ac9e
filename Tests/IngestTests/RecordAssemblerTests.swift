import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("The assembler turns fields into records")
struct RecordAssemblerTests {
  private let place = RecordPlace(source: SourceID(3), offset: 77, length: 12)

  @Test("a screen TTI span is assembled whole, after its definitions")
  func screenTTI() throws {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    assembler.beginResource()
    withBytes("service.name") { key in
      withBytes("Shop") { assembler.resourceAttribute(key: key, value: .string($0)) }
    }
    withBytes("service.version") { key in
      withBytes("8.1 (7)") { assembler.resourceAttribute(key: key, value: .string($0)) }
    }
    withBytes("raw") { assembler.endResource(encoded: $0) }
    assembler.beginSpan(place: place)
    assembler.span.traceHigh = 1
    assembler.span.spanID = 9
    withBytes("bk.screen-tti.Home") { assembler.spanName($0) }
    assembler.add("screen.name", "Home")
    assembler.add("screen.tti.ms", .int(350))
    assembler.add("screen.ttfr.ms", .double(120))
    assembler.add("screen.tti.ready_fallback", .bool(true))
    assembler.add("session.id", "S1")
    assembler.add("screen.tti.ms", .int(999))
    assembler.spanTimes(start: 1_700_000_000_000_000_000, end: 1_700_000_000_500_000_000)
    assembler.endSpan()
    let span = try #require(sink.spans.first)
    #expect(span.place == place)
    #expect(span.signal == .screenTTI)
    #expect(sink.text(span.subject) == "Home")
    #expect(sink.text(span.sessionID) == "S1")
    #expect(span.measurements[.primary] == 350)
    #expect(span.measurements[.secondary] == 120)
    #expect(span.flags == [.readyFallback])
    #expect(span.finalAttributeCount == 3)
    #expect(span.attributeCount == 6)
    #expect(span.start.nanoseconds == 1_700_000_000_000_000_000)
    let resource = try #require(sink.resources[span.resource])
    #expect(sink.text(resource.app) == "Shop")
    #expect(sink.text(resource.version) == "8.1 (7)")
    #expect(sink.problems.isEmpty)
  }

  @Test("a batch that is discarded leaves only definitions")
  func discard() {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    for keep in [false, true] {
      assembler.beginBatch()
      assembler.beginSpan(place: place)
      withBytes("app-hang") { assembler.spanName($0) }
      assembler.endSpan()
      #expect(sink.spans.isEmpty)
      if keep { assembler.commit() } else { assembler.discard() }
    }
    #expect(sink.spans.count == 1)
    #expect(sink.symbols.values.sorted() == ["app-hang", "unknown_service"])
  }
}
