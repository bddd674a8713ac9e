extension [Int64] {
  /// Below this many values a comparison sort is as fast.
  private static let fewValues = 256

  /// In rising order; by digits where there are many, which is several times faster than by comparison.
  func sortedValues() -> [Int64] {
    guard count >= Self.fewValues, let smallest = self.min(), smallest >= 0,
      let greatest = self.max()
    else { return sorted() }
    var values = self
    var other = [Int64](repeating: 0, count: count)
    values.withUnsafeMutableBufferPointer { values in
      other.withUnsafeMutableBufferPointer { other in
        var (from, to) = (values, other)
        var shift: Int64 = 0
        while shift < 64, greatest >> shift > 0 {
          Self.distribute(from, to, by: shift)
          swap(&from, &to)
          shift += 8
        }
        if from.baseAddress != values.baseAddress { _ = values.update(fromContentsOf: from) }
      }
    }
    return values
  }

  /// One pass of a radix sort: equal digits keep their order.
  private static func distribute(
    _ from: UnsafeMutableBufferPointer<Int64>,
    _ to: UnsafeMutableBufferPointer<Int64>,
    by shift: Int64
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
      places.initialize(repeating: 0)
      for value in from { places[Int(value >> shift & 0xFF)] += 1 }
      var place = 0
      for digit in 0..<256 {
        let count = places[digit]
        places[digit] = place
        place += count
      }
      for value in from {
        let digit = Int(value >> shift & 0xFF)
        to[places[digit]] = value
        places[digit] += 1
      }
    }
  }
}
