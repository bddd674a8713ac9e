/// A count in four bytes; what is greater stays at the greatest.
@propertyWrapper
package struct SmallCount: Equatable, Sendable {
  private var kept: Int32

  package init(wrappedValue: Int) {
    kept = Int32(clamping: wrappedValue)
  }

  package var wrappedValue: Int {
    get { Int(kept) }
    set { kept = Int32(clamping: newValue) }
  }
}

/// A number that may be unknown in eight bytes: `Int.min` stands for that.
@propertyWrapper
package struct OptionalNumber: Equatable, Sendable {
  private var kept: Int

  package init(wrappedValue: Int?) {
    kept = wrappedValue ?? .min
  }

  package var wrappedValue: Int? {
    get { kept == .min ? nil : kept }
    set { kept = newValue ?? .min }
  }
}

/// A measured number that may be unknown in eight bytes: what is no number stands for that.
@propertyWrapper
package struct OptionalMeasure: Equatable, Sendable {
  private var kept: Double

  package init(wrappedValue: Double?) {
    kept = wrappedValue ?? .nan
  }

  package var wrappedValue: Double? {
    get { kept.isNaN ? nil : kept }
    set { kept = newValue ?? .nan }
  }

  package static func == (left: OptionalMeasure, right: OptionalMeasure) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

/// An index or a row number that may be missing in four bytes.
@propertyWrapper
package struct OptionalIndex: Equatable, Sendable {
  private var kept: Int32

  package init(wrappedValue: Int?) {
    kept = wrappedValue.map { Int32(truncatingIfNeeded: $0) } ?? -1
  }

  package var wrappedValue: Int? {
    get { kept < 0 ? nil : Int(kept) }
    set { kept = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
  }
}

/// Row numbers that share storage with those of other lists: 16 bytes and four for each.
package struct RowList: RandomAccessCollection, Equatable, Sendable {
  private var storage: ContiguousArray<UInt32>
  private var from: UInt32
  private var to: UInt32

  package init(_ rows: some Sequence<UInt32> = EmptyCollection()) {
    storage = ContiguousArray(rows)
    from = 0
    to = UInt32(storage.count)
  }

  /// A part of what lies in `storage`.
  init(_ range: Range<Int>, of storage: ContiguousArray<UInt32>) {
    self.storage = storage
    from = UInt32(range.lowerBound)
    to = UInt32(range.upperBound)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { Int(to - from) }
  package subscript(index: Int) -> UInt32 { storage[Int(from) + index] }

  package static func == (left: RowList, right: RowList) -> Bool { left.elementsEqual(right) }
}

extension ContiguousArray {
  /// Grows by a quarter at a time instead of by doubling, which leaves half of long lists unused.
  @inline(__always)
  mutating func appendBySteps(_ element: Element) {
    if count == capacity { reserveCapacity(count + count / 4 + 4) }
    append(element)
  }
}
