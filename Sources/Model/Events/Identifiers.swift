/// A string of the data, told apart by number.
///
/// Ingest hands out numbers in rising order and announces each with `TelemetryEvent.symbol` before its
/// first use; the model keeps the strings. Two symbols are equal if and only if their strings are.
package struct Symbol: Hashable, Sendable {
  package var rawValue: UInt32

  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The value was absent.
  ///
  /// An empty string is a symbol of its own.
  package static let none = Symbol(0)

  package var isPresent: Bool { rawValue != 0 }
}

/// A resource of the data (`Resource`), told apart by number; 0 is a resource without attributes.
package struct ResourceID: Hashable, Sendable {
  package var rawValue: UInt32

  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let empty = ResourceID(0)
}

/// A source of the run (a file, a pipe, the demo), told apart by its number in the order of opening.
package struct SourceID: Hashable, Comparable, Sendable {
  package var rawValue: UInt16

  package init(_ rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static func < (left: SourceID, right: SourceID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Where a record's own bytes lie in its source.
///
/// For compressed sources the offset counts decompressed bytes. The bytes are those of the span or log
/// record itself, without the resource and scope around it.
package struct RecordPlace: Hashable, Sendable {
  package var source: SourceID
  /// Bytes from the source's beginning; 48 bits are kept.
  package var offset: UInt64
  /// Bytes of the record; 0 when the record has no place that can be read again.
  package var length: UInt32

  package init(source: SourceID, offset: UInt64, length: UInt32) {
    self.source = source
    self.offset = offset
    self.length = length
  }
}
