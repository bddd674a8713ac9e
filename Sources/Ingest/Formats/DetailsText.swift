/// Texts of the detail pane from bytes of the data.
enum DetailsText {
  /// Scalars of a value that are shown; a longer one is cut and gets `…`.
  static let scalarLimit = 4096

  /// Repaired UTF-8, cut at the limit.
  static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    // A scalar has 4 bytes at most, and so has what becomes one U+FFFD.
    let head = bytes.prefix((scalarLimit + 1) * 4)
    let scalars = String(decoding: head, as: UTF8.self).unicodeScalars
    guard
      let end = scalars.index(
        scalars.startIndex,
        offsetBy: scalarLimit,
        limitedBy: scalars.endIndex
      ),
      end != scalars.endIndex
    else { return String(scalars) }
    return String(scalars[..<end]) + "…"
  }

  /// Two lower-case hex digits per byte, cut at the limit.
  static func hex(_ bytes: UnsafeRawBufferPointer) -> String {
    var digits: [UInt8] = []
    for byte in bytes.prefix(scalarLimit / 2) {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self) + (bytes.count > scalarLimit / 2 ? "…" : "")
  }

  /// Sixteen lower-case hex digits.
  static func hex(_ id: UInt64) -> String {
    withUnsafeBytes(of: id.bigEndian) { hex($0) }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Base64 with padding as OTLP's JSON has it, cut at the limit.
  static func base64(_ bytes: UnsafeRawBufferPointer) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let limit = scalarLimit / 4 * 3
    var result: [UInt8] = []
    var index = 0
    while index < min(bytes.count, limit) {
      let left = bytes.count - index
      let second = left > 1 ? bytes[index + 1] : 0
      let third = left > 2 ? bytes[index + 2] : 0
      let word = UInt32(bytes[index]) << 16 | UInt32(second) << 8 | UInt32(third)
      for place in 0..<4 {
        let value = alphabet[Int(word >> UInt32(18 - 6 * place)) & 63]
        result.append(place <= left ? value : UInt8(ascii: "="))
      }
      index += 3
    }
    return String(decoding: result, as: UTF8.self) + (bytes.count > limit ? "…" : "")
  }
}
