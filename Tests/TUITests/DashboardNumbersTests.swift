import TUI
import TestSupport
import Testing

/// Every number of the list screens, computed by hand from `DashboardStory`.
@Suite("Numbers on the list screens")
struct DashboardNumbersTests {
  /// The row that holds a text, as words, on a screen wide enough for every column.
  private func row(_ screen: Screen, _ text: String, keys: String = "") throws -> [String] {
    var state = DashboardStory.state(width: 200, height: 60)
    state.show(screen)
    for key in try Key.list(keys) { _ = state.press(key) }
    let lines = GridText.plain(Picture.draw(state)).split(separator: "\n").map(String.init)
    let line = try #require(lines.first { $0.contains(text) })
    // Two spaces or more part the columns.
    return line.split(separator: "  ").map { $0.drop { $0 == " " } }.map(String.init)
  }

  @Test("the header says how the app does")
  func header() throws {
    let words = try row(.sessions, "TTI p90").joined(separator: " ")
    // 1100 1210 1640 1930: rank 2.7, 1,640 + 0.7 × 290.
    #expect(words.contains("launch p90 1.84 s"))
    // 400 500 600 700 800 900 1100 1200 1300 2400 2600 3400: rank 9.9, 2,400 + 0.9 × 200.
    // The mark is that of Details: 3.08 s of five.
    #expect(words.contains("TTI p90 2.58 s ■"))
    // (30 + 128 + 211) ms in 30 + 161 + 33 s.
    // The mark is that of the screen that was never timed: 15 ms/s.
    #expect(words.contains("freeze 1.6 ms/s ■"))
    // 1,200 ms, 2,310 ms, the ledger's, the open and the fatal one; not the cancelled one.
    #expect(words.contains("hangs 5 (1 open, 1 fatal) ■"))
    #expect(words.contains("leaks 11 ■"))
    #expect(words.contains("watchdog 1 ▲"))
  }

