/// What figures are grouped by: signal, app and name.
package struct GroupKey: Hashable, Sendable {
  package var signal: Signal
  package var app: Symbol
  package var name: Symbol
}

/// Row lists per (signal, app, name), in order of arrival, replaced rows included.
///
/// A dimension holds at most 10,000 names; further ones share one list, the overflow of the signal.
struct GroupTable: Sendable {
  static let maximumNames = 10_000

  private(set) var keys: [GroupKey] = []
  private(set) var rows: [ContiguousArray<UInt32>] = []
  private var numbers: [GroupKey: Int] = [:]
  private var namesPerSignal = [Int](repeating: 0, count: Signal.allCases.count)

  /// The key of the rows beyond the limit.
  static func overflow(_ signal: Signal) -> GroupKey {
    GroupKey(signal: signal, app: .none, name: Symbol(.max))
  }

  mutating func add(_ row: RecordRow, number: UInt32, app: Symbol) {
    var key = GroupKey(signal: row.signal, app: app, name: row.subject)
    if row.signal == .appHang || row.signal == .appRendering { key.name = .none }
    if let known = numbers[key] {
      rows[known].append(number)
      return
    }
    let signal = Int(row.signal.rawValue)
    if namesPerSignal[signal] >= Self.maximumNames {
      key = Self.overflow(row.signal)
      if let known = numbers[key] {
        rows[known].append(number)
        return
      }
    }
    namesPerSignal[signal] += 1
    numbers[key] = keys.count
    keys.append(key)
    rows.append([number])
  }
}
