import CUnicode

/// How text of the data becomes characters whose width every terminal agrees on.
///
/// Widths come from libutf8proc, never from the C library or the locale, and ambiguous characters take one
/// column. Where terminals disagree, the cluster is replaced: an emoji sequence by its first picture, a
/// flag by its two letters, a cluster with spacing marks by U+FFFD. Control characters become visible
/// symbols; what is invisible (zero-width characters, byte order marks, tags) is removed.
package enum TextWidth {
  /// The columns that `text` takes on the screen.
  package static func columns(of text: String) -> Int {
    if let columns = columnsAlone(of: text) { return columns }
    var sum = 0
    forEachGlyph(in: text) { glyph in
      sum += Int(glyph.columns)
      return true
    }
    return sum
  }

  /// The text as it is shown: one line of printable characters.
  package static func sanitised(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    forEachGlyph(in: text) { glyph in
      glyph.forEachScalar { shown.append($0) }
      return true
    }
    return String(shown)
  }

  /// Calls `body` with each character to show, in order, until it returns false.
  package static func forEachGlyph(in text: String, _ body: (Glyph) -> Bool) {
    // Nearly everything that is drawn is made of these.
    let isDone = text.utf8.withContiguousStorageIfAvailable { bytes in
      guard isPlain(bytes) else { return false }
      for byte in bytes {
        guard body(Glyph(Unicode.Scalar(byte))) else { return true }
      }
      return true
    }
    if isDone == true { return }
    var scalars = text.unicodeScalars.makeIterator()
    var pending = scalars.next()
    while let first = pending {
      pending = scalars.next()
      if standsAlone(first), pending.map({ $0.value < 0x20 || standsAlone($0) }) ?? true {
        guard body(Glyph(first)) else { return }
        continue
      }
      var cluster = ClusterReader(first)
      while let next = pending, !cluster.breaks(before: next) {
        cluster.append(next)
        pending = scalars.next()
      }
      guard cluster.emit(body) else { return }
    }
  }

  /// The columns of text each of whose scalars is a character of one column; nil for other text.
  static func columnsAlone(of text: String) -> Int? {
    if text.utf8.withContiguousStorageIfAvailable(isPlain) == true { return text.utf8.count }
    var count = 0
    for scalar in text.unicodeScalars {
      guard standsAlone(scalar) else { return nil }
      count += 1
    }
    return count
  }

  /// Every byte is a character of one column.
  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Without a way out a vector of bytes is looked at in one step.
    var others: UInt8 = 0
    for byte in bytes { others |= byte &- 0x20 < 0x5F ? 0 : 1 }
    return others == 0
  }

  /// A character of one column, whatever of its like stands beside it: what screens draw by the hundred.
  static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0xFF: true
    // Dashes, dots, arrows, signs of comparison; boxes, blocks and shapes; marks of states.
    case 0x2010...0x2027, 0x2190...0x2193, 0x2260...0x2265, 0x2500...0x25CF: true
    case 0x2713, 0x2717: true
    default: false
    }
  }
}

/// Collects the scalars of one grapheme cluster and says what is shown for it.
private struct ClusterReader {
  private var scalars: [Unicode.Scalar]
  private var breakState: Int32 = 0
  private var last: Unicode.Scalar

  init(_ first: Unicode.Scalar) {
    scalars = [first]
    last = first
  }

  mutating func breaks(before next: Unicode.Scalar) -> Bool {
    let isBreak = utf8proc_grapheme_break_stateful(
      Int32(bitPattern: last.value),
      Int32(bitPattern: next.value),
      &breakState
    )
    last = next
    return isBreak
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    // A cluster of the data may be a megabyte of marks; only its beginning can show.
    if scalars.count < 32 { scalars.append(scalar) }
  }

