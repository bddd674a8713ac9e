/// How often rows came again unchanged: a byte for each row of a stretch in which one did.
struct CopyCounts: Sendable {
  private var stretches: ContiguousArray<ContiguousArray<UInt8>> = []
  /// What is beyond a byte.
  private var more: [UInt32: Int] = [:]

  private(set) var byteCount = 0

  mutating func add(_ row: Int) {
    let number = row >> RowChunk.shift
    while stretches.count <= number { stretches.append([]) }
    if stretches[number].isEmpty {
      stretches[number] = ContiguousArray(repeating: 0, count: RowChunk.size)
      byteCount += RowChunk.size
    }
    let offset = row & RowChunk.mask
    if stretches[number][offset] < .max {
      stretches[number][offset] += 1
    } else {
      more[UInt32(row), default: 0] += 1
    }
  }

  /// The count of a row, which is 0 from now on.
  mutating func remove(_ row: Int) -> Int {
    let number = row >> RowChunk.shift
    guard number < stretches.count, !stretches[number].isEmpty else { return 0 }
    let count = Int(stretches[number][row & RowChunk.mask])
    stretches[number][row & RowChunk.mask] = 0
    return count + (more.removeValue(forKey: UInt32(row)) ?? 0)
  }

  /// Forgets rows that are no longer kept.
  mutating func drop(_ gone: RowSelection) {
    for number in stretches.indices where !stretches[number].isEmpty {
      let first = number << RowChunk.shift
      guard gone.containsAny(of: first..<first + RowChunk.size) else { continue }
      for offset in 0..<RowChunk.size where gone.contains(first + offset) {
        stretches[number][offset] = 0
      }
      if stretches[number].allSatisfy({ $0 == 0 }) {
        stretches[number] = []
        byteCount -= RowChunk.size
      }
    }
    more = more.filter { !gone.contains(Int($0.key)) }
  }
}
