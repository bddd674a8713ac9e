/// A line of input at the bottom of the screen, edited with the keys that shells taught.
package struct Prompt: Hashable, Sendable {
  package enum Outcome: Sendable {
    case edited
    case accepted
    case cancelled
    case ignored
  }

  private var before: [Character]
  private var after: [Character] = []

  package init(_ text: String = "") {
    before = Array(text)
  }

  package var text: String { String(before) + String(after) }

  /// Applies one key; nothing typed here ever reaches the keymap.
  package mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .enter: return .accepted
    case .escape, .control("c"): return .cancelled
    case .backspace where before.isEmpty && after.isEmpty: return .cancelled
    case .backspace: _ = before.popLast()
    case .delete, .control("d"): if !after.isEmpty { after.removeFirst() }
    case .left, .control("b"): if let last = before.popLast() { after.insert(last, at: 0) }
    case .right, .control("f"): if !after.isEmpty { before.append(after.removeFirst()) }
    case .home, .control("a"):
      after = before + after
      before = []
    case .end, .control("e"):
      before += after
      after = []
    case .control("u"): before = []
    case .control("k"): after = []
    case .control("w"):
      while before.last?.isWhitespace == true { before.removeLast() }
      while let last = before.last, !last.isWhitespace { before.removeLast() }
    case .character(let scalar) where before.count + after.count < 256:
      before = Array(String(before) + String(scalar))
    default: return .ignored
    }
    return .edited
  }

  /// Draws the sign, the text around the cursor, and a note such as `3/17` at the right.
  package func draw(into grid: inout Grid, in area: Rect, sign: String, note: StyledText) {
    guard !area.isEmpty else { return }
    grid.fill(area.row(0))
    var field = area.row(0)
    let right = field.takeRight(min(note.columns + 1, field.width / 2))
    grid.putRight(note, in: right)
    var x = grid.put(sign, x: field.x, y: field.y, role: .key, clip: field)
    field = field.inset(left: x - field.x)
    let head = String(before)
    // The end of what is before the cursor stays in view.
    let overflow = max(0, TextWidth.columns(of: head) - field.width + 1)
    x = grid.put(head, x: field.x - overflow, y: field.y, clip: field)
    let tail = String(after.isEmpty ? [" "] : after)
    grid.put(tail, x: x, y: field.y, clip: field)
    let cursor = grid[x, field.y].glyph.isWide ? 2 : 1
    grid.add(.inverse, to: Rect(x: x, y: field.y, width: cursor, height: 1).intersection(field))
  }
}
