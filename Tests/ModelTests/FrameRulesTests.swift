import TestSupport
import Testing

@testable import Model

@Suite("Rules about frames")
struct FrameRulesTests {
  private let rules = Rulebook()

  /// 1,000 expected frames; the freeze time is of 100 s on screen, so that 500 ms are 5 ms/s.
  private func measured(
    dropped: Int = 0,
    freeze: Int = 0,
    total: Int = 1000,
    coverage: Double? = 1
  ) -> MeasuredFrames {
    let frames = FrameFigures(
      total: total - dropped,
      dropped: dropped,
      slow: 0,
      freezeMilliseconds: freeze,
      onScreenMilliseconds: 100_000
    )
    return MeasuredFrames(frames: frames, coverage: coverage)
  }

  @Test(
    "freeze-rate on the scale wwdc20: warning from 5 ms/s, critical from 10 ms/s",
    arguments: [(499, Verdict.holds), (500, .warning), (999, .warning), (1000, .critical)]
  )
  func freeze(milliseconds: Int, verdict: Verdict) {
    #expect(rules.freezeRate(measured(freeze: milliseconds)).verdict == verdict)
  }

  @Test(
    "freeze-rate on the scale organizer: warning from 10 ms/s, critical from 25 ms/s",
    arguments: [(999, Verdict.holds), (1000, .warning), (2499, .warning), (2500, .critical)]
  )
  func organizer(milliseconds: Int, verdict: Verdict) {
    let rules = Rulebook(scale: .organizer)
    #expect(rules.freezeRate(measured(freeze: milliseconds)).verdict == verdict)
  }

  @Test(
    "dropped-frames: warning from 1 % of the expected frames, critical from 5 %",
    arguments: [(9, Verdict.holds), (10, .warning), (49, .warning), (50, .critical)]
  )
  func dropped(count: Int, verdict: Verdict) {
    #expect(rules.droppedFrames(measured(dropped: count)).verdict == verdict)
  }

  @Test("frames: 299 are too few, 300 are enough")
  func sample() {
    let few = measured(dropped: 100, freeze: 9000, total: 299)
    #expect(rules.droppedFrames(few).verdict == .insufficient)
    #expect(rules.droppedFrames(few).tendency == .critical)
    #expect(rules.freezeRate(few).verdict == .insufficient)
    let enough = measured(dropped: 100, freeze: 9000, total: 300)
    #expect(rules.droppedFrames(enough).verdict == .critical)
    #expect(rules.freezeRate(enough).verdict == .critical)
  }

  @Test("frames: less than half of the time measured is too little; half is enough, as is unknown")
  func coverage() {
    let little = measured(dropped: 100, freeze: 9000, coverage: 0.49)
    #expect(rules.droppedFrames(little).verdict == .insufficient)
    #expect(rules.droppedFrames(little).lowCoverage == 0.49)
    #expect(rules.freezeRate(little).verdict == .insufficient)
    for coverage in [0.5, nil] {
      let enough = measured(dropped: 100, freeze: 9000, coverage: coverage)
      #expect(rules.droppedFrames(enough).verdict == .critical)
      #expect(rules.freezeRate(enough).verdict == .critical)
    }
  }

  @Test("frames that are not known are not judged")
  func unknown() {
    let none = MeasuredFrames(frames: nil, coverage: nil)
    #expect(rules.droppedFrames(none).verdict == .insufficient)
    #expect(rules.droppedFrames(none).value == nil)
    let zero = MeasuredFrames(
      frames: FrameFigures(
        total: 0,
        dropped: 0,
        slow: 0,
        freezeMilliseconds: 0,
        onScreenMilliseconds: 0
      ),
      coverage: nil
    )
    #expect(rules.freezeRate(zero).value == nil)
    #expect(rules.freezeRate(zero).verdict == .insufficient)
  }

  @Test("a display at 30 or 48 Hz is never a fault of the app", arguments: [30, 48])
  func slowDisplay(hertz: Int) {
    func frames(slow: Int, dropped: Int) -> FrameFigures {
      FrameFigures(
        total: hertz * 30,
        dropped: dropped,
        slow: slow,
        freezeMilliseconds: 900,
        onScreenMilliseconds: 30_000
      )
    }
    let all = MeasuredFrames(frames: frames(slow: hertz * 30, dropped: 0), coverage: 1)
    // 30 ms/s would be critical.
    #expect(rules.freezeRate(all).verdict == .holds)
    let some = MeasuredFrames(frames: frames(slow: hertz, dropped: 0), coverage: 1)
    #expect(rules.freezeRate(some).verdict == .critical)
    let dropping = MeasuredFrames(frames: frames(slow: hertz * 30, dropped: 40), coverage: 1)
    #expect(rules.droppedFrames(dropping).verdict == .warning)
  }

  @Test("sessions and screens are judged, each by its own sums")
  func subjects() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.session(at: 1, seconds: 30, total: 1700, dropped: 100)
    for index in 0..<2 {
      script.span(
        "screen-rendering.Home",
        .screenRendering,
        at: Double(2 + 5 * index),
        seconds: 4,
        subject: "Home",
        numbers: TelemetryScript.frames(195, 5, onScreen: 4000)
      )
    }
    let found = script.findings.filter { $0.judgement.rule == .droppedFrames }
    #expect(found.map(\.subject) == [.session(0, 0), .screen(0)])
    // 100 of 1,800 and 10 of 400.
    #expect(found.map(\.judgement.value) == [100.0 / 1800, 0.025])
    #expect(found.map(\.severity) == [.critical, .warning])
  }
}
