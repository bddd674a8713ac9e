import Model
import Testing
import TestSupport

@testable import Ingest

private let trace = "0102030405060708090a0b0c0d0e0f10"
private let minimal = #"{"name":"x"}"#

@Suite("OTLP JSON, tolerance")
struct OTLPJSONToleranceTests {
  @Test(
    "ids come in hex of either case, base64, base64 of hex and as UUIDs; others are no identity",
    arguments: [
      (#""\#(trace)""#, #""1112131415161718""#, true),
      (#""0102030405060708090A0B0C0D0E0F10""#, #""1112131415161718""#, true),
      (#""AQIDBAUGBwgJCgsMDQ4PEA==""#, #""ERITFBUWFxg=""#, true),
      (
        #""MDEwMjAzMDQwNTA2MDcwODA5MGEwYjBjMGQwZTBmMTA=""#, #""MTExMjEzMTQxNTE2MTcxOA==""#, true
      ),
      (#""01020304-0506-0708-090a-0b0c0d0e0f10""#, #""1112131415161718""#, true),
      (#""\u0030102030405060708090a0b0c0d0e0f10""#, #""1112131415161718""#, true),
      ("12", #""1112131415161718""#, false), (#""abc""#, #""1112131415161718""#, false),
      ("null", "null", false), (#""""#, #""""#, false),
      (#""00000000000000000000000000000000""#, #""0000000000000000""#, false),
      (#""0102030405060708090a0b0c0d0e0fxx""#, #""1112131415161718""#, false),
    ]
  )
  func ids(_ trace: String, _ span: String, _ hasIdentity: Bool) throws {
    let sink = decodeJSON(bareSpanRequest(#""traceId":\#(trace),"spanId":\#(span),"name":"x""#))
    let record = try #require(sink.spans.first)
    #expect(record.hasIdentity == hasIdentity)
    #expect(sink.problems.isEmpty)
    guard hasIdentity else { return }
    #expect(record.traceHigh == 0x0102_0304_0506_0708)
    #expect(record.traceLow == 0x090a_0b0c_0d0e_0f10)
    #expect(record.spanID == 0x1112_1314_1516_1718)
  }

  @Test(
    "times come as strings, numbers, floats without fraction and halves",
    arguments: [
      #""1787000000000000000""#, "1787000000000000000", "1.787e18", #""1.787e18""#,
      #"{"low":899645440,"high":416068360}"#, #"{"high":416068360,"low":899645440}"#,
    ]
  )
  func times(_ time: String) throws {
    let sink = decodeJSON(bareSpanRequest(#""startTimeUnixNano":\#(time),"endTimeUnixNano":null"#))
    let record = try #require(sink.spans.first)
    #expect(record.start == Timestamp(nanoseconds: 1_787_000_000_000_000_000))
    #expect(record.flags.contains(.noEnd))
  }

  @Test(
    "a span with a bad time is lost alone",
    arguments: [
      #""99999999999999999999999""#, #""-5""#, "-5", #""2026-07-20T18:02:11Z""#, "true", "[]",
      "1.5",
      #"{"a":1}"#, #"{"low":"x"}"#,
    ]
  )
  func badTimes(_ time: String) {
    let bad = #"{"name":"bad","endTimeUnixNano":\#(time)}"#
    let sink = decodeJSON(#"{"scopeSpans":[{"spans":[\#(minimal),\#(bad),\#(minimal)]}]}"#)
    #expect(sink.spans.count == 2)
    #expect(sink.problemKinds == [.malformed])
    #expect(sink.problems.first?.offset == UInt64(26 + minimal.utf8.count))
  }

  @Test(
    "enums are numbers or names, full or short, in any case; unknown ones are unset",
    arguments: [
      ("2", SpanStatus.error), (#""2""#, .error), (#""STATUS_CODE_ERROR""#, .error),
      (#""ERROR""#, .error), (#""ok""#, .ok), (#""Status_Code_Ok""#, .ok), ("99", .unset),
      (#""NOPE""#, .unset), ("null", .unset), ("1", .ok), ("1 ", .ok),
    ]
  )
  func enums(_ code: String, _ expected: SpanStatus) throws {
    let sink = decodeJSON(spanRequest(#""status":{"message":"m","code":\#(code)}"#))
    #expect(try #require(sink.spans.first).status == expected)
    #expect(sink.text(try #require(sink.spans.first).statusMessage) == "m")
  }

  @Test("kinds of spans are the same by number and by name")
  func kinds() {
    let contents = ["3", #""SPAN_KIND_CLIENT""#, #""client""#].map {
      decodeJSON(spanRequest(#""kind":\#($0)"#)).spans.map(\.content)
    }
    #expect(contents[0] == contents[1])
    #expect(contents[0] == contents[2])
    #expect(contents[0] != decodeJSON(spanRequest(#""kind":2"#)).spans.map(\.content))
  }

  @Test(
    "values say the same in every form that senders write",
    arguments: [
      (#"{"intValue":"7"}"#, #"{"intValue":7}"#), (#"{"intValue":"-7"}"#, #"{"intValue":-7}"#),
      (#"{"intValue":"7"}"#, #"{"int_value":7}"#), (#"{"intValue":"7"}"#, #"{"intValue":7.0}"#),
      (#"{"intValue":"7"}"#, #"{"intValue":{"low":7,"high":0}}"#),
      (#"{"doubleValue":3}"#, #"{"doubleValue":"3.0"}"#),
      (#"{"doubleValue":1.5}"#, #"{"doubleValue":"1.5"}"#),
      (#"{"boolValue":true}"#, #"{"boolValue":"true"}"#),
      (#"{"stringValue":"é"}"#, #"{"stringValue":"\u00e9"}"#),
      (#"{"stringValue":"x"}"#, #"{"Value":{"StringValue":"x"}}"#),
      (#"{"stringValue":"x"}"#, #"{"intValue":"7","stringValue":"x"}"#),
      (#"{"bytesValue":"+/8="}"#, #"{"bytesValue":"-_8"}"#),
      ("{}", "null"), ("{}", #"{"doubleValue":null}"#), ("{}", #"{"stringValue":null}"#),
      (
        #"{"arrayValue":{"values":[{"intValue":"1"},{}]}}"#,
        #" { "arrayValue" : { "x":[1], "values" : [ {"int_value": 1}, null ] } } "#
      ),
      (
        #"{"kvlistValue":{"values":[{"key":"a","value":{"stringValue":"b"}}]}}"#,
        #"{"kvlist_value":{"values":[{"value":{"string_value":"b"},"key":"\u0061"}]}}"#
      ),
    ]
  )
  func values(_ left: String, _ right: String) {
    let contents = [left, right].map { value in
      decodeJSON(spanRequest(#""attributes":[{"key":"k","value":\#(value)}]"#)).spans
        .map(\.content)
    }
    #expect(contents[0].count == 1)
    #expect(contents[0] == contents[1])
  }

  @Test(
    "different values have different contents",
    arguments: [
      (#"{"intValue":"7"}"#, #"{"stringValue":"7"}"#),
      (#"{"intValue":"1"}"#, #"{"doubleValue":1}"#),
      (#"{"stringValue":""}"#, "{}"), (#"{"doubleValue":"NaN"}"#, #"{"doubleValue":"Infinity"}"#),
      (#"{"arrayValue":{}}"#, #"{"kvlistValue":{}}"#),
      (
        #"{"arrayValue":{"values":[{"intValue":1},{"intValue":2}]}}"#,
        #"{"arrayValue":{"values":[{"intValue":2},{"intValue":1}]}}"#
      ),
    ]
  )
  func differences(_ left: String, _ right: String) {
    let contents = [left, right].map { value in
      decodeJSON(spanRequest(#""attributes":[{"key":"k","value":\#(value)}]"#)).spans
        .map(\.content)
    }
    #expect(contents[0] != contents[1])
  }

  @Test(
    "an attribute that cannot be one is dropped and counted, and its span stays",
    arguments: [
      #"{"key":"a","value":{"intValue":"9223372036854775808"}}"#,
      #"{"key":"a","value":{"intValue":"x"}}"#, #"{"key":"a","value":{"boolValue":"maybe"}}"#,
      #"{"key":"a","value":[1]}"#, #""text""#, #"{"key":"a","value":{"bytesValue":"%%%"}}"#,
    ]
  )
  func badAttributes(_ attribute: String) throws {
    let good = #"{"key":"session.id","value":{"stringValue":"S"}}"#
    let sink = decodeJSON(spanRequest(#""attributes":[\#(attribute),null,\#(good)]"#))
    #expect(sink.text(try #require(sink.spans.first).sessionID) == "S")
    #expect(sink.spans.first?.attributeCount == 1)
    #expect(sink.count(of: .truncatedValues) == 1)
    #expect(sink.problems.isEmpty)
  }

  @Test("attributes as an object are dropped and counted")
  func attributeObject() {
    let sink = decodeJSON(spanRequest(#""attributes":{"a":"b"}"#))
    #expect(sink.spans.count == 1)
    #expect(sink.spans.first?.attributeCount == 0)
    #expect(sink.count(of: .truncatedValues) == 1)
  }

  @Test(
    "a list that is no array is dropped and counted",
    arguments: [
      #"{"resourceSpans":{"a":1}}"#, #"{"resourceSpans":[{"scopeSpans":"x"}]}"#,
      #"{"resourceSpans":[{"scopeSpans":[{"spans":{"name":"x"}}]}]}"#, #"{"resourceSpans":[7]}"#,
      #"{"resourceSpans":[{"scopeSpans":[[]]}]}"#,
      #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[1]}]}]}"#,
    ]
  )
  func wrongLists(_ text: String) {
    let sink = decodeJSON("\(text)\n\(spanRequest(""))\n")
    #expect(sink.spans.count == 1)
    #expect(sink.problemKinds == [.malformed])
  }

  @Test("null anywhere is unset")
  func nulls() {
    let members = ["kind", "attributes", "status", "events", "links", "parentSpanId", "flags"]
      .map { "\"\($0)\":null" }.joined(separator: ",")
    let sink = decodeJSON(spanRequest(members))
    #expect(sink.spans.map(\.content) == decodeJSON(spanRequest("")).spans.map(\.content))
    #expect(decodeJSON(#"{"resourceSpans":null,"resourceLogs":[null]}"#).events.isEmpty)
    #expect(sink.problems.isEmpty && sink.count(of: .truncatedValues) == 0)
  }
}
