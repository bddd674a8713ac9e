#if os(Linux)
import Foundation
import Testing

/// Anonymous memory while a large capture is read: a reader of whole files would break the limit.
@Suite(
  "Memory",
  .enabled(if: Program.path?.contains("/release/") == true, "needs a release build"),
  .timeLimit(.minutes(10))
)
struct MemoryTests {
  private static let size = 300 << 20
  private static let limit = 120 << 20

  /// Lines of OTLP JSON, most of whose bytes are attributes that nobody groups by, as in real captures.
  private static func block(_ number: Int) -> String {
    let padding = String(repeating: "p", count: 30_000)
    return (0..<64).map { line in
      let id = String(format: "%016x", number * 64 + line + 1)
      let start = 1_767_225_600_000_000_000 + (number * 64 + line) * 1_000_000
      return #"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","#
        + #""value":{"stringValue":"Shop"}}]},"scopeSpans":[{"scope":{},"spans":[{"traceId":""#
        + id + id + #"","spanId":""# + id + #"","name":"work","startTimeUnixNano":""#
        + "\(start)" + #"","endTimeUnixNano":""# + "\(start + 5_000_000)"
        + #"","attributes":[{"key":"db.statement","value":{"stringValue":""#
        + padding + #""}}],"status":{}}]}]}]}"# + "\n"
    }.joined()
  }

  @Test("300 MB are read in less than 120 MB of anonymous memory, and every span is counted")
  func bounded() throws {
    let scratch = try Scratch()
    let path = scratch.path("large.jsonl")
    try scratch.write("large.jsonl", "")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    var written = 0
    var blocks = 0
    while written < Self.size {
      let block = Data(Self.block(blocks).utf8)
      try file.write(contentsOf: block)
      written += block.count
      blocks += 1
    }
    try file.close()

    let process = Process()
    process.executableURL = URL(filePath: try #require(Program.path))
    process.arguments = ["report", "--format", "json", path]
    let output = scratch.path("report.json")
    try scratch.write("report.json", "")
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    try process.run()
    var peak = 0
    var looks = 0
    while process.isRunning {
      if let bytes = Self.anonymousBytes(of: process.processIdentifier) {
        peak = max(peak, bytes)
        looks += 1
      }
      usleep(2_000)
    }
    #expect(process.terminationStatus == 0)
    #expect(looks > 10)
    #expect(peak < Self.limit, "\(peak >> 20) MB")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let quality = report?["quality"] as? [String: Any]
    #expect((quality?["received"] as? [String: Any])?["spans"] as? Int == blocks * 64)
  }

  /// RssAnon and RssShmem; nil once the process has ended.
  private static func anonymousBytes(of process: Int32) -> Int? {
    guard
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    else { return nil }
    let kilobytes = status.split(separator: "\n").compactMap { line -> Int? in
      guard line.hasPrefix("RssAnon:") || line.hasPrefix("RssShmem:") else { return nil }
      return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
        .flatMap { Int($0) }
    }
    return kilobytes.isEmpty ? nil : kilobytes.reduce(0, +) << 10
  }
}
#endif