  /// Calls `body` with what is shown for the cluster; false when `body` wants no more.
  func emit(_ body: (Glyph) -> Bool) -> Bool {
    if let syllable = hangulSyllable { return body(Glyph(syllable, columns: 2)) }
    guard !scalars.contains(where: { $0.category == UTF8PROC_CATEGORY_MC }) else {
      return body(.replacement)
    }
    var current: Glyph?
    var isPicture = false
    for scalar in scalars {
      switch ScalarClass(scalar) {
      case .removed:
        continue
      case .symbol(let symbol):
        if let done = current, !body(done) { return false }
        current = Glyph(symbol)
      case .mark:
        current = current ?? Glyph("\u{25CC}")
        if !isPicture { current?.append(mark: scalar) }
      case .modifier where isPicture:
        continue
      case .picture where isPicture:
        // The rest of a sequence joined by zero-width joiners.
        continue
      case .jamo:
        if let done = current, !body(done) { return false }
        current = .replacement
      case .modifier, .picture, .character:
        if let done = current, !body(done) { return false }
        isPicture = scalar.isPicture
        current = Glyph(scalar, columns: scalar.columns)
      }
    }
    guard let done = current else { return true }
    return body(done)
  }

  /// The syllable that a sequence of conjoining letters stands for (Unicode, section 3.12).
  private var hangulSyllable: Unicode.Scalar? {
    guard scalars.count == 2 || scalars.count == 3,
      0x1100...0x1112 ~= scalars[0].value, 0x1161...0x1175 ~= scalars[1].value
    else { return nil }
    var tail: UInt32 = 0
    if scalars.count == 3 {
      guard 0x11A8...0x11C2 ~= scalars[2].value else { return nil }
      tail = scalars[2].value - 0x11A7
    }
    let lead = scalars[0].value - 0x1100
    let vowel = scalars[1].value - 0x1161
    return Unicode.Scalar(0xAC00 + (lead * 21 + vowel) * 28 + tail)
  }
}

/// What a scalar does to the line.
private enum ScalarClass {
  case removed
  case symbol(Unicode.Scalar)
  case mark
  /// A skin tone.
  case modifier
  case picture
  /// A vowel or tail of Hangul that stands alone.
  case jamo
  case character

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0..<0x20:
      self = .symbol(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      return
    case 0x7F:
      self = .symbol("\u{2421}")
      return
    case 0x80..<0xA0, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
      self = .symbol("\u{FFFD}")
      return
    case 0x2028, 0x2029:
      self = .symbol("\u{2424}")
      return
    case 0x1160...0x11FF, 0xD7B0...0xD7FF:
      self = .jamo
      return
    case 0x1F1E6...0x1F1FF:
      self = .symbol(Unicode.Scalar(0x41 + scalar.value - 0x1F1E6) ?? "\u{FFFD}")
      return
    case 0x1F3FB...0x1F3FF:
      self = .modifier
      return
    default:
      break
    }
    switch scalar.category {
    case UTF8PROC_CATEGORY_CF, UTF8PROC_CATEGORY_CN, UTF8PROC_CATEGORY_CS:
      self = .removed
    case UTF8PROC_CATEGORY_ZS where scalar.columns == 1:
      self = .symbol(" ")
    case _ where scalar.isIgnorable:
      self = .removed
    case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME:
      self = .mark
    default:
      self = scalar.isPicture ? .picture : .character
    }
  }
}

extension Unicode.Scalar {
  fileprivate var category: utf8proc_category_t {
    utf8proc_category(Int32(bitPattern: value))
  }

  fileprivate var columns: Int {
    utf8proc_charwidth(Int32(bitPattern: value)) == 2 ? 2 : 1
  }

  fileprivate var isIgnorable: Bool {
    utf8proc_get_property(Int32(bitPattern: value)).pointee.ignorable != 0
  }

  fileprivate var isPicture: Bool {
    utf8proc_get_property(Int32(bitPattern: value)).pointee.boundclass
      == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC.rawValue
  }
}
