/// What the user searches for: a part of the text, in any case unless an upper-case letter is typed.
package struct SearchPattern: Hashable, Sendable {
  package let text: String
  private let needle: [Unicode.Scalar]
  private let isExact: Bool

  /// Nil for an empty text, which would match everything.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    isExact = text.unicodeScalars.contains { $0.properties.isUppercase }
    needle = isExact ? Array(text.unicodeScalars) : text.unicodeScalars.map(SearchPattern.folded)
  }

  package func matches(_ candidate: String) -> Bool {
    let hay = candidate.unicodeScalars.map { isExact ? $0 : SearchPattern.folded($0) }
    return firstMatch(in: hay, from: 0) != nil
  }

  /// Marks every match in one row of the grid, as it is shown there.
  package func mark(in grid: inout Grid, _ row: Rect) {
    let place = row.intersection(grid.bounds)
    guard !place.isEmpty else { return }
    var scalars: [Unicode.Scalar] = []
    var columns: [Int] = []
    for x in place.x..<place.right where !grid[x, place.y].glyph.isContinuation {
      grid[x, place.y].glyph.forEachScalar { scalar in
        scalars.append(isExact ? scalar : SearchPattern.folded(scalar))
        columns.append(x)
      }
    }
    var start = 0
    while let match = firstMatch(in: scalars, from: start) {
      let first = columns[match]
      let last = columns[match + needle.count - 1]
      let width = last - first + (grid[last, place.y].glyph.isWide ? 2 : 1)
      grid.add(.match, to: Rect(x: first, y: place.y, width: width, height: 1))
      start = match + needle.count
    }
  }

  private func firstMatch(in hay: [Unicode.Scalar], from start: Int) -> Int? {
    guard hay.count - start >= needle.count else { return nil }
    return (start...hay.count - needle.count).first { offset in
      needle.indices.allSatisfy { hay[offset + $0] == needle[$0] }
    }
  }

  /// Lower case where it is one scalar, so that places keep their meaning.
  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
      return 0x41...0x5A ~= scalar.value ? Unicode.Scalar(scalar.value + 32) ?? scalar : scalar
    }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
  }
}
