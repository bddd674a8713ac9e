import Model
import TUI
import Testing

@Suite("Clock times")
struct ClockTextTests {
  /// 2026-11-30 23:04:05.067.
  private static let evening = Timestamp(seconds: 1_796_079_845).advanced(byNanoseconds: 67_999_999)
  private static let india = ZoneOffsets(initial: 19_800)

  @Test("every part has its digits, and milliseconds are cut")
  func digits() {
    let clock = ClockText()
    #expect(clock.time(Self.evening) == "23:04:05")
    #expect(clock.time(Self.evening, milliseconds: true) == "23:04:05.067")
    #expect(clock.moment(Self.evening, hasDate: false) == "23:04:05")
    #expect(clock.moment(Self.evening, hasDate: true) == "11-30 23:04:05")
    #expect(clock.time(Timestamp(nanoseconds: -1), milliseconds: true) == "23:59:59.999")
  }

  @Test("the zone decides on the time and on the day")
  func zone() {
    let clock = ClockText(zone: Self.india)
    #expect(clock.moment(Self.evening, hasDate: true) == "12-01 04:34:05")
    let noon = Self.evening.advanced(byNanoseconds: -40_000_000_000_000)
    #expect(ClockText().isOneDay(noon, Self.evening))
    #expect(!clock.isOneDay(noon, Self.evening))
  }

  @Test("the same day of another month is another day")
  func month() {
    let later = Self.evening.advanced(byNanoseconds: 30 * 86_400_000_000_000)
    #expect(ClockText().date(later) == "2026-12-30")
    #expect(!ClockText().isOneDay(Self.evening, later))
  }
}
