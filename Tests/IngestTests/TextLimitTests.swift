import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Limits of texts and resources")
struct TextLimitTests {
  @Test("texts beyond their bytes are other, are told apart no more, and counted each time")
  func texts() {
    let five = TableLimits.cost(ofText: 6) * 5
    var table = SymbolTable(bytes: five)
    var symbols: [Symbol] = []
    for number in 0..<10 {
      var text = "text-\(number)"
      symbols.append(text.withUTF8 { table.intern(UnsafeRawBufferPointer($0)).symbol })
    }
    #expect(Set(symbols).count == 6)
    #expect(Set(symbols.dropFirst(5)).count == 1)
    #expect(String(decoding: table.bytes(of: symbols[9]), as: UTF8.self) == "other")
    #expect(table.beyond == 5)
  }

  @Test("of resources beyond the limit the app alone is kept")
  func resources() {
    var cache = ResourceCache(limit: 2)
    var kept: [Resource] = []
    for number in 1...5 {
      var resource = Resource(app: Symbol(1))
      resource.deviceID = Symbol(UInt32(number))
      resource.content = UInt64(number)
      _ = cache.identify(&resource)
      kept.append(resource)
    }
    #expect(kept.map(\.deviceID) == [Symbol(1), Symbol(2), .none, .none, .none])
    #expect(kept.allSatisfy { $0.app == Symbol(1) })
    // What they are grouped by is not known to be absent.
    #expect(kept.map { $0.attributes == .overflow } == [false, false, true, true, true])
    #expect(cache.beyond == 3)
  }
}
