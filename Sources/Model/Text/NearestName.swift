/// The known name that a mistyped one most likely means.
package enum NearestName {
  /// Nil when nothing is near: more than a third of the longer of both names would have to change.
  package static func of(_ name: String, among known: [String]) -> String? {
    let best = known.map { ($0, distance(Array(name.utf8), Array($0.utf8))) }
      .min { $0.1 < $1.1 }
    guard let best, best.1 * 3 <= max(name.utf8.count, best.0.utf8.count) else { return nil }
    return best.0
  }

  /// Edits between two words: insertions, deletions, replacements, neighbours that changed places.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        let replaced = previous[column] + (byte == other ? 0 : 1)
        var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
          least = min(least, beforePrevious[column - 1] + 1)
        }
        current.append(least)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
