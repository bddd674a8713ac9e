/// What the user searches for: a part of the text, in any case unless an upper-case letter is typed.
package struct SearchPattern: Hashable, Sendable {
  package let text: String
  private let needle: [Unicode.Scalar]
  private let isExact: Bool
  /// The first scalar of the needle in the other case, to find candidates without folding every cell.
  private let firstInOtherCase: UInt32

  /// Nil for an empty text, which would match everything.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    isExact = text.unicodeScalars.contains { $0.properties.isUppercase }
    let scalars = Array(text.unicodeScalars)
    needle = isExact ? scalars : scalars.map(SearchPattern.folded)
    let upper = scalars[0].properties.uppercaseMapping.unicodeScalars
    firstInOtherCase =
      isExact || upper.count != 1 ? scalars[0].value : upper.first?.value ?? scalars[0].value
  }

  package func matches(_ candidate: String) -> Bool {
    let hay = candidate.unicodeScalars.map { isExact ? $0 : SearchPattern.folded($0) }
    return firstMatch(in: hay, from: 0) != nil
  }

  /// Marks every match in one row of the grid, as it is shown there.
  package func mark(in grid: inout Grid, _ row: Rect) {
    let place = row.intersection(grid.bounds)
    guard !place.isEmpty, mayMatch(in: grid, place) else { return }
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

  /// False for most rows, at the cost of a look at each cell.
  private func mayMatch(in grid: Grid, _ place: Rect) -> Bool {
    let row = place.y * grid.width
    let first = needle[0].value
    return grid.cells.withUnsafeBufferPointer { cells in
      for index in row + place.x..<row + place.right {
        let glyph = cells[index].glyph
        if glyph.base == first || glyph.base == firstInOtherCase || glyph.hasMarks { return true }
      }
      return false
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
    // Lines and blocks, which have no case, are most of what a grid holds beside ASCII.
    if 0x2500...0x25FF ~= scalar.value { return scalar }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
  }
}