  @Test("an open session: 41 of 1,943 frames, 211 ms in 33 s, TTIs 700, 1,100 and 1,300")
  func openSession() throws {
    let row = try row(.sessions, "● open")
    // P90: rank 1.8, 1,100 + 0.8 × 200. An open hang and two leaks of one class.
    #expect(
      row.prefix(9) == [
        "● open", "12:03:58", "≥33 s", "1.64 s", "watchdog", "3", "1.26 s", "1,902", "2.1%",
      ]
    )
    #expect(row[9].hasPrefix("6.4"))
    #expect(row.suffix(3) == ["1 ●", "2", "warn"])
  }

  @Test("a clean session: 29 of 9,517 frames, 128 ms in 161 s, seven TTIs")
  func cleanSession() throws {
    let row = try row(.sessions, "✓ clean")
    // 400 500 600 900 1200 2600 3400: rank 5.4, 2,600 + 0.4 × 800.
    #expect(
      row.prefix(9) == [
        "✓ clean", "12:01:10", "2m 41s", "1.21 s", "hang", "2", "2.92 s", "9,488", "0.3%",
      ]
    )
    #expect(row[9].hasPrefix("0.8"))
    // Seven leaks of one class in its launch.
    #expect(row.suffix(3) == ["2", "8", "FAIL"])
  }

  @Test("a session that died in a hang: 800 and 2,400 ms, no frames, until 11:59:36.2")
  func lostSession() throws {
    #expect(
      try row(.sessions, "11:58:40") == [
        "✗ lost", "11:58:40", "≥56 s", "1.93 s", "–", "2", "2.24 s", "–", "–", "–", "1 F", "1",
        "FAIL",
      ]
    )
  }

  @Test(
    "the other states have their rows",
    arguments: [
      ("○ detached", "11:52:00"), ("– rejected", "11:53:00"), ("◌ stale", "11:50:00"),
      ("✗ abandoned", "12:04:10"), ("· no frames", "12:02:58"),
    ]
  )
  func states(state: String, start: String) throws {
    #expect(try row(.sessions, state)[1] == start)
  }

  @Test("a slow screen: 900, 1,200, 2,400, 2,600 and 3,400 ms")
  func slowScreen() throws {
    let row = try row(.screens, "Details")
    // P90: rank 3.6, 2,600 + 0.6 × 800. P99: rank 3.96. One visit of 10 s froze for 60 ms.
    #expect(row.prefix(5) == ["Details", "5", "2.40 s", "3.08 s", "3.37 s"])
    #expect(row.suffix(6) == ["300 ms", "1", "1", "6.0", "60.0 ms", "FAIL"])
  }

  @Test("a screen that stutters and was never timed: 300 ms in two visits of 10 s")
  func stutteringScreen() throws {
    #expect(
      try row(.screens, DashboardStory.longName) == [
        DashboardStory.longName, "–", "–", "–", "–", "–", "–", "2", "15.0", "150 ms", "FAIL",
      ]
    )
  }

  @Test("a screen of two TTIs is not judged, one within its thresholds is")
  func judgedScreens() throws {
    let search = try row(.screens, "Search")
    // 1,100 and 1,300: 1,100 + 0.5, 0.9 and 0.99 × 200.
    #expect(search.prefix(5) == ["Search", "2", "1.20 s", "1.28 s", "1.30 s"])
    #expect(search.last == "–")
    let rooms = try row(.screens, "RoomList")
    // 400 500 600 700 800: P90 700 + 0.6 × 100, P99 700 + 0.96 × 100.
    #expect(rooms.prefix(5) == ["RoomList", "5", "600 ms", "760 ms", "796 ms"])
    #expect(rooms.suffix(6) == ["100 ms", "–", "2", "0", "0 ms", "ok"])
  }

  @Test("a fragment: 100, 200, 300, 400 and 700 ms")
  func fragment() throws {
    let row = try row(.screens, "PriceCard")
    // P90: rank 3.6, 400 + 0.6 × 300, past the 500 ms of fragments. P99: 400 + 0.96 × 300.
    #expect(row.prefix(5) == ["PriceCard", "5", "300 ms", "580 ms", "688 ms"])
    #expect(row.last == "warn")
  }

  @Test(
    "hangs show their true start, 3 s before the reported one",
    arguments: [
      ("fatal F", ["11:59:30", "6.20 s", "fatal F", "Details", "✗ 11:58:40", "8.42.1"]),
      ("2.31 s", ["12:02:20", "2.31 s", "non-fatal", "RoomList", "✓ 12:01:10", "8.42.1"]),
      ("1.20 s", ["12:01:06", "1.20 s", "non-fatal", "(startup)", "✓ 12:01:10", "8.42.1"]),
      ("cancelled", ["12:02:30", "–", "cancelled", "RoomList", "✓ 12:01:10", "8.42.1"]),
      ("≥2.00 s", ["12:04:29", "≥2.00 s", "open", "Search", "● 12:03:58", "8.43.0"]),
      // A ledger line is written when what it tells has ended.
      ("700 ms", ["12:04:09", "700 ms", "non-fatal", "Inbox", "· 12:02:58", "–"]),
    ]
  )
  func hangs(text: String, expected: [String]) throws {
    #expect(try row(.hangs, text).prefix(6) == expected[...])
  }

  @Test("the fatal hang's evidence tells the shift and the launch that told it")
  func fatalEvidence() throws {
    let reported = try row(.hangs, "reported", keys: "G").joined(separator: " ")
    #expect(reported.contains("11:59:33.000 – 11:59:39.200Z, 3.00 s late"))
    let session = try row(.hangs, "told by", keys: "G").joined(separator: " ")
    #expect(session.contains("lost, from 11:58:40Z · told by the next launch at 12:01:05Z"))
  }

  @Test("the bands hold one hang each of 700, 1,200, 2,310 and 6,200 ms")
  func bands() throws {
    var state = DashboardStory.state(width: 120, height: 36)
    state.show(.hangs)
    let lines = GridText.plain(Picture.draw(state)).split(separator: "\n").map(String.init)
    let names = try #require(lines.firstIndex { $0.hasPrefix("all hangs") })
    let counts = lines[names + 1].split { $0 == " " || $0 == "█" }
    #expect(counts == ["–", "–", "1", "1", "1", "1"])
  }

  @Test(
    "leaks by class, their rate per hour of session",
    arguments: [
      // Sessions of Shop: 30 + 5 + 5 + 56.2 + 161 + 15 + 33 s; 8 in 305.2 s are 94.4 an hour.
      ["RoomListVC", "8", "8", "7", "94.4", "11:58:50", "12:02:37", "FAIL"],
      [DashboardStory.longName, "2", "2", "2", "23.6", "12:04:21", "12:04:22", "warn"],
      ["ProfileVC", "1", "1", "1", "11.8", "12:02:40", "12:02:40", "ok"],
    ]
  )
  func leaks(expected: [String]) throws {
    #expect(try row(.leaks, expected[0]) == expected)
  }

  @Test("leak warnings are sentences with their numbers")
  func leakSentences() throws {
    let worst = try row(.leaks, "■ Room")
    #expect(worst == ["■ RoomListVC leaked 7 times in one launch (5 is critical)"])
    #expect(
      try row(.leaks, "▲ Check") == [
        "▲ \(DashboardStory.longName) leaked 2 times in one launch (2 is a warning)"
      ]
    )
    #expect(try row(.leaks, "launches").last == "12:01:05 7×, 11:58:40 1×")
  }

  @Test(
    "ledger names against their budgets",
    arguments: [
      // 8, 9 and 10 s: rank 1.8, 9 + 0.8; 9,800 of 2,500 ms.
      [
        "threads.refresh", "span", "3", "9.00 s", "9.80 s", "10.0 s", "2.5 s", "3.9×", "12:03:44",
        "FAIL",
      ],
      // 1100 1200 1400 1900 3200: rank 3.6, 1,900 + 0.6 × 1,300; 2,680 of 1,000 ms.
      ["api.get", "span", "5", "1.40 s", "2.68 s", "3.20 s", "1 s", "2.7×", "12:03:14", "warn"],
      ["main.hang", "hang", "1", "700 ms", "700 ms", "700 ms", "–", "–", "12:04:10", "warn"],
      // 150 and 180 ms: 150 + 0.9 × 30.
      ["frame.hitch", "hitch", "2", "165 ms", "177 ms", "180 ms", "–", "–", "12:04:02", "–"],
      ["socket.reconnect", "note", "1", "–", "–", "–", "–", "–", "12:04:15", "–"],
      ["all names", "13", "10.0 s", "12:04:15"],
    ]
  )
  func ledger(expected: [String]) throws {
    #expect(try row(.ledger, expected[0]) == expected)
  }

  @Test(
    "ledger events with their share of the budget",
    arguments: [
      ["12:04:15.250", "socket.reconnect", "–", "–", "wifi"],
      ["12:03:44.000", "threads.refresh", "10.0 s", "4.0×"],
      ["12:03:10.000", "api.get", "1.10 s", "1.1×", "/v1/rooms/1"],
    ]
  )
  func ledgerEvents(expected: [String]) throws {
    #expect(try row(.ledger, expected[0]) == expected)
  }
}
