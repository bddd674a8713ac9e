/// Just enough of a Swift lexer to tell code from comments and string literals.
enum SwiftCode {
  /// Replaces comments and the contents of string literals by spaces; line ends stay where they are.
  ///
  /// What is interpolated into a string counts as its content.
  static func blanked(_ text: String) -> String {
    var lexer = Lexer(bytes: Array(text.utf8))
    lexer.run()
    return String(decoding: lexer.output, as: UTF8.self)
  }

  private struct Lexer {
    let bytes: [UInt8]
    var output: [UInt8] = []
    var position = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
      output.reserveCapacity(bytes.count)
    }

    mutating func run() {
      while position < bytes.count {
        if starts(with: "//") {
          blank(until: "\n", consuming: false)
        } else if starts(with: "/*") {
          blankBlockComment()
        } else if let hashes = openingHashes() {
          blankString(hashes: hashes)
        } else {
          output.append(bytes[position])
          position += 1
        }
      }
    }

    func starts(with text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { expected in
        let first = position + offset
        guard first + expected.count <= bytes.count else { return false }
        return expected.indices.allSatisfy { bytes[first + $0] == expected[$0] }
      }
    }

    /// How many `#` stand before the quote that opens a string here; nil where none opens.
    func openingHashes() -> Int? {
      var count = 0
      while position + count < bytes.count, bytes[position + count] == UInt8(ascii: "#") {
        count += 1
      }
      return starts(with: "\"", at: count) ? count : nil
    }

    mutating func skip(_ count: Int, keeping: Bool) {
      for _ in 0..<count where position < bytes.count {
        let isLineEnd = bytes[position] == UInt8(ascii: "\n")
        output.append(keeping || isLineEnd ? bytes[position] : UInt8(ascii: " "))
        position += 1
      }
    }

    mutating func blank(until end: StaticString, consuming: Bool) {
      while position < bytes.count, !starts(with: end) { skip(1, keeping: false) }
      if consuming { skip(end.utf8CodeUnitCount, keeping: false) }
    }

    mutating func blankBlockComment() {
      var depth = 0
      repeat {
        if starts(with: "/*") {
          depth += 1
          skip(2, keeping: false)
        } else if starts(with: "*/") {
          depth -= 1
          skip(2, keeping: false)
        } else {
          skip(1, keeping: false)
        }
      } while depth > 0 && position < bytes.count
    }

    mutating func blankString(hashes: Int) {
      skip(hashes, keeping: true)
      let isMultiline = starts(with: "\"\"\"")
      let quoteCount = isMultiline ? 3 : 1
      skip(quoteCount, keeping: true)
      while position < bytes.count, !closes(quotes: quoteCount, hashes: hashes) {
        if hashes == 0, bytes[position] == UInt8(ascii: "\\") { skip(1, keeping: false) }
        skip(1, keeping: false)
      }
      skip(quoteCount + hashes, keeping: true)
    }

    func closes(quotes: Int, hashes: Int) -> Bool {
      for offset in 0..<quotes + hashes {
        let expected = offset < quotes ? UInt8(ascii: "\"") : UInt8(ascii: "#")
        guard position + offset < bytes.count, bytes[position + offset] == expected else {
          return false
        }
      }
      return true
    }
  }
}
