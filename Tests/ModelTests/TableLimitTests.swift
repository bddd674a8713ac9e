import TestSupport
import Testing

@testable import Model

@Suite("Table limits")
struct TableLimitTests {
  private static func options(
    streams: Int = .max,
    groups: Int = .max
  ) -> ModelOptions {
    var options = ModelOptions()
    options.limits.streams = streams
    options.limits.groups = groups
    return options
  }

  private static func model(_ script: TelemetryScript, _ options: ModelOptions) -> SessionModel {
    var model = SessionModel(options: options)
    model.apply(script.definitions + [.arrival(TelemetryScript.time(10_000_000))])
    model.apply(script.records)
    return model
  }

  @Test("devices beyond the limit are one, no record is lost, and theirs are counted")
  func devices() {
    var script = TelemetryScript()
    for device in 0..<10 {
      script.device("DEVICE-\(device)")
      for visit in 0..<3 { script.tti("Home", at: Double(device * 100 + visit), 500) }
    }
    let overview = Self.model(script, Self.options(streams: 4)).overview()
    #expect(overview.streams.count == 5)
    #expect(overview.quality.otherDevices == 6 * 3)
    #expect(overview.screens.map(\.tti.count) == [30])
    #expect(Self.model(script, Self.options()).overview().quality.otherDevices == 0)
  }

  /// The records applied a batch at a time, so that the oldest are folded on the way.
  private static func folding(_ script: TelemetryScript, _ options: ModelOptions) -> SessionModel {
    var options = options
    options.memoryLimit = 3_000_000
    var model = SessionModel(options: options)
    model.apply(script.definitions + [.arrival(TelemetryScript.time(10_000_000))])
    var rest = script.records[...]
    while !rest.isEmpty {
      model.apply(Array(rest.prefix(512)))
      rest = rest.dropFirst(512)
    }
    return model
  }

  @Test(
    "records of devices beyond the limit are counted in any order, also when older ones were folded"
  )
  func foldedDevices() {
    var script = TelemetryScript()
    // Each device is older than the one before.
    for device in 0..<400 {
      script.device("DEVICE-\(device)")
      for visit in 0..<100 {
        script.tti("Home", at: Double((400 - device) * 1_000 + visit), 500)
      }
    }
    let overview = Self.folding(script, Self.options(streams: 4)).overview()
    #expect(overview.folded.records > 10_000)
    #expect(overview.screens.map(\.tti.count) == [40_000])
    #expect(overview.quality.otherDevices == 396 * 100)
    #expect(overview.quality.afterFolding == 0)
  }

  @Test("names beyond the limit share one row, whose records are counted")
  func names() {
    var script = TelemetryScript()
    for screen in 0..<10 {
      for visit in 0..<3 { script.tti("Screen\(screen)", at: Double(screen * 100 + visit), 500) }
    }
    let overview = Self.model(script, Self.options(groups: 4)).overview()
    #expect(overview.screens.count == 5)
    #expect(overview.screens.map(\.tti.count).reduce(0, +) == 30)
    #expect(overview.screens.filter(\.isOverflow).map(\.tti.count) == [18])
    #expect(overview.quality.otherNames == 18)
  }

  @Test("what is folded of names beyond the limit stays in their row")
  func foldedNames() {
    var script = TelemetryScript()
    for number in 0..<40_000 {
      script.span("work \(number % 10)", .otherSpan, at: Double(number), seconds: 0.5)
    }
    let overview = Self.folding(script, Self.options(groups: 4)).overview()
    #expect(overview.folded.records > 20_000)
    #expect(overview.spans.map(\.count).sorted() == [4_000, 4_000, 4_000, 4_000, 24_000])
    #expect(overview.quality.otherNames == 24_000)
  }

  @Test("shares of a memory limit leave a quarter of it to records")
  func shares() {
    for memory in [64_000_000, 512_000_000, 8_000_000_000] {
      let limits = TableLimits(memory: memory)
      let most =
        limits.textBytes + limits.resources * TableLimits.resourceCost
        + limits.streams * TableLimits.streamCost + limits.groups * TableLimits.groupCost
      #expect(most <= memory * 3 / 4)
      #expect(limits.groups >= 5_000)
    }
  }

  @Test("values of many groups are kept less exactly, and still to one part in sixteen")
  func coarse() {
    var generator = SeededGenerator(seed: 5)
    let values = (0..<20_000).map { _ in Int64.random(in: 0...9_000_000_000, using: &generator) }
    var counted = CountedValues()
    for value in values { counted.add(value) }
    let fine = counted.distinct
    for _ in 0..<6 { counted.coarsen() }
    let (whole, coarse) = (Distribution(values), Distribution([], and: counted))
    #expect(coarse.count == 20_000)
    #expect(counted.distinct < 200 && fine > 4_000)
    for fraction in [0.1, 0.5, 0.9, 0.99] {
      let (exact, near) = (whole.quantile(fraction) ?? -1, coarse.quantile(fraction) ?? -1)
      #expect(abs(exact - near) <= exact / 16 + 1)
    }
  }
}
