/// The known name that a mistyped one most likely means.
package enum NearestName {
  /// Nil when nothing is within a third of the length.
  package static func of(_ name: String, among known: [String]) -> String? {
    let best = known.map { ($0, distance(Array(name.utf8), Array($0.utf8))) }
      .min { $0.1 < $1.1 }
    guard let best, best.1 <= max(2, name.utf8.count / 3) else { return nil }
    return best.0
  }

  /// Edits between two words: insertions, deletions, replacements.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var previous = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        let replaced = previous[column] + (byte == other ? 0 : 1)
        current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
      }
      previous = current
    }
    return previous[right.count]
  }
}
