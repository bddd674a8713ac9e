import CAllocations
import Ingest
import Model
import TUI

/// How many allocations each layer makes of the same simulated sessions: figures that repeat.
struct Counts {
  /// Five hours of four devices are nearly ten thousand records.
  private static let seconds: Int64 = 18_000
  private static let start = Timestamp(seconds: 1_767_225_600)

  private let json: [UInt8]
  private let protobuf: [UInt8]

  init() {
    let deliveries = Simulator.deliveries(seed: 1, start: Self.start, seconds: Self.seconds)
      .filter { $0.stream == .otlp }
    json = deliveries.flatMap(\.bytes)
    protobuf = json.split(separator: UInt8(ascii: "\n")).flatMap {
      ProtobufMessage.framed(JSONValue(Array($0)))
    }
  }

  /// Every figure with its name, in the order of the layers.
  func figures() -> [(name: String, count: Int)] {
    let kept = KeepingSink()
    ingest(BytesSource.request(json), into: kept)
    let records = kept.records
    var figures: [(name: String, count: Int)] = [("records", records)]
    func per10000(_ name: String, _ allocations: Int) {
      figures.append((name, (allocations * 10_000 + records / 2) / max(1, records)))
    }
    per10000("decodeJSON", decoding(json, records))
    per10000("decodeProtobuf", decoding(protobuf, records))

    var model = SessionModel()
    per10000("apply", allocations { for batch in kept.batches { model.apply(batch) } })
    var overview = Overview()
    per10000("overview", allocations { overview = model.overview() })
    var findings = Findings()
    per10000("findings", allocations { findings = model.findings(overview) })
    let report = ReportJSON(model: model, overview: overview, findings: findings)
    per10000("reportJSON", allocations { report.write { _ in } })

    var state = AppState()
    state.resize(width: 200, height: 50)
    for batch in kept.batches { state.observe(batch) }
    state.refresh()
    for screen in Screen.allCases {
      state.show(screen)
      // The first one may fill what later ones use again.
      var grid = Picture.draw(state)
      figures.append(("draw.\(screen.name)", allocations { grid = Picture.draw(state) }))
      let before = grid
      _ = state.press(.down)
      grid = Picture.draw(state)
      figures.append(
        ("diff.\(screen.name)", allocations { _ = GridDiff.runs(from: before, to: grid) })
      )
    }
    return figures
  }

  private func decoding(_ bytes: [UInt8], _ records: Int) -> Int {
    let check = KeepingSink()
    ingest(BytesSource.request(bytes), into: check)
    precondition(check.records == records, "both encodings hold the same records")
    let request = BytesSource.request(bytes)
    let sink = DroppingSink()
    return allocations { ingest(request, into: sink) }
  }

  private func allocations(_ body: () -> Void) -> Int {
    let before = ca_allocations()
    body()
    return Int(ca_allocations() - before)
  }
}
