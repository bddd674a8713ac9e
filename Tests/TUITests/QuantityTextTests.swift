import Model
import TUI
import Testing

@Suite("Numbers as text")
struct QuantityTextTests {
  @Test(
    "durations have three digits and one unit",
    arguments: [
      (nil, "–"), (.nan, "–"), (.infinity, "∞"), (-.infinity, "-∞"),
      (0, "0 ms"), (-0.0, "0 ms"), (-412, "-412 ms"),
      (0.000_000_1, "<1 ns"), (0.000_001, "1 ns"), (0.000_999_9, "1.00 µs"), (0.001, "1.00 µs"),
      (0.85, "850 µs"), (0.9994, "999 µs"), (0.9996, "1.00 ms"), (1, "1.00 ms"),
      (6.4, "6.40 ms"), (9.994, "9.99 ms"), (9.996, "10.0 ms"), (41.25, "41.3 ms"),
      (99.94, "99.9 ms"), (99.96, "100 ms"), (412, "412 ms"), (999, "999 ms"),
      (999.4, "999 ms"), (999.5, "1.00 s"), (999.95, "1.00 s"), (1000, "1.00 s"),
      (1210, "1.21 s"), (2310, "2.31 s"), (12_340, "12.3 s"), (59_949, "59.9 s"),
      (59_951, "1m 00s"), (60_000, "1m 00s"), (161_000, "2m 41s"), (3_599_400, "59m 59s"),
      (3_599_600, "1h 00m"), (11_100_000, "3h 05m"), (187_200_000, "2d 04h"),
    ] as [(Double?, String)]
  )
  func duration(milliseconds: Double?, text: String) {
    #expect(QuantityText.duration(milliseconds: milliseconds) == text)
  }

  @Test("durations in nanoseconds reach the ends of their range")
  func nanoseconds() {
    #expect(QuantityText.duration(nanoseconds: 1_210_000_000) == "1.21 s")
    #expect(QuantityText.duration(nanoseconds: nil) == "–")
    #expect(QuantityText.duration(nanoseconds: .max) == "106751d 23h")
    #expect(QuantityText.duration(nanoseconds: .min) == "-106751d 23h")
  }

  @Test(
    "lengths are whole seconds",
    arguments: [
      (33_000, false, "33 s"), (33_400, false, "33 s"), (48_000, true, "≥48 s"),
      (59_600, false, "1m 00s"), (161_000, true, "≥2m 41s"), (0, false, "0 ms"),
      (412, false, "412 ms"), (nil, true, "–"), (.nan, false, "–"), (.infinity, false, "–"),
    ] as [(Double?, Bool, String)]
  )
  func length(milliseconds: Double?, isAtLeast: Bool, text: String) {
    #expect(QuantityText.length(milliseconds: milliseconds, isAtLeast: isAtLeast) == text)
  }

  @Test(
    "counts are grouped",
    arguments: [
      (nil, "–"), (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (9488, "9,488"),
      (1_234_567, "1,234,567"), (-9488, "-9,488"), (-100, "-100"),
      (.min, "-9,223,372,036,854,775,808"),
    ] as [(Int?, String)]
  )
  func count(value: Int?, text: String) {
    #expect(QuantityText.count(value) == text)
  }

  @Test(
    "fractions are percentages with one decimal",
    arguments: [
      (nil, "–"), (.nan, "–"), (.infinity, "–"), (0, "0%"), (-0.0, "0%"), (0.0001, "<0.1%"),
      (0.0005, "0.1%"), (0.003, "0.3%"), (0.021, "2.1%"), (0.61, "61.0%"), (0.9994, "99.9%"),
      (0.9996, "100%"), (1, "100%"), (12.5, "1,250%"), (-0.021, "-2.1%"),
    ] as [(Double?, String)]
  )
  func percent(fraction: Double?, text: String) {
    #expect(QuantityText.percent(fraction) == text)
  }

  @Test(
    "rates have one decimal until they are large",
    arguments: [
      (nil, "–"), (.nan, "–"), (.infinity, "∞"), (0, "0"), (0.04, "<0.1"), (0.8, "0.8"),
      (6.4, "6.4"), (99.94, "99.9"), (99.96, "100"), (999.5, "1,000"), (1234.4, "1,234"),
      (1e300, ">1e15"),
    ] as [(Double?, String)]
  )
  func ratio(value: Double?, text: String) {
    #expect(QuantityText.ratio(value) == text)
  }

  @Test(
    "sizes count in thousands",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (999_499, "999 kB"), (999_500, "1.00 MB"),
      (64_000_000, "64.0 MB"), (1_050_000_000, "1.05 GB"), (.max, "18,446,744 TB"),
    ] as [(UInt64, String)]
  )
  func bytes(value: UInt64, text: String) {
    #expect(QuantityText.bytes(value) == text)
  }

  @Test("clock times are those of the zone, before and after a change of it")
  func clock() {
    // Europe/Berlin left summer time on 2026-10-25 at 01:00 UTC.
    let change = Timestamp(seconds: 1_792_890_000)
    let berlin = ClockText(
      zone: ZoneOffsets(initial: 7200, changes: [.init(from: change, offset: 3600)])
    )
    #expect(berlin.time(change.advanced(byNanoseconds: -1), milliseconds: true) == "02:59:59.999")
    #expect(berlin.time(change) == "02:00:00")
    #expect(berlin.zoneSuffix(at: change) == "+01:00")
    #expect(berlin.date(change) == "2026-10-25")
    #expect(ClockText().time(Timestamp(seconds: 0)) == "00:00:00")
    #expect(ClockText().zoneSuffix(at: change) == "Z")
  }

  @Test(
    "dates are right at the edges of the calendar",
    arguments: [
      (0, "1970-01-01"), (-1, "1969-12-31"), (951_782_400, "2000-02-29"),
      (4_107_542_399, "2100-02-28"), (4_107_542_400, "2100-03-01"), (1_796_029_445, "2026-11-30"),
    ] as [(Int64, String)]
  )
  func dates(seconds: Int64, text: String) {
    #expect(ClockText().date(Timestamp(seconds: seconds)) == text)
  }

  @Test("the first and the last instant have a clock time")
  func extremes() {
    #expect(ClockText().date(.distantPast) == "1677-09-21")
    #expect(ClockText().time(.distantFuture) == "23:47:16")
    let west = ClockText(zone: ZoneOffsets(initial: -19_800))
    #expect(west.zoneSuffix(at: .zero) == "-05:30")
    #expect(west.time(.zero) == "18:30:00")
  }
}
