import Foundation
import Model
import TUI
import TestSupport
import Testing

/// Every key on every screen, whatever the data and the size.
@Suite("Every key at every size")
struct DashboardSweepTests {
  private static let isFull = ProcessInfo.processInfo.environment["PERFTOP_SWEEP"] == "full"

  private static let sizes: [(Int, Int)] =
    isFull
    ? stride(from: 1, through: 200, by: 7).flatMap { width in
      stride(from: 1, through: 60, by: 5).map { (width, $0) }
    }
    : [(1, 1), (7, 2), (20, 5), (60, 15), (80, 24), (79, 60), (200, 7), (133, 41), (200, 60)]

  /// Names that try to leave their place.
  private static let names = [
    "Home", "日本語の画面", "a\u{1B}[2J\u{7}b", "\u{202E}evil\u{2066}", "", "e\u{301}\u{301}\u{301}",
    "👩‍👩‍👧‍👦Family", DashboardStory.longName,
  ]

  private static func script(records: Int) -> TelemetryScript {
    var script = TelemetryScript()
    script.addSource("ledger.jsonl")
    for number in 0..<records {
      let name = names[number % names.count] + (number > 100 ? "\(number % 97)" : "")
      let time = Double(number * 7 % 5000)
      switch number % 9 {
      case 0: script.tti(name, at: time, UInt32(number * 37 % 9000))
      case 1: script.session(at: time, seconds: 20, total: 1100, dropped: 90, freeze: 400)
      case 2:
        let length = UInt32(number * 31 % 8000)
        script.hang(at: time, length, fatal: number % 4 == 0, screen: name)
      case 3: script.leak(name, at: time, instance: UInt64(number % 50))
      case 4: script.ledger(name, at: time, Int64(number * 13 % 9000), detail: name)
      case 5: script.startup(at: time)
      case 6: script.ledger("main.hang", at: time, 700, .ledgerHang)
      case 7: script.span("app-hang", .appHang, at: time, seconds: 1, subject: name)
      default:
        script.span(
          "fragment-tti." + name,
          .fragmentTTI,
          at: time,
          seconds: 1,
          subject: name,
          numbers: [.primary: .max]
        )
      }
    }
    return script
  }

  @Test("rows have exactly their width", arguments: [0, 1, 2, 9, 2000])
  func sweep(records: Int) {
    let start = DashboardStory.state(of: Self.script(records: records))
    let keys = Set(Keymap.bindings.flatMap(\.keys)).sorted { $0.name < $1.name }
    let sizes = records > 100 && !Self.isFull ? [(80, 24), (200, 60)] : Self.sizes
    for (width, height) in sizes {
      for screen in Screen.allCases {
        var state = start
        state.resize(width: width, height: height)
        state.show(screen)
        expectWhole(state, width, height)
        for key in keys {
          var pressed = state
          _ = pressed.press(key)
          expectWhole(pressed, width, height)
        }
      }
    }
  }

  private func expectWhole(_ state: AppState, _ width: Int, _ height: Int) {
    let grid = Picture.draw(state)
    guard grid.width == width, grid.height == height, grid.cells.count == width * height else {
      Issue.record("\(state.screen) is not \(width)×\(height)")
      return
    }
    for y in 0..<height {
      for x in 0..<width {
        let isRightHalf = grid[x, y].glyph.isContinuation
        let follows = x > 0 && grid[x - 1, y].glyph.isWide
        if isRightHalf != follows || (grid[x, y].glyph.isWide && x == width - 1) {
          let place = "\(x), \(y) on \(state.screen) \(width)×\(height)"
          Issue.record("a wide character is cut at \(place)")
          return
        }
      }
    }
  }
}
