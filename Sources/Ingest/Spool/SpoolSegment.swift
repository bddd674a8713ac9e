import CPlatform

/// Appends frames to one file; what fails leaves no trace in it.
final class SpoolSegment {
  /// Writes the one after the other; returns 0 or the error number.
  typealias Write =
    @Sendable (
      _ descriptor: Int32, _ head: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer
    ) -> Int32

  let number: UInt32
  let path: String
  /// Bytes of whole frames.
  private(set) var size: UInt64 = 0
  private let descriptor: Int32
  private let write: Write
  /// A frame that failed may have left bytes behind that could not be taken back.
  private(set) var isBroken = false

  /// Creates the file; an error where there is one of the name.
  init(number: UInt32, folder: String, write: @escaping Write) throws(SystemError) {
    self.number = number
    self.write = write
    path = "\(folder)/\(Self.name(number))"
    descriptor = cp_create_to_append(path)
    guard descriptor >= 0 else { throw SystemError(-descriptor) }
  }

  deinit { close(descriptor) }

  /// Where the frame begins that was appended.
  func append(
    _ frame: SpoolFrame,
    _ payload: UnsafeRawBufferPointer
  ) throws(SystemError) -> UInt64 {
    let start = size
    let error = withUnsafeTemporaryAllocation(byteCount: SpoolFrame.headSize, alignment: 8) {
      frame.write(to: $0)
      return write(descriptor, UnsafeRawBufferPointer($0), payload)
    }
    guard error == 0 else {
      isBroken = cp_truncate(descriptor, start) != 0
      throw SystemError(error)
    }
    size += UInt64(SpoolFrame.headSize + payload.count)
    return start
  }

  /// The file's name, which sorts like its number.
  static func name(_ number: UInt32) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + suffix
  }

  /// The number of a file's name; nil for names of other files.
  static func number(_ name: String) -> UInt32? {
    guard name.hasSuffix(suffix) else { return nil }
    return UInt32(name.dropLast(suffix.utf8.count))
  }

  private static let suffix = ".spool"

  static let systemWrite: Write = { descriptor, head, payload in
    cp_write_both(descriptor, head.baseAddress, head.count, payload.baseAddress, payload.count)
  }
}
