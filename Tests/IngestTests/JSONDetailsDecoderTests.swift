import Model
import Testing

@testable import Ingest

@Suite("JSON details")
struct JSONDetailsDecoderTests {
  private func fields(_ text: String) -> [String] {
    withBytes(text) { JSONDetailsDecoder.decode($0) }.fields
      .map { "\($0.depth) \($0.key)=\($0.value)" }
  }

  @Test("keys show in the data's words and order, attributes as key and value")
  func span() {
    let text = #"""
      {"traceId":"01","name":"a\u00e9","kind":1,"attributes":[
        {"key":"screen.name","value":{"stringValue":"Search"}},
        {"value":{"intValue":"902"},"key":"screen.tti.ms"},
        {"key":"ok","value":{"boolValue":true}},{"key":"none","value":{}},{"key":"bare"},
        {"key":"list","value":{"arrayValue":{"values":[{"doubleValue":1.5},{"stringValue":"x"}]}}},
        {"key":"map","value":{"kvlistValue":{"values":[{"key":"in","value":{"intValue":1}}]}}}
      ],"status":{"code":2,"message":"m"},"empty":[],"flags":null}
      """#
    #expect(
      fields(text) == [
        "0 traceId=01", "0 name=aé", "0 kind=1", "0 attributes=", "1 screen.name=Search",
        "1 screen.tti.ms=902", "1 ok=true", "1 none=", "1 bare=", "1 list=", "2 [0]=1.5", "2 [1]=x",
        "1 map=", "2 in=1", "0 status=", "1 code=2", "1 message=m", "0 empty=", "0 flags=null",
      ]
    )
  }

  @Test("events show their own attributes one level deeper")
  func events() {
    #expect(
      fields(#"{"events":[{"name":"e","attributes":[{"key":"k","value":{"stringValue":"v"}}]}]}"#)
        == ["0 events=", "1 [0]=", "2 name=e", "2 attributes=", "3 k=v"]
    )
  }

  @Test("a ledger line shows as it stands")
  func ledger() {
    #expect(
      fields(#"{"ts":1.5,"name":"x","ms":412,"meta":{"a":[1,"b"]}}"#)
        == ["0 ts=1.5", "0 name=x", "0 ms=412", "0 meta=", "1 a=", "2 [0]=1", "2 [1]=b"]
    )
  }

  @Test("a persisted span shows its ids in hexadecimal and its values without their tags")
  func persisted() {
    let text = #"""
      {"traceId":{"idLo":18446744073709551615,"idHi":1},"spanId":{"id":255},"startTime":1.5,
      "attributes":{"n":{"int":{"_0":5}},"l":{"array":{"_0":{"values":[{"bool":{"_0":true}}]}}},
      "m":{"set":{"_0":{"labels":{"k":{"string":{"_0":"v"}}}}}}},"status":{"error":{"description":"e"}}}
      """#
    #expect(
      fields(text) == [
        "0 traceId=0000000000000001ffffffffffffffff", "0 spanId=00000000000000ff",
        "0 startTime=1.5", "0 attributes=", "1 n=5", "1 l=", "2 [0]=true", "1 m=", "2 k=v",
        "0 status=", "1 error=e",
      ]
    )
  }

  @Test("a printed span shows its values without the objects around them")
  func printed() {
    let text = #"""
      {"span":"x","traceId":"01","spanId":"02","start":1,"duration":2,
      "attributes":{"screen.tti.ms":{"description":"812"}}}
      """#
    #expect(fields(text).suffix(2) == ["0 attributes=", "1 screen.tti.ms=812"])
    #expect(fields(#"{"a":{"description":"x"}}"#) == ["0 a=", "1 description=x"])
  }

  @Test("long values are cut and say how long they were")
  func longValues() {
    let exact = String(repeating: "é", count: 4_096)
    #expect(fields(#"{"a":"\#(exact)"}"#) == ["0 a=\(exact)"])
    #expect(fields(#"{"a":"\#(exact)é"}"#) == ["0 a=\(exact)… (8194 bytes)"])
  }

  @Test("fields beyond the limit are counted")
  func manyFields() {
    let members = (0..<2_500).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let details = withBytes("{\(members)}") { JSONDetailsDecoder.decode($0) }
    #expect(details.fields.count == 2_000)
    #expect(details.omitted == 500)
    #expect(details.fields.last?.key == "k1999")
  }

  @Test("nesting beyond the limit is cut")
  func deep() {
    let text =
      String(repeating: #"{"a":"#, count: 5_000) + "1" + String(repeating: "}", count: 5_000)
    let shown = fields(text)
    #expect(shown.count == 65)
    #expect(shown.last == "64 a=…")
  }

  @Test("a record that breaks off shows what came before")
  func broken() {
    #expect(fields(#"{"a":1,"b":"#) == ["0 a=1", "0 (unreadable)=the value has no end"])
    #expect(fields("").isEmpty)
  }
}
