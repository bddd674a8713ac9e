/// What figures are grouped by: signal, app and name.
package struct GroupKey: Hashable, Sendable {
  package var signal: Signal
  package var app: Symbol
  package var name: Symbol

  package init(signal: Signal, app: Symbol, name: Symbol) {
    self.signal = signal
    self.app = app
    self.name = name
  }
}

extension GroupKey {
  /// Of everything that has no row of its own.
  static func other(_ signal: Signal) -> GroupKey {
    GroupKey(signal: signal, app: .none, name: Symbol(.max))
  }

  var isOther: Bool { name == Symbol(.max) }
}

/// Row lists per (signal, app, name), in order of arrival, replaced rows included.
struct GroupTable: Sendable {
  private(set) var keys: [GroupKey] = []
  private(set) var rows: [ContiguousArray<UInt32>] = []
  private var numbers: [GroupKey: Int] = [:]
  /// Numbers plus 1 by some bits of their keys: most records have a name that was met lately.
  private var recent = [UInt32](repeating: 0, count: recentMask + 1)
  private static let recentMask = 1_023
  private(set) var namesPerSignal = [Int](repeating: 0, count: Signal.allCases.count)

  /// The group that was compacted last.
  private var next = 0

  private let limit: Int
  /// Records of names beyond the limit.
  private(set) var beyond = 0

  /// Beyond `limit` names, new ones of a signal are one.
  init(limit: Int = .max) {
    self.limit = limit
  }

  mutating func add(_ row: RecordRow, number: UInt32, app: Symbol) {
    add(Self.key(row, app: app), number)
  }

  private mutating func add(_ key: GroupKey, _ number: UInt32) {
    let place = Self.place(key)
    let last = Int(recent[place]) - 1
    if last >= 0, keys[last] == key {
      rows[last].appendBySteps(number)
      return
    }
    if let known = numbers[key] {
      recent[place] = UInt32(known + 1)
      rows[known].appendBySteps(number)
      return
    }
    guard keys.count < limit || key.isOther else {
      beyond += 1
      return add(.other(key.signal), number)
    }
    recent[place] = UInt32(keys.count + 1)
    namesPerSignal[Int(key.signal.rawValue)] += 1
    numbers[key] = keys.count
    keys.append(key)
    rows.append([number])
  }

  /// The group that a record of this key is in.
  func known(_ key: GroupKey) -> GroupKey {
    keys.count < limit || numbers[key] != nil ? key : .other(key.signal)
  }

  static func key(_ row: RecordRow, app: Symbol) -> GroupKey {
    let isNamed = row.signal != .appHang && row.signal != .appRendering
    return GroupKey(signal: row.signal, app: app, name: isNamed ? row.subject : .none)
  }

  /// Forgets rows that are no longer held, of the groups whose turn it is; names stay.
  ///
  /// Until then they look replaced. Goes on until at least `wanted` rows were looked at.
  mutating func compact(rows wanted: Int, holds: (Int) -> Bool) {
    var seen = 0
    for _ in rows.indices where seen < wanted {
      next = next + 1 < rows.count ? next + 1 : 0
      seen += rows[next].count
      let kept = rows[next].filter { holds(Int($0)) }
      if kept.count < rows[next].count { rows[next] = ContiguousArray(kept) }
    }
  }

  private static func place(_ key: GroupKey) -> Int {
    let mixed =
      key.name.rawValue &* 0x9E37_79B1 ^ key.app.rawValue &* 0x85EB_CA77
      ^ UInt32(key.signal.rawValue) &* 0xC2B2_AE3D
    return Int(mixed >> 16) & recentMask
  }
}

/// Rows that are shown under one name.
struct ShownGroup {
  var key: GroupKey
  var rows: ContiguousArray<UInt32>
  /// The rest of the dimension: every name beyond the limit.
  var isOverflow = false
  /// What is left of those that are no longer kept.
  var folded: FoldedGroup?
}

extension SessionModel {
  /// Names of a dimension that have a row of their own; the rarest share one beyond it.
  static let maximumNames = 10_000

  /// The groups of a dimension, whose names may come from two signals; the rest of each signal comes last.
  ///
  /// Which names are the rarest is decided by what is live and by hashes of their texts, never by arrival.
  func shownGroups(of signals: [Signal], in view: RowView) -> [ShownGroup] {
    let names = signals.reduce(0) { $0 + groups.namesPerSignal[Int($1.rawValue)] }
    let rare = names > Self.maximumNames ? rareNames(signals, in: view) : []
    var shown: [ShownGroup] = []
    var rest: [Signal: ShownGroup] = [:]
    for (index, key) in groups.keys.enumerated() where signals.contains(key.signal) {
      let rows = groups.rows[index]
      guard key.isOther || !rare.isEmpty && rare.contains(AppName(app: key.app, name: key.name))
      else {
        shown.append(ShownGroup(key: key, rows: rows, folded: folded(key, in: view)))
        continue
      }
      let empty = ShownGroup(key: .other(key.signal), rows: [], isOverflow: true)
      rest[key.signal, default: empty].rows.append(contentsOf: rows)
      guard let more = folded(key, in: view) else { continue }
      rest[key.signal, default: empty].folded =
        rest[key.signal]?.folded.map { $0 + more } ?? more
    }
    return shown + signals.compactMap { rest[$0] }
  }

  /// What is left of the folded records of a group; a filter can look at none of them.
  func folded(_ key: GroupKey, in view: RowView) -> FoldedGroup? {
    view.selection == nil && !folded.isEmpty ? folded.groups[key] : nil
  }

  private struct AppName: Hashable {
    var app: Symbol
    var name: Symbol
  }

  private func rareNames(_ signals: [Signal], in view: RowView) -> Set<AppName> {
    var counts: [AppName: Int] = [:]
    for (index, key) in groups.keys.enumerated()
    where signals.contains(key.signal) && key.name.isPresent && !key.isOther {
      let kept = groups.rows[index].count { store.isLive(Int($0), in: view) }
      let live = kept + (folded(key, in: view)?.accepted ?? 0)
      if live > 0 { counts[AppName(app: key.app, name: key.name), default: 0] += live }
    }
    guard counts.count > Self.maximumNames else { return [] }
    // Hashes, since comparing a million texts takes seconds.
    let ranked = counts.map { (name: $0.key, count: $0.value, hash: hash($0.key)) }
      .sorted { ($0.count, $0.hash) > ($1.count, $1.hash) }
    return Set(ranked.dropFirst(Self.maximumNames).map(\.name))
  }

  /// FNV-1a over both texts: the same in every run.
  private func hash(_ name: AppName) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for symbol in [name.name, name.app] {
      for byte in text(symbol).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    return hash
  }
}
