#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Looks through the rest of a line that is no JSON for a place where JSON begins again.
enum JSONLineSearch {
  enum Outcome: Equatable {
    /// `{"resource…` begins here.
    case resource(Int)
    /// It does not; bytes before this index need not be looked at again.
    case none(Int)
  }

  private static let resource: StaticString = "{\"resource"

  /// Searches the bytes from one index to another.
  ///
  /// `isWholeRequest` takes only `{"resourceSpans` and its like, not a single resource's records;
  /// `isFinal` says that no bytes follow.
  static func find(
    _ base: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int,
    isWholeRequest: Bool,
    isFinal: Bool
  ) -> Outcome {
    var at = start
    while let brace = index(of: 0x7B, base, from: at, to: end) {
      guard let found = matches(base, brace, end, isWholeRequest) else {
        if !isFinal { return .none(brace) }
        break
      }
      if found { return .resource(brace) }
      at = brace &+ 1
    }
    return .none(end)
  }

  static func index(
    of byte: UInt8,
    _ base: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int
  ) -> Int? {
    guard start < end, let found = memchr(base + start, Int32(byte), end - start) else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Nil when the bytes end within what may be a match.
  private static func matches(
    _ base: UnsafePointer<UInt8>,
    _ start: Int,
    _ end: Int,
    _ isWholeRequest: Bool
  ) -> Bool? {
    let length = resource.utf8CodeUnitCount
    let left = end - start
    guard memcmp(base + start, resource.utf8Start, min(left, length)) == 0 else { return false }
    guard left > length else { return nil }
    return !isWholeRequest || base[start + length] != UInt8(ascii: "\"")
  }
}
