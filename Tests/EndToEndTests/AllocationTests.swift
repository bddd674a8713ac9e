import Foundation
import Testing

/// Allocations of a release build beside those in Benchmarks/baseline.json.
///
/// `make benchmark ARGS="--only counts --record"` makes a new baseline.
@Suite(
  "Allocations",
  .enabled(if: MeasureProgram.isBuilt, "needs a built perftop-measure"),
  .timeLimit(.minutes(3))
)
struct AllocationTests {
  /// Names whose counts are more than a tenth, and more than two, above the baseline.
  static func excess(of counts: [String: Int], over baseline: [String: Int]) -> [String] {
    counts.compactMap { name, count in
      guard let known = baseline[name] else { return "\(name) is not in the baseline" }
      // A few more or less say nothing where there are few.
      guard count * 10 > known * 11 + 20 else { return nil }
      return "\(name): \(count), the baseline is \(known)"
    }
    .sorted()
  }

  @Test("no layer allocates more than a tenth above the baseline of this C library")
  func baseline() throws {
    let file = Program.root.appending(path: "Benchmarks/baseline.json")
    let baseline = try JSONDecoder().decode(MeasuredCounts.self, from: Data(contentsOf: file))
    let measured = try MeasureProgram.counts()
    let excess = Self.excess(of: measured.counts, over: baseline.counts)
    if measured.library == baseline.library, measured.processor == baseline.processor {
      #expect(excess.isEmpty)
      #expect(Set(measured.counts.keys) == Set(baseline.counts.keys))
    } else {
      print("allocations: no baseline for \(measured.library); above another's: \(excess)")
    }
  }

  @Test("the counts of two runs are the same")
  func repeats() throws {
    #expect(try MeasureProgram.counts().counts == MeasureProgram.counts().counts)
  }

  @Test(
    "a tenth more passes, what is above it and what is new does not",
    arguments: [
      (["a": 1100], true), (["a": 1103], false), (["a": 0], true), (["b": 1], false),
      (["few": 3], true), (["few": 4], false), ([:], true),
    ] as [([String: Int], Bool)]
  )
  func rule(counts: [String: Int], passes: Bool) {
    #expect(Self.excess(of: counts, over: ["a": 1000, "few": 1]).isEmpty == passes)
  }
}

/// What `perftop-measure counts` prints, and the baseline's form.
struct MeasuredCounts: Decodable {
  var library: String
  var processor: String?
  var counts: [String: Int]
}

/// The program that counts allocations, as a release build left it.
private enum MeasureProgram {
  static let binary = Program.root.appending(path: ".build/release/perftop-measure")
  static let isBuilt = FileManager.default.isExecutableFile(atPath: binary.path)

  static func counts() throws -> MeasuredCounts {
    let process = Process()
    let output = Pipe()
    process.executableURL = binary
    process.arguments = ["counts"]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { _, new in new }
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONDecoder().decode(MeasuredCounts.self, from: data)
  }
}
