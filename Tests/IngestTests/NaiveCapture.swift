import Foundation
import Testing

/// An OTLP JSON capture read with Foundation, record by record, for comparison; slow and strict.
struct NaiveCapture {
  struct Span {
    var identity: String
    var resource: [String: String]
    var scope: String
    var fields: [String: Any]
    var attributes: [String: String]

    var name: String { fields["name"] as? String ?? "" }
    var parent: String? { fields["parentSpanId"] as? String }
    var message: String? { status["message"] as? String }
    var statusCode: Int { status["code"] as? Int ?? 0 }
    var start: Int64 { time("startTimeUnixNano") }
    var end: Int64 { time("endTimeUnixNano") }
    var device: String { resource["device.model.identifier"] ?? "" }
    func number(_ key: String) -> Int? { attributes[key].flatMap { Int($0) } }

    private var status: [String: Any] { fields["status"] as? [String: Any] ?? [:] }
    private func time(_ key: String) -> Int64 { Int64(fields[key] as? String ?? "") ?? -1 }
  }

  struct Log {
    var resource: [String: String]
    var body: String?
    var eventName: String?
    var attributes: [String: String]
  }

  private(set) var spans: [Span] = []
  private(set) var logs: [Log] = []

  init(lines: some Sequence<[UInt8]>) throws {
    for line in lines {
      let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      for (item, resource, scope) in records(of: object, "resourceSpans", "scopeSpans", "spans") {
        spans.append(
          Span(
            identity: "\(item["traceId"] ?? "")/\(item["spanId"] ?? "")",
            resource: resource,
            scope: scope,
            fields: item,
            attributes: Self.attributes(item)
          )
        )
      }
      for (item, resource, _) in records(of: object, "resourceLogs", "scopeLogs", "logRecords") {
        let body = item["body"] as? [String: Any]
        logs.append(
          Log(
            resource: resource,
            body: body?["stringValue"] as? String,
            eventName: item["eventName"] as? String,
            attributes: Self.attributes(item)
          )
        )
      }
    }
  }

  /// The copies of each span that has an identity, in order of arrival.
  var copies: [String: [Span]] { Dictionary(grouping: spans, by: \.identity) }

  /// The last copy of each span, which in the demo is the greatest one.
  var lastCopies: [Span] { copies.values.compactMap(\.last) }

  private func records(
    of object: [String: Any],
    _ root: String,
    _ scopes: String,
    _ items: String
  ) -> [(item: [String: Any], resource: [String: String], scope: String)] {
    let resources = object[root] as? [[String: Any]] ?? []
    return resources.flatMap { resource in
      let attributes = Self.attributes(resource["resource"] as? [String: Any] ?? [:])
      return (resource[scopes] as? [[String: Any]] ?? []).flatMap { scope in
        let name = (scope["scope"] as? [String: Any])?["name"] as? String ?? ""
        return (scope[items] as? [[String: Any]] ?? []).map { ($0, attributes, name) }
      }
    }
  }

  private static func attributes(_ item: [String: Any]) -> [String: String] {
    let list = item["attributes"] as? [[String: Any]] ?? []
    return list.reduce(into: [:]) { result, pair in
      guard let key = pair["key"] as? String, let value = pair["value"] as? [String: Any] else {
        return
      }
      result[key] = value.first.map { "\($0.value)" }
    }
  }
}
