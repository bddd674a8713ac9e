/// Sums up what the records of one session say, session after session.
struct SessionCounting: Sendable {
  private var ttis: [Int64] = []
  /// Numbers of the symbols of screens, with repetitions.
  private var screens: [UInt32] = []

  mutating func begin() {
    ttis.removeAll(keepingCapacity: true)
    screens.removeAll(keepingCapacity: true)
  }

  /// Fatal hangs are counted where they are placed; their length is counted here.
  @inline(__always)
  mutating func add(_ row: RecordRow, to session: inout Session) {
    switch row.signal {
    case .screenTTI:
      if !row.outcome.isError, let value = row.primaryValue { ttis.append(Int64(value)) }
      if row.subject.isPresent { screens.append(row.subject.rawValue) }
    case .screenRendering:
      if row.subject.isPresent { screens.append(row.subject.rawValue) }
    case .appHang, .ledgerHang:
      let type = row.hangType
      if type == .nonFatal { session.nonFatalHangs += 1 }
      if type == .nonFatal || type == .fatal {
        session.hangMilliseconds += Int(row.primaryValue ?? 0)
      }
    case .leak: session.leaks += 1
    case .ledgerHitch: session.hitches += 1
    default: break
    }
  }

  mutating func end(_ session: inout Session) {
    screens.sort()
    session.screens = screens.distinctSorted
    session.ttiCount = ttis.count
    ttis.sort()
    session.ttiP90 = quantile(0.9, of: ttis.count) { Double(ttis[$0]) }
  }
}

extension [UInt32] {
  /// How many distinct elements there are in a sorted array.
  fileprivate var distinctSorted: Int {
    var count = 0
    var last: UInt32?
    for element in self where element != last {
      count += 1
      last = element
    }
    return count
  }
}
