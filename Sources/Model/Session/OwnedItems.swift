/// Which items each session of a stream gets, until all are known.
///
/// Sessions are told apart by the order of their making, whatever place they have by then.
struct OwnedItems: Sendable {
  private static let nothing = UInt32.max

  private var items: [(row: UInt32, session: UInt32)] = []
  /// By session.
  private var firsts: [UInt32] = []
  private var counts: [Int] = []
  /// Of each session's next item while items are given to sessions.
  private var places: [Int] = []

  mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    firsts.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
  }

  /// Puts a row into the session of a number.
  mutating func append(_ row: UInt32, to session: UInt32) {
    let number = Int(session)
    while firsts.count <= number {
      firsts.append(Self.nothing)
      counts.append(0)
    }
    if counts[number] == 0 { firsts[number] = row }
    counts[number] += 1
    items.append((row, session))
  }

  func first(of session: Session) -> UInt32? {
    let number = Int(session.number)
    return number < firsts.count && counts[number] > 0 ? firsts[number] : nil
  }

  /// Gives sessions their items, in the order in which they were appended.
  mutating func distribute(to sessions: inout [Session]) {
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(0, count: counts.count))
    var start = 0
    for session in sessions.indices {
      let number = Int(sessions[session].number)
      guard number < places.count else { continue }
      places[number] = start
      start += counts[number]
    }
    var storage = ContiguousArray<UInt32>(repeating: 0, count: items.count)
    for item in items {
      storage[places[Int(item.session)]] = item.row
      places[Int(item.session)] += 1
    }
    for session in sessions.indices {
      let number = Int(sessions[session].number)
      guard number < places.count else { continue }
      let end = places[number]
      sessions[session].items = RowList(end - counts[number]..<end, of: storage)
    }
  }
}

extension StreamSummary {
  /// Gives back what arrays took to grow: a summary stays as long as its stream gets no more rows.
  mutating func trim() {
    launches.trim()
    sessions.trim()
    visits.trim()
    hangs.trim()
    terminations.trim()
    unplaced.trim()
  }
}

extension Array {
  fileprivate mutating func trim() {
    guard capacity > count + 1 else { return }
    self = withUnsafeBufferPointer { Array($0) }
  }
}
