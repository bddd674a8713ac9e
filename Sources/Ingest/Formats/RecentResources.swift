import Model

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Resources that were read lately, by their bytes, so that one that comes again needs no scanning.
final class RecentResources {
  struct Entry {
    fileprivate var bytes: UnsafeMutableRawPointer?
    fileprivate var capacity = 0
    /// Bytes of the whole resource; 0 for none.
    fileprivate(set) var count = 0
    var id = ResourceID.empty
    var content: UInt64 = 0
    /// The resource's `session.id`, which its spans repeat.
    var session = RecentTexts.Entry()
  }

  /// Bytes that choose the place of a resource; shorter resources are not kept.
  private static let prefix = 320
  private static let longest = 8_192
  private static let mask = 1_023
  private let entries: UnsafeMutablePointer<Entry>

  init() {
    entries = .allocate(capacity: Self.mask + 1)
    entries.initialize(repeating: Entry(), count: Self.mask + 1)
  }

  deinit {
    for place in 0...Self.mask { entries[place].bytes?.deallocate() }
    entries.deallocate()
  }

  /// The resource that comes next, when it is one that was read lately.
  @inline(__always)
  func find(_ scanner: JSONScanner) -> UnsafeMutablePointer<Entry>? {
    let left = scanner.end &- scanner.position
    guard left >= Self.prefix else { return nil }
    let start = UnsafeRawPointer(scanner.base + scanner.position)
    let entry = entries + Self.place(start)
    let count = entry.pointee.count
    guard count > 0, count <= left, let own = entry.pointee.bytes, memcmp(start, own, count) == 0
    else { return nil }
    return entry
  }

  /// Keeps a whole resource, the bytes before the scanner's position from an index on.
  func remember(
    from start: Int,
    _ scanner: JSONScanner,
    id: ResourceID,
    content: UInt64,
    session: RecentTexts.Entry
  ) {
    let count = scanner.position &- start
    guard count >= Self.prefix, count <= Self.longest, id != .empty else { return }
    let source = UnsafeRawPointer(scanner.base + start)
    let entry = entries + Self.place(source)
    if entry.pointee.capacity < count {
      entry.pointee.bytes?.deallocate()
      entry.pointee.bytes = .allocate(byteCount: count &+ 64, alignment: 8)
      entry.pointee.capacity = count &+ 64
    }
    entry.pointee.bytes?.copyMemory(from: source, byteCount: count)
    entry.pointee.count = count
    entry.pointee.id = id
    entry.pointee.content = content
    entry.pointee.session = session
  }

  /// Every other eight bytes of the prefix choose: an id is longer than the gaps.
  @inline(__always)
  private static func place(_ start: UnsafeRawPointer) -> Int {
    var mixed: UInt64 = 0
    var index = 0
    while index < prefix {
      mixed =
        (mixed ^ start.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        &* ByteHash.secret3
      mixed ^= mixed &>> 32
      index &+= 16
    }
    return Int(truncatingIfNeeded: mixed) & mask
  }
}
