import Foundation

/// What tests read of a report in JSON.
struct WrittenReport: Decodable {
  struct Quality: Decodable {
    struct Received: Decodable { var ledgerEvents: Int }
    var received: Received
    var malformed: Int
    var notTelemetry: Int
    var incomplete: Int
    var spoolDropped: Int
  }
  struct Source: Decodable {
    var name: String
    var kind: String
    var bytes: Int
    var records: Int
  }
  struct Spool: Decodable {
    var folder: String
    var problem: String?
  }
  struct Name: Decodable { var count: Int }
  var quality: Quality
  var sources: [Source]
  var spools: [Spool]?
  var ledger: [Name]

  init(_ text: some Sequence<UInt8>) throws {
    self = try JSONDecoder().decode(WrittenReport.self, from: Data(text))
  }
}
