/// C strings in one piece of memory, for functions that take a list of them.
struct CStringList {
  private var storage: [CChar] = []
  private var starts: [Int] = []

  init(_ texts: [String]) {
    for text in texts {
      starts.append(storage.count)
      storage += text.utf8CString
    }
  }

  /// The list is ended by null, and valid during the call.
  func withPointers<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    storage.withUnsafeBufferPointer { buffer in
      let pointers = starts.map { start in buffer.baseAddress.map { $0 + start } } + [nil]
      return pointers.withUnsafeBufferPointer { list in
        guard let base = list.baseAddress else {
          return withUnsafePointer(to: UnsafePointer<CChar>?.none, body)
        }
        return body(base)
      }
    }
  }
}
