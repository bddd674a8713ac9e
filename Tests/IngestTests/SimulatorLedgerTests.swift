import Foundation
import Model
import Testing

@testable import Ingest

@Suite("Demo ledger")
struct SimulatorLedgerTests {
  let lines: [Substring]
  let events: [[String: Any]]

  init() {
    let bytes = SimulatorTests.tenMinutes.filter { $0.stream == .ledger }.flatMap(\.bytes)
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    events = lines.compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
  }

  @Test("one line is torn, and the next process begins a new one")
  func tornLine() throws {
    #expect(events.count == lines.count - 1)
    let torn = try #require(lines.firstIndex { !$0.hasSuffix("}") })
    #expect(lines[torn] == #"{"ts":"2026-01-01T00:03:47.90"#)
    #expect(lines[torn + 1].contains("boot.firstFrame"))
  }

  @Test("the story's lines of 2026 begin at the first frame, 1.78 s in")
  func firstLine() {
    #expect(lines.first == #"{"ts":"2026-01-01T00:00:01.779Z","name":"boot.firstFrame","ms":1345}"#)
  }

  /// Name, budget in milliseconds (nil: recorded always), how often the story tells of it.
  @Test(
    "every seam is there as often as told, and over its budget",
    arguments: [
      ("boot.firstFrame", nil, 3), ("threads.hydrate", 500, 5), ("threads.refresh", 2500, 5),
      ("feed.openThread", 1500, 3), ("feed.foldPage", 250, 3), ("socket.connect", 3000, 5),
      ("image.load", 1000, 6), ("api.post", 1000, 2), ("socket.reconnect", nil, 3),
      ("metrickit.metric", nil, 1), ("metrickit.diagnostic", nil, 1),
    ] as [(String, Int?, Int)]
  )
  func seams(name: String, budget: Int?, count: Int) throws {
    let matching = events.filter { $0["name"] as? String == name }
    #expect(matching.count == count)
    for event in matching {
      guard let budget else { continue }
      let milliseconds = try #require(event["ms"] as? Int)
      #expect(milliseconds > budget)
    }
  }

  @Test("hangs are longer than 250 ms, hitches from 120 ms on, and slow requests name their path")
  func recorders() throws {
    let named = { (name: String) in events.filter { $0["name"] as? String == name } }
    let milliseconds = { (name: String) in named(name).compactMap { $0["ms"] as? Int } }
    // The block of the story, and runs of 16 and 22 missed frames: 17 and 23 times 16.67 ms.
    #expect(milliseconds("main.hang").sorted() == [283, 383, 4600])
    // Runs of 7, 8, 9, 9, 12 and 14 missed frames.
    #expect(milliseconds("frame.hitch").sorted() == [133, 150, 166, 166, 216, 250])
    #expect(named("api.get").allSatisfy { ($0["detail"] as? String)?.hasPrefix("/v3/") == true })
    #expect(!named("api.get").isEmpty)
  }
}
