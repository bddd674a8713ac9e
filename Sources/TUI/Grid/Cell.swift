/// One character as the screen shows it: a base scalar with at most four combining marks.
///
/// A plain value without heap storage. Marks beyond the basic plane are left out.
package struct Glyph: Hashable, Sendable {
  // The widest field first: a cell then has a stride of 16 bytes instead of 24.
  /// Four marks of 16 bits, the first in the lowest; 0 ends them.
  private var marks: UInt64 = 0
  /// The base scalar; 0 stands for the right half of a wide character.
  package private(set) var base: UInt32
  package private(set) var columns: UInt8

  /// A character of 1 or 2 columns.
  package init(_ scalar: Unicode.Scalar, columns: Int = 1) {
    base = scalar.value
    self.columns = columns == 2 ? 2 : 1
  }

  private init(continuation: Void) {
    base = 0
    columns = 0
  }

  package static let space = Glyph(" ")
  package static let replacement = Glyph("\u{FFFD}")
  package static let continuation = Glyph(continuation: ())

  package var isContinuation: Bool { columns == 0 }
  package var isWide: Bool { columns == 2 }
  package var hasMarks: Bool { marks != 0 }

  /// Adds a combining mark; the fifth and later ones are dropped.
  package mutating func append(mark: Unicode.Scalar) {
    guard mark.value <= 0xFFFF else { return }
    for shift in stride(from: UInt64(0), to: 64, by: 16)
    where marks >> shift & 0xFFFF == 0 {
      marks |= UInt64(mark.value) << shift
      return
    }
  }

  /// The base scalar; a space for the right half of a wide character.
  package var scalar: Unicode.Scalar { Unicode.Scalar(base == 0 ? 0x20 : base) ?? "\u{FFFD}" }

  /// Calls `body` with the base and then with each mark; with nothing for a continuation.
  package func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
    guard !isContinuation else { return }
    body(scalar)
    var rest = marks
    while rest != 0 {
      if let mark = Unicode.Scalar(UInt32(rest & 0xFFFF)) { body(mark) }
      rest >>= 16
    }
  }
}

/// One place of the grid.
package struct Cell: Hashable, Sendable {
  package var glyph: Glyph
  package var role: Role
  package var attributes: CellAttributes

  package init(_ glyph: Glyph, role: Role = .normal, attributes: CellAttributes = []) {
    self.glyph = glyph
    self.role = role
    self.attributes = attributes
  }

  package static let blank = Cell(.space)
}
