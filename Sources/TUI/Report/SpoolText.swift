import Model

/// How a spool stands, in words.
enum SpoolText {
  /// Where the run is kept and how much of it, then what is missing there.
  static func lines(_ spool: SpoolState) -> [String] {
    let limit = spool.limit.map { ", at most \(QuantityText.bytes($0)) with other runs" } ?? ""
    var lines = ["spool \(spool.folder): \(QuantityText.bytes(spool.bytes))\(limit)"]
    if spool.droppedBytes > 0 || spool.droppedRecords > 0 {
      lines.append(
        "the oldest \(QuantityText.count(spool.droppedRecords)) records "
          + "(\(QuantityText.bytes(spool.droppedBytes))) made room for newer ones"
      )
    }
    if spool.unkeptRecords > 0 || spool.unkeptBytes > 0 {
      lines.append(
        "\(QuantityText.count(spool.unkeptRecords)) records "
          + "(\(QuantityText.bytes(spool.unkeptBytes))) could not be written to the spool"
      )
    }
    if let problem = spool.problem { lines.append("nothing is kept at present: \(problem)") }
    return lines.map { DisplayText.shown($0) }
  }
}

extension JSONWriter {
  /// The member `spools`, absent where nothing is kept and nothing was.
  mutating func spools(_ spools: [SpoolState]) {
    guard !spools.isEmpty else { return }
    array("spools", spools) { json, spool in
      json.object { json in
        json.member("folder", spool.folder)
        json.member("limit", spool.limit.map { Int(clamping: $0) })
        json.member("bytes", Int(clamping: spool.bytes))
        json.member("droppedRecords", spool.droppedRecords)
        json.member("droppedBytes", Int(clamping: spool.droppedBytes))
        json.member("unkeptRecords", spool.unkeptRecords)
        json.member("unkeptBytes", Int(clamping: spool.unkeptBytes))
        json.member("problem", spool.problem)
      }
    }
  }
}
