import Model
import TestSupport
import Testing

@Suite("Percentiles")
struct StatisticsTests {
  /// Expected values: `numpy.quantile(values, q)` of numpy 2.4 (method "linear").
  @Test(
    "quantiles are linear between closest ranks, as numpy's",
    arguments: [
      ([15, 20, 35, 40, 50], 0.4, 29.0), ([15, 20, 35, 40, 50], 0.9, 46.0),
      ([1, 2, 3, 4], 0.5, 2.5), ([1, 2, 3, 4], 0.99, 3.97), ([7], 0.9, 7.0), ([3, 1], 1.0, 3.0),
      ([3, 1], 0.0, 1.0),
    ] as [([Int64], Double, Double)]
  )
  func quantiles(values: [Int64], fraction: Double, expected: Double) throws {
    let quantile = try #require(Distribution(values).quantile(fraction))
    #expect(abs(quantile - expected) < 1e-9)
  }

  @Test("values are counted by the column that they fall into, those without one left out")
  func columns() {
    let values: [Int64] = [0, 1, 1, 4, 9, 9, 9, 10, 35, 99]
    #expect(
      Distribution(values).counts(columns: 4) { $0 < 40 ? Int($0 / 10) : nil } == [7, 1, 0, 1]
    )
    #expect(Distribution([]).counts(columns: 2) { _ in 0 } == [0, 0])
    #expect(Distribution([5]).counts(columns: 2) { _ in 1 } == [0, 1])
  }

  @Test("without values there is no quantile and no maximum")
  func empty() {
    #expect(Distribution([]).quantile(0.5) == nil)
    #expect(Distribution([]).maximum == nil)
  }

  /// Expected values: Python's `datetime.fromtimestamp(s, timezone.utc)`.
  @Test(
    "civil time is the Gregorian calendar's",
    arguments: [
      (0, [1970, 1, 1, 0, 0, 0]), (951_782_400, [2000, 2, 29, 0, 0, 0]),
      (1_767_225_599, [2025, 12, 31, 23, 59, 59]), (4_107_542_400, [2100, 3, 1, 0, 0, 0]),
      (-1, [1969, 12, 31, 23, 59, 59]),
    ] as [(Int64, [Int])]
  )
  func civilTime(seconds: Int64, parts: [Int]) {
    let civil = CivilTime(Timestamp(seconds: seconds, nanoseconds: 7))
    let time = [civil.hour, civil.minute, civil.second]
    #expect([civil.year, civil.month, civil.day] + time == parts)
    #expect(civil.nanosecond == 7)
    let days = CivilTime.days(year: civil.year, month: civil.month, day: civil.day)
    #expect(days == Int64((Double(seconds) / 86_400).rounded(.down)))
  }

  @Test(
    "many values are sorted as few are, whatever they are",
    arguments: [0, 1, 255, 256, 257, 3_000],
    [Int64(0), 1, 255, 256, 70_000, .max]
  )
  func sorting(count: Int, greatest: Int64) {
    var generator = SeededGenerator(seed: UInt64(count) ^ UInt64(bitPattern: greatest))
    let values = (0..<count).map { _ in Int64.random(in: 0...greatest, using: &generator) }
    #expect(Self.inOrder(Distribution(values)) == values.sorted())
    let negative = values.map { $0 / 2 - greatest / 4 }
    #expect(Self.inOrder(Distribution(negative)) == negative.sorted())
  }

  private static func inOrder(_ distribution: Distribution) -> [Int64] {
    (0..<distribution.count).map { distribution[$0] }
  }

  @Test(
    "the percentiles of several distributions together are those of all their values",
    arguments: [0.0, 0.25, 0.5, 0.9, 0.99, 1.0]
  )
  func together(_ fraction: Double) {
    var generator = SeededGenerator(seed: 7)
    let parts = [0, 1, 40, 300].map { count in
      (0..<count).map { _ in Int64.random(in: 0...200, using: &generator) }
    }
    let all = Distribution(parts.flatMap { $0 })
    #expect(
      Distribution.quantile(fraction, ofAll: parts.map { Distribution($0) })
        == all.quantile(fraction)
    )
    #expect(Distribution.quantile(fraction, ofAll: [Distribution()]) == nil)
  }
}
