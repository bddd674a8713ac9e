@testable import Ingest

func withBytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
  Array(text.utf8).withUnsafeBytes(body)
}

extension RecordAssembler {
  mutating func add(_ key: String, _ text: String) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { value in
      withBytes(key) { spanAttribute(key: $0, value: .string(value)) }
    }
  }

  mutating func add(_ key: String, _ value: AttributeValue) {
    withBytes(key) { spanAttribute(key: $0, value: value) }
  }
}
