import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Recording", .timeLimit(.minutes(2)))
struct RecordingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func recorded(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: folder.path(file))), as: UTF8.self)
  }

  /// Records what a file holds.
  private func record(_ bytes: [UInt8]) throws -> (text: String, progress: RecordProgress) {
    let name = "in-\(UUID().uuidString)"
    try folder.write(bytes, to: name)
    let file = try RecordFile(path: folder.path("out-\(name)"))
    let recording = Recording(file)
    var options = IngestOptions { Timestamp(nanoseconds: 0) }
    options.recording = recording
    let mailbox = Mailbox()
    let thread = IngestThread(
      requests: [.path(folder.path(name))],
      options: options,
      mailbox: mailbox
    )
    thread.start()
    while mailbox.waitAndTake() != nil {}
    thread.join()
    return (try recorded("out-\(name)"), recording.progress)
  }

  private static let ledger = #"{"ts":"2026-01-01T10:00:00.000Z", "name":"api.get","ms":12}"#

  @Test(
    "JSON is a line each: as it came, or without white space where it was of several lines",
    arguments: [
      // One line as it came, also with blanks, odd keys and ids.
      (#"{"resourceSpans": [ ] , "x":"\u00e9"}"#, #"{"resourceSpans": [ ] , "x":"\u00e9"}"# + "\n"),
      (
        #"{"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"AQIDBAUGBwgJCgsMDQ4PEA=="}]}]}]}"#,
        #"{"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"AQIDBAUGBwgJCgsMDQ4PEA=="}]}]}]}"#
          + "\n"
      ),
      (ledger + "\r\n\r\n" + ledger, ledger + "\n" + ledger + "\n"),
      // Values without a newline between them, in arrays, behind a prefix.
      (
        #"{"resourceSpans":[]}{"resourceLogs":[]}"#,
        "{\"resourceSpans\":[]}\n{\"resourceLogs\":[]}\n"
      ),
      (
        "[{\"resourceSpans\":[]},\n {\"resourceLogs\":[]}]",
        "{\"resourceSpans\":[]}\n{\"resourceLogs\":[]}\n"
      ),
      (#"2026-01-01T00:00:00Z stdout F {"resourceSpans":[]}"#, "{\"resourceSpans\":[]}\n"),
      // Several lines.
      (
        "{\r\n  \"resourceSpans\" : [ ],\n\t\"x\": \"a \\\" { b\\\\\" ,\n \"n\": [1, 2.5e3 , true]\n}\n",
        #"{"resourceSpans":[],"x":"a \" { b\\","n":[1,2.5e3,true]}"# + "\n"
      ),
      // What says nothing is left out.
      ("{}\nno telemetry\n{\"foo\":1}\n" + ledger, ledger + "\n"),
    ]
  )
  func json(input: String, expected: String) throws {
    let result = try record(Array(input.utf8))
    #expect(result.text == expected)
    #expect(result.progress.bytes == UInt64(expected.utf8.count))
    #expect(result.progress.lines == expected.utf8.count { $0 == 0x0A })
  }

  @Test("a line that is not UTF-8 gets U+FFFD, for other readers refuse it")
  func notUTF8() throws {
    let line = Array("{\"resourceSpans\":[],\"é\":\"".utf8)
    let result = try record(line + [0x61, 0xFF, 0x62, 0xE2, 0x82] + Array("\"}\n".utf8))
    #expect(result.text == "{\"resourceSpans\":[],\"é\":\"a\u{FFFD}b\u{FFFD}\"}\n")
    #expect(result.progress.repairs == 2)
  }

  @Test("a length-prefixed protobuf file becomes JSON lines, and what was left out is counted")
  func protobuf() throws {
    let unknown = ProtobufBytes.number(77, 1)
    let messages = ["one", "two"].flatMap {
      ProtobufBytes.framed(ProtobufBytes.request([ProtobufBytes.span($0, adding: unknown)]))
    }
    let result = try record(messages)
    #expect(result.text.split(separator: "\n").count == 2)
    #expect(decodeJSON(result.text).names() == ["one", "two"])
    #expect(result.progress.unknownFields == 2)
  }

  @Test("a file that holds something is not touched unless it may be replaced")
  func replaces() throws {
    try folder.write("kept\n", to: "kept")
    let file = try RecordFile(path: folder.path("kept"))
    #expect(throws: RecordFileFailure.self) { try file.begin(replacing: false) }
    #expect(try recorded("kept") == "kept\n")
    try file.begin(replacing: true)
    #expect(try recorded("kept").isEmpty)
    #expect(throws: RecordFileFailure(text: "there is no such folder")) {
      try RecordFile(path: folder.path("missing/file"))
    }
  }

  @Test("a file knows that it is a source itself, or lies in a folder that is one")
  func sources() throws {
    for name in ["own", "other"] { try folder.write("", to: name) }
    let file = try RecordFile(path: folder.path("own"))
    #expect(file.isRead(from: folder.path("own")))
    #expect(file.isRead(from: folder.path("")))
    #expect(!file.isRead(from: folder.path("other")))
    #expect(!file.isRead(from: folder.path("missing")))
  }

  // MARK: - Requests

  @Test("a request is in the file when it has been answered")
  func acknowledged() throws {
    let file = try RecordFile(path: folder.path("out"))
    let probe = try ReceiverProbe(recording: Recording(file))
    let client = try probe.client()
    for number in 0..<5 {
      client.post(RequestBodies.protobuf(number), type: "application/x-protobuf")
      #expect(client.answer()?.status == 200)
      #expect(try decodeJSON(recorded("out")).spans.count == 2 * number + 1)
      client.post(RequestBodies.json(number + 100))
      #expect(client.answer()?.status == 200)
      #expect(try decodeJSON(recorded("out")).spans.count == 2 * number + 2)
    }
  }

  @Test("what cannot be recorded is not acknowledged, and ends the run")
  func full() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let recording = Recording(try RecordFile(path: "/dev/full"))
    let probe = try ReceiverProbe(recording: recording)
    let client = try probe.client()
    client.post(RequestBodies.protobuf(1), type: "application/x-protobuf")
    #expect(client.answer()?.status != 200)
    probe.waitForEnd()
    #expect(recording.progress.problem == "no space left on device")
    #expect(recording.progress.lines == 0)
  }

  @Test("the request that brings the last span is recorded whole and acknowledged, none after it")
  func limit() throws {
    let file = try RecordFile(path: folder.path("out"))
    var ending = LiveLimits()
    ending.spans = 2
    let probe = try ReceiverProbe(recording: Recording(file), ending: ending)
    let client = try probe.client()
    let spans = (0..<3).map { ProtobufBytes.span("work \($0)") }
    client.post(RequestBodies.protobuf(1), type: "application/x-protobuf")
    #expect(client.answer()?.status == 200)
    client.post(ProtobufBytes.request(spans), type: "application/x-protobuf")
    #expect(client.answer()?.status == 200)
    client.post(RequestBodies.protobuf(2), type: "application/x-protobuf")
    #expect(client.answer()?.status != 200)
    probe.waitForEnd()
    #expect(try decodeJSON(recorded("out")).spans.count == 4)
    #expect(probe.spanNames == 4)
  }
}
