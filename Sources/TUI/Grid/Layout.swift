/// A part of the grid in cells; empty parts have width or height 0, never less.
package struct Rect: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  package var isEmpty: Bool { width == 0 || height == 0 }
  package var right: Int { x + width }
  package var bottom: Int { y + height }

  package func contains(x: Int, y: Int) -> Bool {
    x >= self.x && x < right && y >= self.y && y < bottom
  }

  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left,
      y: top,
      width: min(right, other.right) - left,
      height: min(bottom, other.bottom) - top
    )
  }

  package func inset(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) -> Rect {
    Rect(
      x: x + min(left, width),
      y: y + min(top, height),
      width: width - left - right,
      height: height - top - bottom
    )
  }

  /// The row at `index` from the top, empty beyond the last one.
  package func row(_ index: Int) -> Rect {
    Rect(x: x, y: y + index, width: width, height: index >= 0 && index < height ? 1 : 0)
  }

  /// Cuts rows off the top; fewer when there are fewer.
  package mutating func takeTop(_ rows: Int) -> Rect {
    let taken = min(max(0, rows), height)
    defer {
      y += taken
      height -= taken
    }
    return Rect(x: x, y: y, width: width, height: taken)
  }

  package mutating func takeBottom(_ rows: Int) -> Rect {
    let taken = min(max(0, rows), height)
    height -= taken
    return Rect(x: x, y: y + height, width: width, height: taken)
  }

  package mutating func takeLeft(_ columns: Int) -> Rect {
    let taken = min(max(0, columns), width)
    defer {
      x += taken
      width -= taken
    }
    return Rect(x: x, y: y, width: taken, height: height)
  }

  package mutating func takeRight(_ columns: Int) -> Rect {
    let taken = min(max(0, columns), width)
    width -= taken
    return Rect(x: x + width, y: y, width: taken, height: height)
  }
}

/// How much of the picture there is room for.
package enum ScreenClass: Sendable {
  /// Below 20×5: only the size is shown, keys still work.
  case tooSmall
  /// Below 80×24: no evidence pane, short header.
  case compact
  case standard
  /// From 120×36: panes side by side.
  case wide

  package init(width: Int, height: Int) {
    switch (width, height) {
    case (..<20, _), (_, ..<5): self = .tooSmall
    case (..<80, _), (_, ..<24): self = .compact
    case (120..., 30...): self = .wide
    default: self = .standard
    }
  }
}

extension Grid {
  /// The picture for a terminal with no room for any other: its size, in the middle.
  package static func tooSmall(width: Int, height: Int) -> Grid {
    var grid = Grid(width: width, height: height)
    let text = "\(width)×\(height)"
    let x = max(0, (width - TextWidth.columns(of: text)) / 2)
    grid.put(text, x: x, y: height / 2, role: .muted)
    return grid
  }
}
