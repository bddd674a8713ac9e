/// How the bytes of a budgets file become text: UTF-8, of which nothing is silently replaced.
enum BudgetsText {
  /// The byte order mark of UTF-8.
  static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The name of the encoding where the file has one of 16 or 32 bits, told by its mark or by its zeros.
  static func wideEncoding(_ bytes: [UInt8]) -> String? {
    let start = Array(bytes.prefix(4))
    if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] { return "UTF-32" }
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    guard start.count == 4 else { return nil }
    // The first character of such a file is a brace, a slash or white space.
    let zeros = start.map { $0 == 0 }
    if zeros == [false, true, false, true] || zeros == [true, false, true, false] {
      return "UTF-16"
    }
    let isWidest = zeros == [false, true, true, true] || zeros == [true, true, true, false]
    return isWidest ? "UTF-32" : nil
  }

  /// The index of the first byte that is no UTF-8.
  static func firstInvalid(_ bytes: [UInt8]) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): index += scalar.count
      case .error: return index
      case .emptyInput: return nil
      }
    }
  }

  /// The index of an escape that is one half of a surrogate pair without the other.
  ///
  /// The escapes of the text must be right.
  static func loneSurrogate(_ text: UnsafeRawBufferPointer) -> Int? {
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
        index += 1
        continue
      }
      guard let unit = unit(text, at: index) else {
        index += 2
        continue
      }
      let isHigh = unit & 0xFC00 == 0xD800
      if isHigh, let low = self.unit(text, at: index + 6), low & 0xFC00 == 0xDC00 {
        index += 12
      } else if unit & 0xF800 == 0xD800 {
        return index
      } else {
        index += 6
      }
    }
    return nil
  }

  /// The code unit of the escape `\u0041` that begins at the index, if one does.
  private static func unit(_ text: UnsafeRawBufferPointer, at index: Int) -> UInt32? {
    guard index + 5 < text.count, text[index] == UInt8(ascii: "\\"),
      text[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for digit in text[(index + 2)..<(index + 6)] {
      guard let value = JSONScanner.hexValue(digit) else { return nil }
      unit = unit << 4 | UInt32(value)
    }
    return unit
  }
}
