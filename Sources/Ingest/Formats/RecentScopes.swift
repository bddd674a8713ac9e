import Model

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The scope that was read last, by its bytes: most data has but one.
struct RecentScope {
  private static let longest = 512

  private(set) var version = Symbol.none
  private(set) var hash: UInt64 = 0
  private var bytes: [UInt8] = []

  /// How many bytes the scope has that comes next; nil when it is not the last one.
  @inline(__always)
  func count(_ scanner: JSONScanner) -> Int? {
    let count = bytes.count
    guard count > 0, count <= scanner.end &- scanner.position else { return nil }
    let isSame = bytes.withUnsafeBytes {
      $0.baseAddress.map { memcmp($0, scanner.base + scanner.position, count) == 0 } ?? false
    }
    return isSame ? count : nil
  }

  /// Keeps a whole scope, the bytes before the scanner's position from an index on.
  mutating func remember(from start: Int, _ scanner: JSONScanner, version: Symbol, hash: UInt64) {
    bytes.removeAll(keepingCapacity: true)
    guard scanner.position &- start <= Self.longest else { return }
    bytes.append(contentsOf: scanner.bytes(from: start, to: scanner.position))
    self.version = version
    self.hash = hash
  }
}

/// What stood lately between a resource and its first record, in most data one or two texts:
/// `,"scopeSpans":[{"scope":{…},"spans":[`.
final class RecentOpenings {
  struct Entry {
    fileprivate(set) var count = 0
    var list = OTLPKey.unknown
    var scope = (version: Symbol.none, hash: UInt64(0))
  }

  private static let limit = 4
  private static let longest = 512

  private let entries: UnsafeMutablePointer<Entry>
  private let bytes: UnsafeMutablePointer<UInt8>
  private var next = 0

  init() {
    entries = .allocate(capacity: Self.limit)
    entries.initialize(repeating: Entry(), count: Self.limit)
    bytes = .allocate(capacity: Self.limit * Self.longest)
    bytes.initialize(repeating: 0, count: Self.limit * Self.longest)
  }

  deinit {
    entries.deallocate()
    bytes.deallocate()
  }

  /// The one that comes next.
  @inline(__always)
  func find(_ scanner: JSONScanner) -> UnsafeMutablePointer<Entry>? {
    let left = scanner.end &- scanner.position
    for index in 0..<Self.limit {
      let count = entries[index].count
      guard count > 0, count <= left else { continue }
      let own = bytes + index &* Self.longest
      if memcmp(scanner.base + scanner.position, own, count) == 0 { return entries + index }
    }
    return nil
  }

  /// Keeps the bytes before the scanner's position from an index on, in place of the oldest.
  func remember(
    from start: Int,
    _ scanner: JSONScanner,
    list: OTLPKey,
    scope: (version: Symbol, hash: UInt64)
  ) {
    let count = scanner.position &- start
    guard count <= Self.longest else { return }
    memcpy(bytes + next * Self.longest, scanner.base + start, count)
    entries[next].count = count
    entries[next].list = list
    entries[next].scope = scope
    next = (next + 1) % Self.limit
  }
}
